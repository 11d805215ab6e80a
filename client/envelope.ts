import { MalipoError, type MalipoErrorKind } from './errors.ts'

/** What distinguishes the errors of one call from another's. */
export interface ErrorContext {
  /** Kinds of the statuses that the contract declares for the operation. */
  readonly kinds: Readonly<Record<number, MalipoErrorKind>>
  readonly repeatable: boolean
  readonly idempotencyKey: string | undefined
}

/**
 * Whether a reply is a success in Malipo's envelope. Its data is not checked: the gateway itself enforces the
 * contract.
 *
 * @throws MalipoError for everything else
 */
export function assertSuccess(
  response: Response,
  text: string,
  { kinds, repeatable, idempotencyKey }: ErrorContext,
): void {
  const { status, headers } = response
  const envelope = envelopeOf(text)
  if (response.ok && envelope?.code === status) return
  const kind = kindOf(status, envelope, kinds)
  throw new MalipoError(messageOf(kind, response, envelope), {
    kind,
    retryable: kind === 'rate_limit' || (kind === 'server' && status !== 501 && repeatable),
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    reason: kind === 'unexpected_reply' ? undefined : envelope?.reason,
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
    idempotencyKey,
  })
}

interface Envelope {
  readonly code: unknown
  readonly message: string
  readonly reason: string | undefined
}

/** Parses the envelope, or returns undefined when the text is something else. */
function envelopeOf(text: string): Envelope | undefined {
  const body = jsonOf(text)
  if (typeof body !== 'object' || body === null) return undefined
  if (!('code' in body && 'message' in body && 'data' in body)) return undefined
  const { code, message, data } = body
  const reason = 'reason' in body && typeof body.reason === 'string' ? body.reason : undefined
  return typeof message === 'string' && typeof data === 'object' && data !== null
    ? { code, message, reason }
    : undefined
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The start of the gateway's message for an unknown path: the one 404 that no operation declares. */
const NO_SUCH_PATH = 'There is nothing at '

/**
 * 5xx and 429 may come from a proxy in front and mean the same there. Any other status counts only if the operation
 * itself returns it: neither a proxy's 404 page nor that of a wrong path must ever read as "no such transaction".
 */
function kindOf(status: number, envelope: Envelope | undefined, kinds: ErrorContext['kinds']): MalipoErrorKind {
  if (status >= 500) return 'server'
  if (status === 429) return 'rate_limit'
  if (envelope?.code !== status || (status === 404 && envelope.message.startsWith(NO_SUCH_PATH)))
    return 'unexpected_reply'
  return kinds[status] ?? 'unexpected_reply'
}

function messageOf(kind: MalipoErrorKind, { status, headers }: Response, envelope: Envelope | undefined): string {
  if (kind !== 'unexpected_reply') return envelope?.message ?? `HTTP ${status} without a reason`
  const content = envelope?.message ?? headers.get('location') ?? headers.get('content-type') ?? 'no content'
  return `The reply is not one of Malipo's for this call (HTTP ${status}, ${content}): is the baseUrl right?`
}

/** Malipo sends seconds; proxies also send dates (RFC 9110, section 10.2.3). */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
