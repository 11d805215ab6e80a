import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from '../exchange.ts'

// Checks whether a server listens at an address without sending a request, so that a receiver has nothing to answer or
// count.

const CONNECT_MAX_MS = 2_000
const POLL_EVERY_MS = 100

/**
 * Whether a connection can be made within this many milliseconds. A server that does not respond in time counts as
 * present: it is slow, not gone.
 */
export const isThere = async (url: URL, waitMs: number): Promise<boolean> =>
  (await whyAbsent(url, waitMs)) === undefined

/** Why no connection can be made; absent: one can. */
export function whyAbsent(url: URL, waitMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    const socket = connect({
      port,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      timeout: Math.min(waitMs, CONNECT_MAX_MS),
    })
    const end = (why?: string) => {
      socket.destroy()
      resolve(why)
    }
    socket.once('connect', () => end())
    socket.once('timeout', () => end())
    socket.once('error', (error) => end(reasonOf(error)))
  })
}

/**
 * Waits until a server listens there again.
 * @returns after how many milliseconds; absent: not within the time
 */
export async function msUntilBack(url: URL, waitMs: number, ended: AbortSignal): Promise<number | undefined> {
  const startedAt = performance.now()
  const waited = () => Math.round(performance.now() - startedAt)
  while (waited() < waitMs && !ended.aborted) {
    if (await isThere(url, waitMs)) return waited()
    await sleep(POLL_EVERY_MS, undefined, { signal: ended }).catch(() => undefined)
  }
  return undefined
}
