import { createHmac, createSecretKey } from 'node:crypto'
import type { Clock } from '../actions/ports/clock.ts'
import type { MessageSigner } from '../actions/ports/message-signer.ts'
import type { LegacySigner } from '../actions/ports/legacy-signer.ts'
import type { ReferenceData, RsaSigningKey } from '../actions/ports/reference-data.ts'
import type { CallbackSecrets } from '../domain/merchant.ts'
import { rsaSignature } from './rsa-threads.ts'

/** HMAC-SHA256 of the legacy text, as 64 hexadecimal digits. */
export const hmacHex = (signingKey: string, text: string): string =>
  createHmac('sha256', signingKey).update(text).digest('hex')

/** `t=<epoch ms>,s=<hex>`. The time is not covered by the signature. */
export const hmacSignature = (signingKey: string, text: string, at: Date): string =>
  `t=${at.getTime()},s=${hmacHex(signingKey, text)}`

/**
 * The legacy header holds only one HMAC, so the oldest valid key signs until it expires: receivers have all that time
 * to install its successor, and they first see it at an announced time.
 */
const legacySigningKey = ({ signingKeys }: Pick<CallbackSecrets, 'signingKeys'>): string | undefined =>
  signingKeys.at(-1)

/** The bytes behind `whsec_…` (Standard Webhooks). */
export const webhookSecretBytes = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

/**
 * `webhook-signature` of the Standard Webhooks specification: one `v1,` signature per valid secret, separated by
 * spaces.
 */
export const webhookSignature = (
  secrets: readonly string[],
  id: string,
  timestampSeconds: number,
  body: string,
): string =>
  secrets
    .map(
      (secret) =>
        // Imported as a key object: Node converts raw bytes on each call, which costs more than the signature: 24 µs
        // instead of 9.
        `v1,${createHmac('sha256', createSecretKey(webhookSecretBytes(secret)))
          .update(`${id}.${timestampSeconds}.${body}`)
          .digest('base64')}`,
    )
    .join(' ')

interface SigningInput {
  readonly webhookId: string
  /** Absent for messages that are not about one transaction: they have no legacy signatures. */
  readonly legacyText: string | undefined
  readonly body: string
  readonly at: Date
  readonly secrets: CallbackSecrets
  readonly rsaKey: RsaSigningKey
  /** Absent: on threads of their own. */
  readonly signRsa?: RsaSigner | undefined
}

export type RsaSigner = (privatePem: string, text: string) => Promise<string>

/**
 * Returns all signature headers of a callback.
 * @throws Error when the merchant has no signing key or webhook secret: that is a bug in Malipo
 */
export async function signatureHeaders({
  webhookId,
  legacyText,
  body,
  at,
  secrets,
  rsaKey,
  signRsa = rsaSignature,
}: SigningInput): Promise<Record<string, string>> {
  const signingKey = legacySigningKey(secrets)
  if (signingKey === undefined || secrets.webhookSecrets.length === 0)
    throw new Error('the merchant has no keys to sign with')
  const timestamp = Math.floor(at.getTime() / 1000)
  return {
    ...(legacyText !== undefined && {
      'hmac-signature': hmacSignature(signingKey, legacyText, at),
      'rsa-signature': await signRsa(rsaKey.privatePem, legacyText),
      'rsa-key-id': rsaKey.id,
    }),
    'webhook-id': webhookId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': webhookSignature(secrets.webhookSecrets, webhookId, timestamp, body),
  }
}

/** Signs redirects with the same two signatures as the legacy headers of callbacks, with a fresh time. */
export const createLegacySigner = ({
  reference,
  realClock: clock,
}: {
  reference: ReferenceData
  realClock: Clock
}): LegacySigner => ({
  async sign(merchantId, text) {
    const signingKey = legacySigningKey(await reference.callbackSecrets(merchantId))
    if (signingKey === undefined) throw new Error('the merchant has no key to sign with')
    const rsaKey = reference.rsaSigningKey()
    return {
      hmacSignature: hmacSignature(signingKey, text, clock.now()),
      rsaSignature: await rsaSignature(rsaKey.privatePem, text),
      rsaKeyId: rsaKey.id,
    }
  },
})

/** Signs what callbacks told, for merchants who read it instead. */
export const createMessageSigner =
  ({
    reference,
    realClock: clock,
  }: {
    reference: Pick<ReferenceData, 'callbackSecrets'>
    realClock: Clock
  }): MessageSigner =>
  async (merchantId) => {
    const { webhookSecrets } = await reference.callbackSecrets(merchantId)
    const seconds = Math.floor(clock.now().getTime() / 1000)
    return (webhookId, body) => ({
      timestamp: String(seconds),
      signature: webhookSignature(webhookSecrets, webhookId, seconds, body),
    })
  }
