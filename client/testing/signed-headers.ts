import type { operations } from '../../generated/schema.d.ts'
import { toBase64 } from '../encoding.ts'
import { hmac } from '../hmac.ts'
import { bytesOf, type RawBody } from '../raw-body.ts'
import { listOf, webhookSecretBytes, type Secrets } from '../secrets.ts'
import { signedBytes } from '../standard-webhook.ts'

/** The Standard Webhooks headers: all those of a handshake, and part of those of a callback. */
export type WebhookHeaders = operations['payoutHandshake']['parameters']['header']

/** Options of `signedHeaders`. */
export interface SignedHeadersInput {
  /** Webhook secret `whsec_…`; several give one signature each, as during a rotation. */
  readonly secret: Secrets
  /** The body to sign, of any content; none if absent, as in a handshake. */
  readonly body?: RawBody | undefined
  /** A new one each time if absent. */
  readonly webhookId?: string | undefined
  /** When it was sent; now if absent. */
  readonly now?: Date | undefined
}

/**
 * Signs any body, including one that is no callback: for tests of how your receiver handles it.
 *
 * @example
 * ```ts
 * const headers = await signedHeaders({ secret, body: 'not JSON' })
 * ```
 */
export async function signedHeaders({
  secret,
  body = '',
  webhookId = `cb_${crypto.randomUUID()}`,
  now = new Date(),
}: SignedHeadersInput): Promise<WebhookHeaders> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signed = signedBytes(webhookId, timestamp, bytesOf(body))
  const signatures = await Promise.all(
    listOf(secret, 'secret').map(async (text) => `v1,${toBase64(await hmac(webhookSecretBytes(text), signed))}`),
  )
  return { 'webhook-id': webhookId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
