/**
 * Why a callback, a handshake or a redirect was rejected.
 *
 * | reason | what it means, and what to do |
 * |---|---|
 * | `no_signature` | a signature header or parameter is missing: not from Malipo, or a proxy drops headers |
 * | `wrong_signature` | no signature is valid: another secret, a changed body, or a third party |
 * | `too_old` | the signature is valid, but the message is older than the tolerance: a replay, or your clock is ahead |
 * | `too_new` | the signature is valid, but the message comes from the future: your clock is behind |
 * | `unknown_event` | the signature is valid, and the event is newer than this version: reply 2xx and do nothing |
 * | `malformed` | a header, a parameter or the body does not have the form of the contract |
 * | `body_not_raw` | your program passed a parsed body; the message says how to get the raw one |
 * | `wrong_secret_format` | your program passed a secret or key that cannot be one; is its environment variable set? |
 * | `unknown_key` | you have no public key of the `rsa-key-id` |
 */
export type VerificationFailure =
  | 'no_signature'
  | 'wrong_signature'
  | 'too_old'
  | 'too_new'
  | 'unknown_event'
  | 'malformed'
  | 'body_not_raw'
  | 'wrong_secret_format'
  | 'unknown_key'

/**
 * A message failed verification. Reply 400 and do nothing else: Malipo retries authentic callbacks. Reply 500 to
 * `wrong_secret_format`: a 4xx rejects a payout for good. Reply 2xx to `unknown_event`, or Malipo retries it for days.
 *
 * The text may be logged: it never contains a secret or a signature.
 *
 * @example
 * ```ts
 * try {
 *   const callback = await webhooks.verify(rawBody, headers, secret)
 * } catch (error) {
 *   if (!(error instanceof WebhookVerificationError)) throw error
 *   console.warn(error.reason, error.message)
 *   return new Response(null, { status: 400 })
 * }
 * ```
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  /** The reason, as one word to branch on. */
  readonly reason: VerificationFailure

  constructor(reason: VerificationFailure, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.reason = reason
  }
}
