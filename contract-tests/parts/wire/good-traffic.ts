import { Agent } from 'node:http'
import { Agent as SafeAgent } from 'node:https'
import { passOn, wireRequest } from '../../harness/proxy.ts'
import { INITIALIZE, LOOKUP, type RequestWriter } from './wire-case.ts'

interface GoodTraffic {
  /** Ends it. @returns each error once, as a sentence */
  stop(): Promise<{ readonly requests: number; readonly faults: readonly string[] }>
}

interface GoodTrafficOptions {
  readonly url: URL
  readonly publicKey: string
  readonly writer: RequestWriter
  /** False: lookups only, no payments on a third party's account. */
  readonly collect: boolean
  readonly timeoutMs: number
}

/** Leaves the server time for the cases: this shows that it works, not how fast it is. */
const PAUSE_MS = 25

/** A merchant who goes on while the cases run: lookups and collections over persistent connections. */
export function startGoodTraffic({ url, publicKey, writer, collect, timeoutMs }: GoodTrafficOptions): GoodTraffic {
  const agent = url.protocol === 'https:' ? new SafeAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  const faults = new Set<string>()
  let running = true
  let requests = 0

  function sendRequest(path: string, body?: object): Promise<string | undefined> {
    const type = body && { 'content-type': 'application/json' }
    const headers = { 'public-key': publicKey, 'x-api-version': '1', ...type }
    const request = wireRequest(body ? 'POST' : 'GET', path, headers, body)
    return passOn(new URL(url.origin), request, { agent, timeoutMs, resends: true }).then(
      ({ status }) => (status < 300 ? undefined : `was answered ${status}`),
      ({ code, message }: NodeJS.ErrnoException) => `failed: ${code ?? message}`,
    )
  }

  async function work(): Promise<void> {
    while (running) {
      const collecting = collect && requests % 2 === 1
      requests += 1
      const fault = collecting ? await sendRequest(INITIALIZE, writer.collection()) : await sendRequest(LOOKUP)
      if (fault !== undefined) faults.add(`a good ${collecting ? 'collection' : 'lookup'} ${fault}`)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }

  const worker = work()
  return {
    async stop() {
      running = false
      await worker
      agent.destroy()
      return { requests, faults: [...faults] }
    },
  }
}
