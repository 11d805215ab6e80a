import { isBatchHandshake } from './callback-shape.ts'
import type { PayoutBatchHandshake } from '../generated/schema.d.ts'
import type { MessageHeaders } from './message-headers.ts'
import { bytesOf, jsonIn, type RawBody } from './raw-body.ts'
import { parameterOf, queryOf } from './request-url.ts'
import type { Secrets } from './secrets.ts'
import { verifyMessage, type SignedMessage, type VerifyOptions } from './standard-webhook.ts'
import { WebhookVerificationError } from './verification-error.ts'

/** A verified handshake: Malipo asks whether this payout is yours. */
export interface VerifiedHandshake extends SignedMessage {
  /** The reference that Malipo asks about. The signature does not cover it: look it up. */
  readonly merchantReference: string
}

/**
 * Verifies a handshake, or throws.
 *
 * **The signature covers neither the reference nor the rest of the URL**, because the request has no body. A valid
 * signature proves that Malipo sent the request; only your own records show whether the payout is yours. Reply 200 if
 * you sent a payout with this reference, 404 if not, and 5xx when you cannot decide: then Malipo asks again, as it
 * does after 408, 425 and 429. Every 2xx counts as a yes.
 *
 * @param url the requested address, or its path with the query
 * @param secrets your webhook secret `whsec_…`, or several while one is being rotated
 * @throws WebhookVerificationError with its `reason`
 * @example
 * ```ts
 * export async function GET(request: Request) {
 *   const secret = process.env.MALIPO_WEBHOOK_SECRET!
 *   const { merchantReference } = await handshakes.verify(request.url, request.headers, secret)
 *   return new Response(null, { status: (await payoutExists(merchantReference)) ? 200 : 404 })
 * }
 * ```
 */
export async function verify(
  url: string | URL,
  headers: MessageHeaders,
  secrets: Secrets,
  options: VerifyOptions = {},
): Promise<VerifiedHandshake> {
  const message = await verifyMessage(new Uint8Array(), headers, secrets, options)
  const merchantReference = parameterOf(queryOf(url), 'reference')
  if (!/^[A-Za-z0-9._~-]{8,36}$/.test(merchantReference))
    throw new WebhookVerificationError('malformed', 'The reference does not have its form')
  return { merchantReference, ...message }
}

/** A verified question about a whole batch: the signature covers all of it. */
export interface VerifiedBatchHandshake extends SignedMessage, Readonly<PayoutBatchHandshake['payload']> {}

/**
 * Verifies the handshake of a batch, or throws: a POST to your verification URL, where one handshake per batch is
 * switched on. Reply as to {@link verify}, and compare the number of payouts and the totals with your own records.
 *
 * @param rawBody the body byte for byte as it arrived, never a parsed object
 * @throws WebhookVerificationError with its `reason`
 * @example
 * ```ts
 * const batch = await handshakes.verifyBatch(rawBody, request.headers, secret)
 * return new Response(null, { status: (await isOurBatch(batch.batch_reference, batch.totals)) ? 200 : 404 })
 * ```
 */
export async function verifyBatch(
  rawBody: RawBody,
  headers: MessageHeaders,
  secrets: Secrets,
  options: VerifyOptions = {},
): Promise<VerifiedBatchHandshake> {
  const body = bytesOf(rawBody)
  const message = await verifyMessage(body, headers, secrets, options)
  const asked = jsonIn(body)
  if (!isBatchHandshake(asked))
    throw new WebhookVerificationError('malformed', 'The body is not the handshake of a batch')
  return { ...asked.payload, ...message }
}
