import type { operations } from '../generated/schema.d.ts'
import type { OperationId } from './contract-types.ts'
import { MalipoError, type MalipoErrorKind } from './errors.ts'
import type { Fetch } from './options.ts'
import { waitMs, type Waiting } from './waiting.ts'

const always = { 400: 'validation', 401: 'authentication', 429: 'rate_limit', 500: 'server', 503: 'server' } as const
const posts = { ...always, 413: 'validation', 415: 'validation' } as const

/** The kind of each status that the contract declares: a new one without a kind does not compile. */
const kindByStatus = {
  listPaymentProviders: always,
  listPayoutBanks: always,
  listWalletBalances: always,
  verifyTransaction: { ...always, 404: 'not_found' },
  initializeCollection: { ...posts, 409: 'duplicate' },
  authorizeCollection: { ...posts, 404: 'not_found', 409: 'conflict' },
  sendFunds: { ...posts, 409: 'duplicate' },
} as const satisfies {
  [Id in OperationId]: Readonly<Record<Exclude<keyof operations[Id]['responses'], 200 | 202>, MalipoErrorKind>>
}

/** One call: what it is, how often it may be sent, and how long it may take. */
export interface Exchange {
  readonly operationId: OperationId
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON text of a POST; a GET has none. */
  readonly body: string | undefined
  /** Sent with each try, so that all of them together do no more than one. */
  readonly idempotencyKey: string | undefined
  /** Whether the caller may make the same call again: a read, or a POST under a key that the caller knows. */
  readonly repeatable: boolean
  readonly maxRetries: number
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly fetch: Fetch
  readonly waiting: Waiting
}

const RETRYING = { firstMs: 500, factor: 2, mostMs: 8000 }

/**
 * Sends a request, again if that is safe and may help, and returns the data of the reply when it is a success in
 * Malipo's envelope.
 *
 * @throws MalipoError for everything else: that of the last try, unless an earlier one may have been accepted; except
 *   that the caller's own `signal` throws its own reason
 */
export async function exchange<Data>(call: Exchange): Promise<Data> {
  const {
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
  const stop = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal
  // Not followed: `fetch` would carry our key headers to wherever a redirect points.
  const init: RequestInit = {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers },
    ...(body !== undefined && { body }),
    signal: stop,
    redirect: 'manual',
  }
  let unknown: MalipoError | undefined
  try {
    for (let tries = 1; ; tries += 1) {
      try {
        signal?.throwIfAborted()
        const response = await call.fetch(url, init)
        return dataOf(response, await response.text(), call)
      } catch (cause) {
        if (signal?.aborted) throw signal.reason
        const error = errorFrom(cause, deadline.signal.aborted, call)
        const outcome = outcomeOf(error, unknown, call)
        if (isUnknown(error)) unknown = error
        const pause = waitMs(RETRYING, tries, random(), error.retryAfterMs)
        // What would come after the time limit is not waited for.
        if (tries > call.maxRetries || !helps(error) || !isSafe(call) || pause >= until - elapsedMs()) throw outcome
        await sleep(pause, stop).catch(() => {
          throw signal?.aborted ? signal.reason : outcome
        })
      }
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Whether another try may end better. After a time-out there is no time left for one. */
const helps = ({ kind, status }: MalipoError): boolean =>
  kind === 'rate_limit' || kind === 'network' || (kind === 'server' && status !== 501)

/** A POST is never sent twice without a key, not even one that was turned away. */
const isSafe = ({ idempotencyKey, body }: Exchange): boolean => body === undefined || idempotencyKey !== undefined

/** Whether the request may have been accepted all the same. */
const isUnknown = ({ kind }: MalipoError): boolean => kind === 'network' || kind === 'timeout' || kind === 'server'

/**
 * What a caller gets to know of all tries. That the last one was turned away says nothing of an earlier one without a
 * reply, which may have been accepted: "turned away" would be read as leave to pay under a new reference. A 409 speaks
 * of the reference or the key, not of this try alone, and sends the caller to `transactions.verify` anyway.
 */
function outcomeOf(last: MalipoError, unknown: MalipoError | undefined, { body, repeatable }: Exchange): MalipoError {
  if (body === undefined || unknown === undefined || isUnknown(last) || last.status === 409) return last
  return new MalipoError(`${unknown.message}; then a retry was turned away: ${last.message}`, {
    ...unknown,
    retryable: repeatable,
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

/** Of a success only: `Data` is what the contract says of it, and the gateway holds itself to that. */
function dataOf<Data>(response: Response, text: string, { operationId, repeatable, idempotencyKey }: Exchange): Data {
  const { status } = response
  const envelope = envelopeOf<Data>(text)
  if (response.ok && envelope?.code === status) return envelope.data

  const declared: Readonly<Record<number, MalipoErrorKind>> = kindByStatus[operationId]
  // 5xx and 429 may come from a proxy in front and mean the same there. Any other status counts only if Malipo itself
  // says it: a proxy's 404 page must never read as "no such transaction".
  const kind =
    status >= 500
      ? 'server'
      : status === 429
        ? 'rate_limit'
        : (envelope?.code === status && declared[status]) || 'unexpected_reply'
  throw new MalipoError(messageOf(kind, response, envelope), {
    kind,
    retryable: kind === 'rate_limit' || (kind === 'server' && status !== 501 && repeatable),
    status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
    idempotencyKey,
  })
}

interface Envelope<Data> {
  readonly code: unknown
  readonly message: string
  readonly data: Data
}

/** The envelope in the text, or undefined when the text is something else. */
function envelopeOf<Data>(text: string): Envelope<Data> | undefined {
  try {
    const body = JSON.parse(text)
    if ('code' in body && typeof body.message === 'string' && typeof body.data === 'object' && body.data !== null)
      return body
  } catch {
    // Not JSON, or JSON of a value without fields.
  }
  return undefined
}

function messageOf(
  kind: MalipoErrorKind,
  { status, headers }: Response,
  envelope: Envelope<unknown> | undefined,
): string {
  if (kind !== 'unexpected_reply') return envelope?.message ?? `HTTP ${status} without a reason`
  const content = envelope?.message ?? headers.get('location') ?? headers.get('content-type') ?? 'no content'
  return `The reply is not one of Malipo's for this call (HTTP ${status}, ${content}): is the baseUrl right?`
}

/** Seconds are what Malipo sends; proxies also send dates (RFC 9110, section 10.2.3). */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** Node's `fetch failed` keeps what happened in its cause, sometimes as a code without a message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return cause.message || ('code' in cause && String(cause.code)) || error.message
}
