import { Agent } from 'node:http'
import { Agent as SafeAgent } from 'node:https'
import { passOn, type WireRequest } from '../../harness/proxy.ts'

/** A request that succeeds whenever the server works. */
export interface GoodTrafficRequest {
  /** What it is: `lookup`. */
  readonly name: string
  readonly make: () => WireRequest
}

/** Leaves the server time for the cases: this shows that it works, not how fast it is. */
const PAUSE_MS = 25

const agentFor = ({ protocol }: URL, keepAlive: boolean): Agent =>
  protocol === 'https:' ? new SafeAgent({ keepAlive }) : new Agent({ keepAlive })

/** Sends the first of them on a new connection. @returns whether a reply came in time */
export async function isAnswered(
  url: URL,
  [first]: readonly GoodTrafficRequest[],
  timeoutMs: number,
): Promise<boolean> {
  if (!first) return false
  const agent = agentFor(url, false)
  return passOn(new URL(url.origin), first.make(), { agent, timeoutMs }).then(
    () => true,
    () => false,
  )
}

/** Another client that goes on while the cases run, over persistent connections. */
export function startGoodTraffic(url: URL, good: readonly GoodTrafficRequest[], timeoutMs: number) {
  const agent = agentFor(url, true)
  const to = new URL(url.origin)
  const faults = new Set<string>()
  let [running, requests] = [true, 0]

  async function work(): Promise<void> {
    while (running) {
      const next = good[requests % good.length]
      if (!next) return
      requests += 1
      const fault = await passOn(to, next.make(), { agent, timeoutMs, resends: true }).then(
        ({ status }) => (status < 300 ? undefined : `was answered ${status}`),
        ({ code, message }: NodeJS.ErrnoException) => `failed: ${code ?? message}`,
      )
      if (fault !== undefined) faults.add(`a good ${next.name} ${fault}`)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }

  const worker = work()
  return {
    /** Ends it. @returns each error once, as a sentence */
    async stop(): Promise<{ readonly requests: number; readonly faults: readonly string[] }> {
      running = false
      await worker
      agent.destroy()
      return { requests, faults: [...faults] }
    },
  }
}
