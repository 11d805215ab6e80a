import type { operations } from '../generated/schema.d.ts'
import type { OperationId } from './contract-types.ts'
import { MalipoError, type MalipoErrorKind } from './errors.ts'
import type { Fetch } from './options.ts'

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
} as const satisfies { [Id in OperationId]: Readonly<Record<Exclude<keyof operations[Id]['responses'], 200 | 202>, MalipoErrorKind>> }

/** One request: what it is, and how long it may take. */
export interface Exchange {
  readonly operationId: OperationId
  /** Whether sending it twice does no more than sending it once. */
  readonly repeatable: boolean
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly fetch: Fetch
}

/**
 * Sends a request and returns the reply when it is a success in Malipo's envelope.
 *
 * @throws MalipoError for everything else, except that the caller's own `signal` throws its own reason
 */
export async function exchange(request: Request, { operationId, repeatable, timeoutMs, signal, fetch }: Exchange): Promise<Response> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), timeoutMs)
  try {
    signal?.throwIfAborted()
    const response = await fetch(request.url, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      ...(request.method !== 'GET' && { body: await request.text() }),
      signal: signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal,
      // Not followed: `fetch` would carry our key headers to wherever the redirect points.
      redirect: 'manual',
    })
    return success(response, await response.text(), operationId, repeatable)
  } catch (cause) {
    if (cause instanceof MalipoError) throw cause
    if (signal?.aborted) throw signal.reason
    if (deadline.signal.aborted) throw new MalipoError(`No complete reply within ${timeoutMs} ms`, { kind: 'timeout', retryable: repeatable, cause })
    throw new MalipoError(`No reply: ${reasonOf(cause)}`, { kind: 'network', retryable: repeatable, cause })
  } finally {
    clearTimeout(timer)
  }
}

function success(response: Response, text: string, operationId: OperationId, repeatable: boolean): Response {
  const { status } = response
  const envelope = envelopeOf(text)
  if (response.ok && envelope?.code === status) return new Response(text, { status })

  const declared: Readonly<Record<number, MalipoErrorKind>> = kindByStatus[operationId]
  // 5xx and 429 may come from a proxy in front and mean the same there. Any other status counts only if Malipo itself says it: a proxy's
  // 404 page must never read as "no such transaction".
  const kind = status >= 500 ? 'server' : status === 429 ? 'rate_limit' : (envelope?.code === status && declared[status]) || 'unexpected_reply'
  throw new MalipoError(messageOf(kind, response, envelope), {
    kind,
    retryable: kind === 'rate_limit' || (kind === 'server' && status !== 501 && repeatable),
    status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
  })
}

interface Envelope {
  readonly code: unknown
  readonly message: string
}

/** The parts of the envelope that are looked at here, or undefined when the text is something else. */
function envelopeOf(text: string): Envelope | undefined {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null || !('code' in body && 'message' in body && 'data' in body)) return undefined
    if (typeof body.message !== 'string' || typeof body.data !== 'object' || body.data === null) return undefined
    return { code: body.code, message: body.message }
  } catch {
    return undefined
  }
}

function messageOf(kind: MalipoErrorKind, { status, headers }: Response, envelope: Envelope | undefined): string {
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
