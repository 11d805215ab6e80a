/** Why a well-formed request is refused. Each code has one HTTP status (http/failures.ts). */
export type RefusalCode =
  | 'missing_field'
  | 'invalid_provider'
  | 'invalid_phone_number'
  | 'invalid_amount'
  | 'invalid_url'
  | 'invalid_description'
  | 'control_character'
  | 'no_exchange_rate'
  | 'daily_limit_exceeded'
  | 'duplicate_reference'
  | 'idempotency_key_reused'
  | 'unknown_reference'
  | 'not_awaiting_otp'
  | 'invalid_otp'
  | 'otp_too_soon'
  | 'too_many_otps'
  | 'too_many_wrong_otps'
  | 'too_many_open_pages'
  | 'too_many_prompts'
  | 'invalid_bank'
  | 'no_verification_url'
  | 'invalid_account_number'
  | 'merchant_suspended'
  | 'payout_handed_over'
  | 'faulty_batch'
  | 'not_refundable'
  | 'month_archived'
  | 'invalid_period'
  | 'statement_too_long'

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
