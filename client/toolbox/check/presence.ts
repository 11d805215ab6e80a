import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from '../exchange.ts'

// Whether somebody listens at an address: no request is sent, so a receiver has nothing to answer or to count.

const CONNECT_MAX_MS = 2_000
const POLL_EVERY_MS = 100

/** Whether a connection can be made, within so many milliseconds. What does not answer in time is taken to be there: it is slow, not gone. */
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

/** Waits until somebody listens there again. @returns after how many milliseconds; absent: not within the time */
export async function msUntilBack(url: URL, waitMs: number, ended: AbortSignal): Promise<number | undefined> {
  const startedAt = performance.now()
  const waited = () => Math.round(performance.now() - startedAt)
  while (waited() < waitMs && !ended.aborted) {
    if (await isThere(url, waitMs)) return waited()
    await sleep(POLL_EVERY_MS, undefined, { signal: ended }).catch(() => undefined)
  }
  return undefined
}
