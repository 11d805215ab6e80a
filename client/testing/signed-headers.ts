import type { operations } from '../../generated/schema.d.ts'
import { toBase64 } from '../encoding.ts'
import { hmac } from '../hmac.ts'
import { bytesOf, type RawBody } from '../raw-body.ts'
import { listOf, webhookSecretBytes, type Secrets } from '../secrets.ts'
import { signedBytes } from '../standard-webhook.ts'

/** The Standard Webhooks headers of a handshake, and of a callback besides others. */
export type WebhookHeaders = operations['payoutHandshake']['parameters']['header']

/** What `signedHeaders` takes. */
export interface SignedHeadersInput {
  /** Webhook secret `whsec_…`; several give one signature each, as while one is being rotated. */
  readonly secret: Secrets
  /** The body to sign, whatever it is; none if absent, as in a handshake. */
  readonly body?: RawBody | undefined
  /** Another one each time if absent. */
  readonly webhookId?: string | undefined
  /** When it was sent; now if absent. */
  readonly now?: Date | undefined
}

/**
 * Signs any body, also one that is no callback: for tests of what your receiver does with it.
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
