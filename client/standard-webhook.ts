import { fromBase64 } from './encoding.ts'
import { someHmacFits } from './hmac.ts'
import { headerOf, type MessageHeaders } from './message-headers.ts'
import { listOf, webhookSecretBytes, type Secrets } from './secrets.ts'
import { WebhookVerificationError } from './verification-error.ts'

/** The last argument of `webhooks.verify` and `handshakes.verify`. */
export interface VerifyOptions {
  /** The maximum difference between the message's time and yours, in both directions, in seconds; 300 if absent. */
  readonly toleranceSeconds?: number | undefined
  /** The time to compare with, the clock's if absent: for tests, and for stored messages. */
  readonly now?: Date | undefined
}

/** The values of the Standard Webhooks headers, after verification. */
export interface SignedMessage {
  /** `webhook-id`: the same for all attempts of one message. */
  readonly webhookId: string
  /** `webhook-timestamp`: when this attempt was signed. */
  readonly signedAt: Date
}

const TOLERANCE_SECONDS = 300
/** The contract sends one signature per valid secret, two at most; a longer list would only cost computations. */
const SIGNATURES_MAX = 8

/** The bytes that `webhook-signature` signs: `id.timestamp.body`. */
export function signedBytes(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}

/**
 * Verifies a message, or throws. The signature is checked before the time, so that `too_old` and `too_new` only ever
 * refer to authentic messages.
 *
 * @throws WebhookVerificationError
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export async function verifyMessage(
  body: Uint8Array,
  headers: MessageHeaders,
  secrets: Secrets,
  options: VerifyOptions,
): Promise<SignedMessage> {
  const keys = listOf(secrets, 'secrets').map(webhookSecretBytes)
  const id = formed(headers, 'webhook-id', /^[A-Za-z0-9_-]{1,64}$/)
  const timestamp = formed(headers, 'webhook-timestamp', /^[0-9]{10}$/)
  const signatures = signaturesIn(headerOf(headers, 'webhook-signature'))
  if (!(await someHmacFits(keys, signatures, signedBytes(id, timestamp, body)))) {
    throw new WebhookVerificationError(
      'wrong_signature',
      'No v1 signature fits: another secret, or the body is not byte for byte what was sent',
    )
  }
  checkTime(Number(timestamp), options)
  return { webhookId: id, signedAt: new Date(Number(timestamp) * 1000) }
}

function formed(headers: MessageHeaders, name: string, form: RegExp): string {
  const value = headerOf(headers, name)
  if (form.test(value)) return value
  throw new WebhookVerificationError('malformed', `The header ${name} does not have its form`)
}

/**
 * Skips signatures of other versions and malformed parts, as the specification requires. A repeated header was joined
 * with a comma, with or without a space after it: no signature contains either.
 */
function signaturesIn(header: string): readonly Uint8Array<ArrayBuffer>[] {
  const texts = header.split(' ').flatMap((part) => part.split(',').filter((_, at, words) => words[at - 1] === 'v1'))
  if (texts.length === 0)
    throw new WebhookVerificationError('no_signature', 'The header webhook-signature has no v1 signature')
  const signatures = texts.map((text) => fromBase64(text)).filter((bytes) => bytes !== undefined)
  if (signatures.length > 0 && signatures.length <= SIGNATURES_MAX) return signatures
  throw new WebhookVerificationError('malformed', 'The header webhook-signature does not have its form')
}

function checkTime(seconds: number, { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: VerifyOptions): void {
  if (!(toleranceSeconds >= 0)) throw new RangeError('toleranceSeconds must not be negative')
  const age = now.getTime() / 1000 - seconds
  if (age > toleranceSeconds)
    throw new WebhookVerificationError(
      'too_old',
      `The message is older than ${toleranceSeconds} seconds: a replay, or your clock is ahead`,
    )
  // Not `age < -toleranceSeconds`: an invalid date compares as false with everything, and must not pass.
  if (!(age >= -toleranceSeconds))
    throw new WebhookVerificationError(
      'too_new',
      `The message is more than ${toleranceSeconds} seconds ahead: is your clock behind?`,
    )
}
