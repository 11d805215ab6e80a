/**
 * What went wrong, in one word to decide by.
 *
 * | kind | when |
 * |---|---|
 * | `validation` | the request is wrong: a field, a limit, a phone number, a one-time password; it must change first |
 * | `authentication` | a key is missing or not valid |
 * | `not_found` | Malipo knows no such transaction or collection of yours |
 * | `duplicate` | `merchant_reference` or `idempotencyKey` has already been used: ask `transactions.verify` |
 * | `conflict` | the collection is not waiting for a one-time password, or `idempotencyKey` has already been used |
 * | `rate_limit` | too many requests with your public key: wait `retryAfterMs` |
 * | `server` | Malipo, or something in front of it, failed (HTTP 5xx) |
 * | `network` | no reply arrived: refused, reset, name not found, broken off |
 * | `timeout` | no complete reply arrived within `timeoutMs` |
 * | `unexpected_reply` | something answered, but not Malipo's API: a wrong `baseUrl`, a proxy, a redirect |
 *
 * After `server`, `network`, `timeout` and `unexpected_reply` on a POST it is **unknown** whether Malipo accepted the
 * request. Ask `transactions.verify`, or send it again with the same `idempotencyKey` ({@link
 * MalipoError.idempotencyKey} tells it); never with a new reference. When such a try came first and a retry of it was
 * turned away, the kind is that of the first: `message` and `cause` tell both.
 */
export type MalipoErrorKind =
  | 'validation'
  | 'authentication'
  | 'not_found'
  | 'duplicate'
  | 'conflict'
  | 'rate_limit'
  | 'server'
  | 'network'
  | 'timeout'
  | 'unexpected_reply'

/** The fields of a {@link MalipoError} besides its message. */
export interface MalipoErrorFields {
  readonly kind: MalipoErrorKind
  readonly retryable: boolean
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly idempotencyKey?: string | undefined
  readonly cause?: unknown
}

/**
 * Every call of the client either resolves to the data or rejects with this error.
 *
 * @example
 * ```ts
 * try {
 *   await malipo.payouts.send(payout, { idempotencyKey })
 * } catch (error) {
 *   if (!(error instanceof MalipoError)) throw error
 *   switch (error.kind) {
 *     case 'duplicate': return malipo.transactions.verify(payout.merchant_reference)
 *     case 'validation': return showToUser(error.message)
 *     default: return error.retryable ? tryLater(error.retryAfterMs) : alertUs(error.requestId, error)
 *   }
 * }
 * ```
 */
export class MalipoError extends Error {
  override readonly name = 'MalipoError'
  /** What went wrong, in one word to decide by. */
  readonly kind: MalipoErrorKind
  /** HTTP status of the reply; absent when no reply arrived or nothing was sent. */
  readonly status: number | undefined
  /** `X-Request-Id` of the reply: quote it when you ask about it. */
  readonly requestId: string | undefined
  /**
   * Whether the same call may be made again: it may succeed, and it cannot pay twice. True for reads, for POSTs with an
   * `idempotencyKey` of yours (to be sent again with the same key and body), and for POSTs that were turned away by the
   * rate limit.
   */
  readonly retryable: boolean
  /** How long to wait before the next try, in milliseconds, when Malipo said so (`Retry-After`). */
  readonly retryAfterMs: number | undefined
  /**
   * The key that a POST was sent with, yours or the one that the client made: with it the same request can be sent
   * again, and pays once.
   */
  readonly idempotencyKey: string | undefined

  constructor(
    message: string,
    { kind, retryable, status, requestId, retryAfterMs, idempotencyKey, cause }: MalipoErrorFields,
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
    this.status = status
    this.requestId = requestId
    this.retryable = retryable
    this.retryAfterMs = retryAfterMs
    this.idempotencyKey = idempotencyKey
  }
}
