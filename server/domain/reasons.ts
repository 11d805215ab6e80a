/**
 * Why a request is refused, in a word for programs, with its HTTP status and what it means. The contract lists the same
 * words (`ErrorReason`), and the page "Errors" has this table. A word stays once merchants have seen it.
 */
export const REASONS = {
  missing_field: [400, 'A header, parameter or field is missing or empty. The message begins with its name.'],
  invalid_field: [400, 'One has a value that it cannot have.'],
  unknown_field: [400, 'The body has a field that does not exist.'],
  repeated_field: [400, 'A parameter or field comes twice.'],
  invalid_json: [400, 'The body is not JSON, no object, or incomplete.'],
  unsupported_version: [400, '`x-api-version` is not 1.'],
  invalid_request: [400, 'The request is wrong in another way.'],
  invalid_provider: [400, 'No such provider, or none for this.'],
  invalid_bank: [400, 'No such bank of the provider, or inactive.'],
  invalid_phone_number: [400, 'Not a phone number, or not one of the provider.'],
  invalid_amount: [400, 'Outside the limits, or with too many decimals; of a refund, more than is left.'],
  invalid_url: [400, '`redirect_url` cannot be used.'],
  no_exchange_rate: [400, 'The currency cannot be converted.'],
  no_verification_url: [400, 'Your account has no verification URL.'],
  daily_limit_exceeded: [400, 'The account number has reached its limit of 24 hours.'],
  invalid_otp: [400, 'A wrong one-time password.'],
  too_many_otps: [400, 'No more one-time passwords for this account number today.'],
  too_many_wrong_otps: [400, 'Too many of them were wrong.'],
  too_many_open_pages: [400, 'The account number has too many open payment pages.'],
  faulty_batch: [400, 'At least one payout of the batch is faulty; `data` lists them.'],
  invalid_period: [400, 'The period is empty or too long.'],
  statement_too_long: [400, 'The statement has more entries than a reply holds.'],
  missing_key: [401, 'A key is missing.'],
  invalid_key: [401, 'A key is wrong.'],
  merchant_suspended: [401, 'Your account is suspended.'],
  forbidden: [403, 'The role may not do it (admin API).'],
  not_found: [404, 'There is nothing at this path, or by this name.'],
  unknown_reference: [404, 'Your account has nothing with this reference.'],
  archived: [404, 'Only the archive has it.'],
  method_not_allowed: [405, 'The path has other methods: `Allow` lists them.'],
  duplicate_reference: [409, 'The reference has been used.'],
  idempotency_key_reused: [409, 'The `Idempotency-Key` has been used for another request.'],
  not_awaiting_otp: [409, 'The collection does not wait for a one-time password.'],
  payout_handed_over: [409, 'The payout cannot be cancelled any more.'],
  not_refundable: [409, 'The collection cannot be refunded.'],
  conflict: [409, 'It cannot be done in the present state (admin API).'],
  body_too_large: [413, 'The body is too large.'],
  unsupported_media_type: [415, 'The body is not declared as JSON.'],
  too_many_requests: [429, 'Wait for `Retry-After`.'],
  too_many_prompts: [429, 'The phone has had too many prompts: wait for `Retry-After`.'],
  internal_error: [500, 'A fault of Malipo.'],
  operator_unavailable: [503, 'The operator does not answer: wait for `Retry-After`.'],
  unavailable: [503, 'Malipo does not reach its database: wait for `Retry-After`.'],
  overloaded: [503, 'More payments arrive than Malipo carries: wait for `Retry-After`.'],
} as const satisfies Readonly<Record<string, readonly [status: number, meaning: string]>>

export type Reason = keyof typeof REASONS

/** Of a refusal that says no more than its status. */
const REASON_BY_STATUS: Readonly<Record<number, Reason>> = {
  401: 'invalid_key',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  500: 'internal_error',
  503: 'unavailable',
}

export const reasonOf = (status: number): Reason => REASON_BY_STATUS[status] ?? 'invalid_request'
