import { BatchRefusal } from '../actions/create-payout-batch.ts'
import { ReplayedRefusal } from '../actions/idempotency.ts'
import { StorageUnavailable } from '../actions/ports/store.ts'
import { REASONS, type Reason } from '../domain/reasons.ts'
import { Refusal } from '../domain/refusal.ts'
import { failure, REPLAYED, type Reply } from './envelope.ts'

/** A request that fails before any business rule: its status and message are known at once. */
export class RequestFault extends Error {
  readonly reply: Reply

  /** @param reason when the status does not say it */
  constructor(status: number, message: string, headers?: Readonly<Record<string, string>>, reason?: Reason) {
    super(message)
    this.name = 'RequestFault'
    this.reply = failure(status, message, headers, reason)
  }
}

/** Every 401 has it (RFC 9110, section 15.5.2). */
export const CHALLENGE: Readonly<Record<string, string>> = { 'www-authenticate': 'ApiKey realm="malipo"' }
const UNAVAILABLE_RETRY_SECONDS = '1'

/** Turns any thrown error into the envelope. `unexpected` marks an internal error, which must be logged. */
export function failureReply(error: unknown): { readonly reply: Reply; readonly unexpected: boolean } {
  if (error instanceof RequestFault) return expected(error.reply)
  if (error instanceof BatchRefusal) return expected(batchFailure(error))
  if (error instanceof Refusal) return expected(refused(error))
  if (error instanceof StorageUnavailable) {
    return expected(
      failure(503, 'The service is temporarily unavailable: try again shortly', {
        'retry-after': UNAVAILABLE_RETRY_SECONDS,
      }),
    )
  }
  return { reply: failure(500, 'Internal error: quote the X-Request-Id when you ask about it'), unexpected: true }
}

function refused(refusal: Refusal): Reply {
  const { code, message } = refusal
  // The payment page has answered its own.
  if (code === 'otp_too_soon' || code === 'invalid_account_number') return failure(400, message)
  return failure(REASONS[code][0], message, headersOf(refusal), code)
}

/** Every faulty row, with its line. */
function batchFailure({ message, faults }: BatchRefusal): Reply {
  const reply = failure(400, message, undefined, 'faulty_batch')
  const errors = faults.map((fault) => ({ line: fault.line, message: failure(400, fault.message).body.message }))
  return { ...reply, body: { ...reply.body, data: { errors } } }
}

function headersOf(refusal: Refusal): Readonly<Record<string, string>> | undefined {
  if (refusal.code === 'merchant_suspended') return CHALLENGE
  if (refusal.retryAfterSeconds !== undefined) return { 'retry-after': String(refusal.retryAfterSeconds) }
  return refusal instanceof ReplayedRefusal ? REPLAYED : undefined
}

const expected = (reply: Reply) => ({ reply, unexpected: false })
