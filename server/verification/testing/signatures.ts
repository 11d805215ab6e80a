import { createHmac, createVerify } from 'node:crypto'
import type { ReceivedCallback } from './receiver.ts'

// What a merchant writes from the description of the signatures, without any code of ours.

export interface MerchantSecrets {
  readonly signing_key: string
  /** `whsec_…` */
  readonly webhook_secret: string
}

export interface Verdicts {
  readonly hmac: boolean
  readonly rsa: boolean
}

/** The fields whose text both signatures cover. */
export const SIGNED = [
  'event',
  'merchant_reference',
  'internal_reference',
  'transaction_type',
  'transaction_status',
] as const

const signedText = (fields: Readonly<Record<string, unknown>>): string => SIGNED.map((name) => fields[name]).join(':')

function verdictsOn(text: string, hmac: unknown, rsa: unknown, signingKey: string, publicPem: string): Verdicts {
  const [, given] = /^t=\d{13},s=([0-9a-f]{64})$/.exec(String(hmac)) ?? []
  return {
    hmac: given === createHmac('sha256', signingKey).update(text).digest('hex'),
    rsa: createVerify('RSA-SHA256').update(text).verify(publicPem, String(rsa), 'base64'),
  }
}

/** Which of the two signatures of a redirect are valid. */
export const verdictsOnRedirect = (address: string, signingKey: string, publicPem: string): Verdicts =>
  verdictsOnQuery(Object.fromEntries(new URL(address).searchParams), signingKey, publicPem)

/** The same by the parameters of its query. */
export const verdictsOnQuery = (
  query: Readonly<Record<string, string>>,
  signingKey: string,
  publicPem: string,
): Verdicts => verdictsOn(signedText(query), query.hmac_signature, query.rsa_signature, signingKey, publicPem)

/** Which of the three signatures of a callback are valid. */
export function verdictsOnCallback(
  callback: ReceivedCallback,
  { signing_key, webhook_secret }: MerchantSecrets,
  publicPem: string,
): Verdicts & { readonly webhook: boolean } {
  const {
    headers,
    json: { event, payload },
  } = callback
  return {
    ...verdictsOn(
      signedText({ event, ...payload }),
      headers['hmac-signature'],
      headers['rsa-signature'],
      signing_key,
      publicPem,
    ),
    webhook: hasWebhookSignature(callback, webhook_secret),
  }
}

/** Standard Webhooks: covers the id, the time and the body; a handshake's body is empty. */
function hasWebhookSignature(
  { headers, body }: Pick<ReceivedCallback, 'headers' | 'body'>,
  webhookSecret: string,
): boolean {
  const key = Buffer.from(webhookSecret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key)
    .update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`)
    .digest('base64')
  return headers['webhook-signature'] === `v1,${expected}`
}
