import { setTimeout as sleep } from 'node:timers/promises'
import { keyOf } from './findings.ts'
import { startGoodTraffic } from './good-traffic.ts'
import { BESIDE, type Breach, type Judge } from './rules.ts'
import { startSlowClients, type SlowOutcome } from './slow-clients.ts'
import type { RequestWriter } from './wire-case.ts'

interface FloodOptions {
  readonly url: URL
  readonly publicKey: string
  readonly writer: RequestWriter
  readonly judge: Judge
  /** Whether the merchant beside it collects, too. */
  readonly collect: boolean
  readonly halfOpen: number
  readonly ofEachSlowKind: number
  readonly caseMs: number
  readonly slowMs: number
}

/** Outcomes of the slow clients, and of the merchant beside them. */
interface FloodOutcome {
  readonly slowOutcomes: readonly SlowOutcome[]
  readonly requests: number
  readonly faults: readonly string[]
}

/** Duration of the repeated check of the merchant beside slow clients. */
const AGAIN_MS = 3_000

export const besideBad = (what: string): Breach => ({ rule: BESIDE, what, timed: true })

/** Slow clients, and a merchant beside them who must not notice. */
export function createFlood({ url, publicKey, writer, judge, collect, caseMs, slowMs, ...slowly }: FloodOptions) {
  async function beside<Result>(work: () => Promise<Result>): Promise<{ readonly result: Result } & FloodOutcome> {
    // It shows that the server works, not how fast it is: a busy disk may hold up one commit for seconds.
    const traffic = startGoodTraffic({ url, publicKey, writer, collect, timeoutMs: 3 * caseMs })
    const { halfOpen, ofEachSlowKind: ofEachKind } = slowly
    const slow = startSlowClients({ url, writer, halfOpen, ofEachKind, patienceMs: slowMs })
    // First, because a flood of new connections makes every case wait for its own.
    await slow.opened
    const result = await work()
    const slowOutcomes = await slow.outcomes
    const { requests, faults } = await traffic.stop()
    return { result, slowOutcomes, requests, faults }
  }

  let repeated: Promise<ReadonlySet<string>> | undefined
  return {
    beside,
    /**
     * Repeats the flood once for all callers. @returns keys of its breaches, and `BESIDE` when the merchant notices it
     */
    again: (): Promise<ReadonlySet<string>> =>
      (repeated ??= beside(() => sleep(AGAIN_MS)).then(({ slowOutcomes, faults }) => {
        const breaches = slowOutcomes.flatMap(({ wireCase, conversation }) => judge(wireCase, conversation).breaches)
        return new Set([...breaches.map(keyOf), ...faults.map(() => BESIDE)])
      })),
  }
}
