import type { ServerResponse } from 'node:http'

/** The merchant's server's answer to a request. */
export type ReceiverReply = { readonly name: string; readonly afterMs?: number } & (
  StatusReply | { readonly broken: 'reset' | 'garbage' | 'hang' }
)

interface StatusReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The wait that its `Retry-After` asks for. */
  readonly asksForMs?: readonly [least: number, most: number]
}

export const status = (
  code: number,
  more: Omit<StatusReply, 'status'> & { readonly afterMs?: number } = {},
): ReceiverReply => ({ name: `HTTP ${code}`, status: code, ...more })
export const reset: ReceiverReply = { name: 'a reset connection', broken: 'reset' }
export const garbage: ReceiverReply = { name: 'what is not HTTP', broken: 'garbage' }
/** Longer than the gateway waits: 15 seconds for callbacks, 5 for handshakes. */
export const hang: ReceiverReply = { name: 'no reply', broken: 'hang' }
export const OK = status(200)

export const statusOf = (reply: ReceiverReply): number | undefined => ('status' in reply ? reply.status : undefined)
/** Target of redirects: no request may ever arrive there. */
export const TRAP_PATH = '/followed'
export const redirectTo = (code: number): ReceiverReply => status(code, { headers: { location: TRAP_PATH } })
export const retryAfter = (code: number, seconds: number): ReceiverReply => ({
  ...status(code, { headers: { 'retry-after': String(seconds) }, asksForMs: [seconds * 1_000, seconds * 1_000] }),
  name: `HTTP ${code} with Retry-After: ${seconds}`,
})
/** A date has whole seconds, and is read a moment after it was written. */
const DATE_MS = 2_000
/** The wait as a date, by the clock of the merchant's server, which is this machine's. */
export const retryAt = (seconds: number): ReceiverReply => ({
  name: `HTTP 503 with Retry-After: a date ${seconds} s ahead`,
  status: 503,
  get headers() {
    return { 'retry-after': new Date(Date.now() + seconds * 1_000).toUTCString() }
  },
  asksForMs: [seconds * 1_000 - DATE_MS, seconds * 1_000 + DATE_MS],
})

const HUGE_BYTES = 2_000_000
const SLOW_MS = 1_500
const huge = (code: number): ReceiverReply => ({
  ...status(code, { body: 'x'.repeat(HUGE_BYTES) }),
  name: `HTTP ${code} with 2 MB`,
})
const slow = (code: number): ReceiverReply => ({
  ...status(code, { afterMs: SLOW_MS }),
  name: `HTTP ${code} after ${SLOW_MS} ms`,
})
/** A body that contradicts the status: the status counts. */
const contradicting = (code: number): ReceiverReply => ({
  ...status(code, {
    headers: { 'content-type': 'application/json' },
    body: '{"code":500,"status":"error","transaction_status":"FAILED"}',
  }),
  name: `HTTP ${code} with an error in its body`,
})

/** Any 2xx acknowledges. */
export const ACKNOWLEDGING: readonly ReceiverReply[] = [
  OK,
  ...[201, 202, 204, 299].map((code) => status(code)),
  huge(200),
  slow(200),
  contradicting(200),
]
/** Nobody follows them: a redirect could lead into the gateway's own network. */
export const REDIRECTING: readonly ReceiverReply[] = [301, 302, 303, 307, 308].map(redirectTo)
/** They say "not now". */
export const LATER: readonly ReceiverReply[] = [408, 425, 429].map((code) => status(code))
export const FAILING: readonly ReceiverReply[] = [500, 501, 502, 503, 504].map((code) => status(code))
export const STOPPING: readonly ReceiverReply[] = [status(410), huge(410)]
/** Everything else is retried; `Retry-After` counts where it is longer than the usual wait. */
export const REFUSING: readonly ReceiverReply[] = [
  ...REDIRECTING,
  status(304),
  ...[400, 401, 403, 404, 409, 422].map((code) => status(code)),
  ...LATER,
  ...FAILING,
  reset,
  garbage,
  huge(500),
  slow(503),
  retryAfter(429, 8),
  retryAfter(503, 8),
  retryAfter(503, 1),
]

/** Sends the answer. */
export function play(reply: ReceiverReply, response: ServerResponse): void {
  if (reply.afterMs !== undefined) setTimeout(() => answer(reply, response), reply.afterMs)
  else answer(reply, response)
}

function answer(reply: ReceiverReply, response: ServerResponse): void {
  if ('status' in reply) {
    response.writeHead(reply.status, { ...reply.headers }).end(reply.body)
    return
  }
  if (reply.broken === 'hang') return
  if (reply.broken === 'garbage') response.socket?.end('\u0000\u0001 this is not HTTP\r\n\r\n\r\n')
  else response.socket?.resetAndDestroy()
}
