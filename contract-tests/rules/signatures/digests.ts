import { createHmac, verify, type KeyObject } from 'node:crypto'
import type { Fields } from '../../harness/json.ts'

// Written from the page "Verifying callbacks" alone: it shares no code with the server, so a mistake there is not
// repeated here.

/** The fields that the HMAC and the RSA signature cover, in this order. */
const STATE = ['event', 'merchant_reference', 'internal_reference', 'transaction_type', 'transaction_status'] as const

/** The text that the HMAC and the RSA signature cover; undefined when one of its fields is missing. */
export const stateText = (fields: Fields): string | undefined =>
  STATE.every((name) => typeof fields[name] === 'string') ? STATE.map((name) => fields[name]).join(':') : undefined

export const isHmac = (digest: string, text: string, signingKey: string): boolean =>
  createHmac('sha256', signingKey).update(text).digest('hex') === digest

/** @param signature in base64 */
export const isRsaSignature = (signature: string, text: string, key: KeyObject): boolean =>
  verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'base64'))

/** A message as Standard Webhooks sign it. */
export interface WebhookMessage {
  readonly id: string
  readonly timestamp: string
  /** One or more signatures, separated by blanks. */
  readonly signature: string
  /** Empty for a handshake. */
  readonly body: Buffer
}

/** Whether one of the signatures fits the id, the time and the bytes of the body. @param secret `whsec_…` */
export function isWebhookSigned({ id, timestamp, signature, body }: WebhookMessage, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  return signature.split(' ').includes(`v1,${expected}`)
}
