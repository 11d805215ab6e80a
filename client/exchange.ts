import { assertSuccess } from './envelope.ts'
import { MalipoError, type MalipoErrorKind } from './errors.ts'
import type { Fetch } from './options.ts'
import { waitMs, type WaitingTools } from './waiting.ts'

/** One call: its request, its number of retries, and its time limit. */
export interface Exchange {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON text of a POST; a GET has none. */
  readonly body: string | undefined
  /** Kinds of the statuses that the contract declares for the operation. */
  readonly kinds: Readonly<Record<number, MalipoErrorKind>>
  /** Sent with each attempt, so that all of them together have the effect of one. */
  readonly idempotencyKey: string | undefined
  /** Whether the caller may make the same call again: a read, or a POST under a key that the caller knows. */
  readonly repeatable: boolean
  readonly maxRetries: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly fetch: Fetch
  readonly waiting: WaitingTools
}

const RETRYING = { firstMs: 500, factor: 2, mostMs: 8000 }

/**
 * Sends a request, retries it if that is safe and may help, and returns the complete reply when it is a success in
 * Malipo's envelope.
 *
 * @throws MalipoError for everything else: that of the last attempt, unless an earlier one may have been accepted; but
 *   the caller's own `signal` throws its own reason
 */
export async function exchange(call: Exchange): Promise<Response> {
  const {
    method,
    url,
    headers,
    body,
    signal,
    timeoutMs,
    waiting: { elapsedMs, random, sleep },
  } = call
  const until = elapsedMs() + timeoutMs
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), timeoutMs)
  const stop = AbortSignal.any([signal, deadline.signal])
  // Redirects are not followed: `fetch` would carry our key headers to their target.
  const init: RequestInit = {
    method,
    headers: { ...headers },
    ...(body !== undefined && { body }),
    signal: stop,
    redirect: 'manual',
  }
  let unknown: MalipoError | undefined
  try {
    for (let tries = 1; ; tries += 1) {
      try {
        signal.throwIfAborted()
        const response = await call.fetch(url, init)
        const text = await response.text()
        assertSuccess(response, text, call)
        return new Response(text, response)
      } catch (cause) {
        if (signal.aborted) throw signal.reason
        const error = errorFrom(cause, deadline.signal.aborted, call)
        const outcome = outcomeOf(error, unknown, call)
        if (isUnknown(error)) unknown = error
        const pause = waitMs(RETRYING, tries, random(), error.retryAfterMs)
        // A retry that would start after the time limit is not made.
        if (tries > call.maxRetries || !helps(error) || !isSafe(call) || pause >= until - elapsedMs()) throw outcome
        await sleep(pause, stop).catch(() => {
          throw signal.aborted ? signal.reason : outcome
        })
      }
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Whether a retry may succeed. After a time-out there is no time left for one. */
const helps = ({ kind, status }: MalipoError): boolean =>
  kind === 'rate_limit' || kind === 'network' || (kind === 'server' && status !== 501)

const isRead = ({ method }: Exchange): boolean => method === 'GET'

/** A POST is never sent twice without a key, not even one that was rejected. */
const isSafe = (call: Exchange): boolean => isRead(call) || call.idempotencyKey !== undefined

/** Whether the request may have been accepted all the same. */
const isUnknown = ({ kind }: MalipoError): boolean => kind === 'network' || kind === 'timeout' || kind === 'server'

/**
 * The error for all attempts together. A rejected last attempt says nothing about an earlier one without a reply,
 * which may have been accepted: the caller would read "rejected" as permission to pay under a new reference. A 409 is
 * about the reference or the key, not about this attempt alone, and sends the caller to `transactions.verify` anyway.
 */
function outcomeOf(last: MalipoError, unknown: MalipoError | undefined, call: Exchange): MalipoError {
  if (isRead(call) || unknown === undefined || isUnknown(last) || last.status === 409) return last
  return new MalipoError(`${unknown.message}; then a retry was turned away: ${last.message}`, {
    ...unknown,
    retryable: call.repeatable,
    retryAfterMs: last.retryAfterMs,
    cause: new AggregateError([unknown, last]),
  })
}

function errorFrom(
  cause: unknown,
  isLate: boolean,
  { timeoutMs, repeatable: retryable, idempotencyKey }: Exchange,
): MalipoError {
  if (cause instanceof MalipoError) return cause
  if (isLate)
    return new MalipoError(`No complete reply within ${timeoutMs} ms`, {
      kind: 'timeout',
      retryable,
      idempotencyKey,
      cause,
    })
  return new MalipoError(`No reply: ${reasonOf(cause)}`, { kind: 'network', retryable, idempotencyKey, cause })
}

/** Node's `fetch failed` has the reason in its cause, sometimes as a code without a message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return cause.message || ('code' in cause && String(cause.code)) || error.message
}
