import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

// Whether somebody listens at an address: no request is sent, so a receiver has nothing to answer or to count.

const CONNECT_MAX_MS = 2_000
const LOOK_EVERY_MS = 100

/** Whether a connection can be made, within so many milliseconds. What does not answer in time is taken to be there: it is slow, not gone. */
export function isThere(url: URL, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    const socket = connect({
      port,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      timeout: Math.min(waitMs, CONNECT_MAX_MS),
    })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(true))
    socket.once('error', () => end(false))
  })
}

/** Waits until somebody listens there again. @returns after how many milliseconds; absent: not within the time */
export async function msUntilBack(url: URL, waitMs: number, ended: AbortSignal): Promise<number | undefined> {
  const startedAt = performance.now()
  const waited = () => Math.round(performance.now() - startedAt)
  while (waited() < waitMs && !ended.aborted) {
    if (await isThere(url, waitMs)) return waited()
    await sleep(LOOK_EVERY_MS, undefined, { signal: ended }).catch(() => undefined)
  }
  return undefined
}
