import type { Reason } from './reasons.ts'

/** Why a well-formed request is refused; the last two only on the payment page. */
export type RefusalCode = Reason | 'otp_too_soon' | 'invalid_account_number'

/**
 * An expected refusal. Its message goes to the merchant unchanged, so it names the value and the rule and nothing
 * internal.
 */
export class Refusal extends Error {
  readonly code: RefusalCode
  /** When the same request may be accepted, where that is known. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: RefusalCode, message: string, retryAfterSeconds?: number) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}
