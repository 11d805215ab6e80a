import { assertCallback, isBatchEvent } from './callback-shape.ts'
import type { BatchEvent, CallbackEvent } from './contract-types.ts'
import { verifyLegacySignatures, type LegacyKeys } from './legacy-signature.ts'
import { headerOf, type MessageHeaders } from './message-headers.ts'
import { bytesOf, jsonIn, type RawBody } from './raw-body.ts'
import type { Secrets } from './secrets.ts'
import { verifyMessage, type SignedMessage, type VerifyOptions } from './standard-webhook.ts'

/** A verified callback, with the id and the time of its message. */
export type VerifiedCallback = CallbackEvent & SignedMessage

/**
 * Verifies a callback by its `webhook-signature`, which covers id, time and the whole body, or throws. Use this one.
 *
 * A verified callback need not be new: callbacks can arrive twice and out of order, see {@link createDuplicateGuard}.
 *
 * @param rawBody the body byte for byte as it arrived, never a parsed object
 * @param secrets your webhook secret `whsec_…`, or several while one is being rotated
 * @throws WebhookVerificationError with its `reason`
 * @example
 * ```ts
 * import { webhooks } from '@malipo/client'
 *
 * export async function POST(request: Request) {
 *   const secret = process.env.MALIPO_WEBHOOK_SECRET!
 *   const { payload } = await webhooks.verify(await request.text(), request.headers, secret)
 *   if (payload.transaction_type === 'COLLECTION' && payload.transaction_status === 'COMPLETED') {
 *     await markPaid(payload.merchant_reference, payload.total_credit)
 *   }
 *   return new Response(null, { status: 204 })
 * }
 * ```
 */
export async function verify(
  rawBody: RawBody,
  headers: MessageHeaders,
  secrets: Secrets,
  options: VerifyOptions = {},
): Promise<VerifiedCallback> {
  const callback = await verifyEvent(rawBody, headers, secrets, options)
  assertCallback(callback)
  return callback
}

/**
 * Verifies like {@link verify}, and takes the callback at the end of a batch of payouts as well, which comes to the
 * payout callback URL of whoever sends batches.
 *
 * @throws WebhookVerificationError with its `reason`
 * @example
 * ```ts
 * const callback = await webhooks.verifyEvent(rawBody, request.headers, secret)
 * if (callback.event === 'payout_batch.completed') await markEnded(callback.payload.batch_reference)
 * else await guard.once(callback, ({ payload }) => markPaid(payload.merchant_reference))
 * ```
 */
export async function verifyEvent(
  rawBody: RawBody,
  headers: MessageHeaders,
  secrets: Secrets,
  options: VerifyOptions = {},
): Promise<VerifiedCallback | (BatchEvent & SignedMessage)> {
  const body = bytesOf(rawBody)
  const message = await verifyMessage(body, headers, secrets, options)
  const callback = jsonIn(body)
  if (isBatchEvent(callback)) return { ...callback, ...message }
  assertCallback(callback)
  return { ...callback, ...message }
}

/**
 * Verifies a callback by `hmac-signature`, `rsa-signature` or both, or throws.
 *
 * **These signatures cover five fields only**: event, both references, type and status. Anyone who can change the
 * message in transit can write any amount, charge, account, name or id into it, and it still verifies; anyone who has
 * seen a redirect has these very signatures, and can make such a message. They do not cover the time either: a message
 * seen once can be replayed for ever. So use nothing but the outcome from the result, call `transactions.verify` for
 * the amount, and use {@link verify} wherever you can.
 *
 * @param rawBody the body as it arrived
 * @param keys your signing keys, Malipo's public keys, or both: the signature of each given kind must be valid
 * @throws WebhookVerificationError with its `reason`
 * @example
 * ```ts
 * const signingKeys = process.env.MALIPO_SIGNING_KEY!
 * const { payload } = await webhooks.verifyLegacy(rawBody, request.headers, { signingKeys })
 * const transaction = await malipo.transactions.verify(payload.merchant_reference)
 * ```
 */
export async function verifyLegacy(
  rawBody: RawBody,
  headers: MessageHeaders,
  keys: LegacyKeys,
): Promise<CallbackEvent> {
  const callback = jsonIn(bytesOf(rawBody))
  assertCallback(callback, 'malformed') // nothing is verified yet: not to be acknowledged
  await verifyLegacySignatures(
    { event: callback.event, ...callback.payload },
    {
      hmac: () => headerOf(headers, 'hmac-signature'),
      rsa: () => headerOf(headers, 'rsa-signature'),
      rsaKeyId: () => headerOf(headers, 'rsa-key-id'),
    },
    keys,
  )
  return callback
}
