import { BatchRefusal } from '../actions/create-payout-batch.ts'
import { ReplayedRefusal } from '../actions/idempotency.ts'
import { StorageUnavailable } from '../actions/ports/store.ts'
import { Refusal, type RefusalCode } from '../domain/refusal.ts'
import { failure, type Reply } from './envelope.ts'

/** A request that fails before any business rule: its status and message are known at once. */
export class RequestFault extends Error {
  readonly reply: Reply

  constructor(status: number, message: string, headers?: Readonly<Record<string, string>>) {
    super(message)
    this.name = 'RequestFault'
    this.reply = failure(status, message, headers)
  }
}

/** The HTTP status of each refusal. A code without a status does not compile. */
const STATUS_BY_CODE = {
  missing_field: 400,
  invalid_provider: 400,
  invalid_phone_number: 400,
  invalid_amount: 400,
  invalid_url: 400,
  invalid_description: 400,
  control_character: 400,
  no_exchange_rate: 400,
  daily_limit_exceeded: 400,
  unknown_reference: 404,
  not_refundable: 409,
  duplicate_reference: 409,
  idempotency_key_reused: 409,
  not_awaiting_otp: 409,
  invalid_otp: 400,
  otp_too_soon: 409,
  too_many_otps: 400,
  too_many_wrong_otps: 400,
  too_many_open_pages: 400,
  too_many_prompts: 429,
  invalid_bank: 400,
  no_verification_url: 400,
  invalid_account_number: 400,
  merchant_suspended: 401,
  payout_handed_over: 409,
  faulty_batch: 400,
  month_archived: 404,
  invalid_period: 400,
  statement_too_long: 400,
} satisfies Record<RefusalCode, number>

/** Every 401 has it (RFC 9110, section 15.5.2). */
export const CHALLENGE: Readonly<Record<string, string>> = { 'www-authenticate': 'ApiKey realm="malipo"' }
const UNAVAILABLE_RETRY_SECONDS = '1'
export const REPLAYED: Readonly<Record<string, string>> = { 'idempotency-replayed': 'true' }

/** Turns any thrown error into the envelope. `unexpected` marks an internal error, which must be logged. */
export function failureReply(error: unknown): { readonly reply: Reply; readonly unexpected: boolean } {
  if (error instanceof RequestFault) return expected(error.reply)
  if (error instanceof BatchRefusal) return expected(batchFailure(error))
  if (error instanceof Refusal) return expected(failure(STATUS_BY_CODE[error.code], error.message, headersOf(error)))
  if (error instanceof StorageUnavailable) {
    return expected(
      failure(503, 'The service is temporarily unavailable: try again shortly', {
        'retry-after': UNAVAILABLE_RETRY_SECONDS,
      }),
    )
  }
  return { reply: failure(500, 'Internal error: quote the X-Request-Id when you ask about it'), unexpected: true }
}

/** Every faulty row, with its line. */
function batchFailure({ message, faults }: BatchRefusal): Reply {
  const reply = failure(400, message)
  const errors = faults.map((fault) => ({ line: fault.line, message: failure(400, fault.message).body.message }))
  return { ...reply, body: { ...reply.body, data: { errors } } }
}

function headersOf(refusal: Refusal): Readonly<Record<string, string>> | undefined {
  if (refusal.code === 'merchant_suspended') return CHALLENGE
  if (refusal.retryAfterSeconds !== undefined) return { 'retry-after': String(refusal.retryAfterSeconds) }
  return refusal instanceof ReplayedRefusal ? REPLAYED : undefined
}

const expected = (reply: Reply) => ({ reply, unexpected: false })
