import { setTimeout as sleep } from 'node:timers/promises'
import { keyOf } from './findings.ts'
import { isAnswered, startGoodTraffic } from './good-traffic.ts'
import { BESIDE, type Breach } from './rules.ts'
import { startSlowClients } from './slow-clients.ts'
import type { WireSubject } from './subject.ts'

interface FloodOptions extends Pick<WireSubject, 'url' | 'writer' | 'judge' | 'good'> {
  readonly halfOpen: number
  readonly ofEachSlowKind: number
  readonly caseMs: number
  /** How long a server may keep a slow client; absent: its own business, and nothing is judged. */
  readonly slowMs?: number | undefined
}

/** Duration of the repeated check of the client beside slow clients. */
const AGAIN_MS = 3_000

export const besideBad = (what: string): Breach => ({ rule: BESIDE, what, timed: true })

/** Slow clients, and another client beside them who must not notice. */
export function createFlood({ url, writer, judge, good, caseMs, slowMs, ...slowly }: FloodOptions) {
  /** What the work returns, outcomes of the slow clients, and of the client beside them. */
  async function beside<Result>(work: () => Promise<Result>) {
    // It shows that the server works, not how fast it is: a busy disk may hold up one commit for seconds.
    const traffic = startGoodTraffic(url, good, 3 * caseMs)
    const { halfOpen, ofEachSlowKind: ofEachKind } = slowly
    const answers = () => isAnswered(url, good, 3 * caseMs)
    const slow = startSlowClients({ url, writer, halfOpen, ofEachKind, patienceMs: slowMs, answers })
    // First, because a flood of new connections makes every case wait for its own.
    await slow.opened
    const result = await work()
    const slowOutcomes = slowMs === undefined ? slow.reset() : await slow.outcomes
    const { requests, faults } = await traffic.stop()
    return { result, slowOutcomes, requests, faults }
  }

  let repeated: Promise<ReadonlySet<string>> | undefined
  return {
    beside,
    /**
     * Repeats the flood once for all callers. @returns keys of its breaches, and `BESIDE` when the client notices it
     */
    again: (): Promise<ReadonlySet<string>> =>
      (repeated ??= beside(() => sleep(AGAIN_MS)).then(({ slowOutcomes, faults }) => {
        const breaches = slowOutcomes.flatMap(({ wireCase, conversation }) => judge(wireCase, conversation).breaches)
        return new Set([...breaches.map(keyOf), ...faults.map(() => BESIDE)])
      })),
  }
}
