import { fromBase64 } from './encoding.ts'
import { WebhookVerificationError } from './verification-error.ts'

/** One secret, or several while one is being rotated: a message is accepted when it verifies with one of them. */
export type Secrets = string | readonly string[]

/** As many as anybody needs; each one costs a computation per message. */
const SECRETS_MAX = 8

/** @throws WebhookVerificationError `wrong_secret_format` when there is none or too many, or one is not a text */
export function listOf(secrets: Secrets, name: string): readonly string[] {
  const list: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets]
  const texts = list.filter((secret): secret is string => typeof secret === 'string' && secret !== '')
  if (texts.length === list.length && list.length >= 1 && list.length <= SECRETS_MAX) return texts
  throw new WebhookVerificationError(
    'wrong_secret_format',
    `${name} must be a text or a list of 1 to ${SECRETS_MAX}; is its environment variable set?`,
  )
}

/**
 * The decoded bytes of `whsec_…` (Standard Webhooks).
 *
 * @throws WebhookVerificationError `wrong_secret_format`; the message does not repeat the secret, because it would
 *   end up in a log
 */
export function webhookSecretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = secret.startsWith('whsec_') ? fromBase64(secret.slice('whsec_'.length)) : undefined
  if (bytes !== undefined && bytes.length > 0) return bytes
  throw new WebhookVerificationError(
    'wrong_secret_format',
    'A webhook secret is whsec_ and base64, without quotes or line breaks (the signing key of hmac-signature is another one)',
  )
}

/**
 * The bytes of a signing key.
 *
 * @throws WebhookVerificationError `wrong_secret_format`
 */
export function signingKeyBytes(key: string): Uint8Array<ArrayBuffer> {
  if (/^[A-Z0-9]+$/.test(key)) return new TextEncoder().encode(key)
  throw new WebhookVerificationError(
    'wrong_secret_format',
    'A signing key is capital letters and digits, without quotes or line breaks (the webhook secret is another one)',
  )
}
