import type { RedirectOutcome } from '../contract-types.ts'
import { hmacSignature, rsaSignature, type LegacySigningKeys } from './legacy-signing.ts'
import { sampleCallbacks, type CallbackKind } from './sample-callbacks.ts'

/** Options of `signedRedirect`. */
export interface RedirectInput extends LegacySigningKeys {
  /** Your `redirect_url`, whose own query is kept; `http://localhost/paid` if absent. */
  readonly url?: string | URL | undefined
  /** The outcome that it reports; `collection.completed` if absent. */
  readonly kind?: Extract<CallbackKind, `collection.${string}`> | undefined
  /** Fields that replace those of the sample. */
  readonly outcome?: Partial<Omit<RedirectOutcome, 'transaction_type' | 'transaction_status' | 'event'>> | undefined
  /** When it was signed; now if absent. */
  readonly now?: Date | undefined
}

/**
 * Makes the URL to which a customer's browser returns, with signatures that verify: for tests of your redirect page.
 *
 * @example
 * ```ts
 * import { signedRedirect } from '@malipo/client/testing'
 *
 * const url = await signedRedirect({
 *   signingKey,
 *   kind: 'collection.cancelled',
 *   url: 'http://localhost:3000/paid?basket=7',
 * })
 * const page = await fetch(url)
 * ```
 */
export async function signedRedirect({
  url = 'http://localhost/paid',
  kind = 'collection.completed',
  outcome,
  now = new Date(),
  ...keys
}: RedirectInput): Promise<string> {
  const { event, payload } = sampleCallbacks[kind]
  const { id, merchant_reference, internal_reference, transaction_type, transaction_status, status_message } = payload
  const reported: RedirectOutcome = {
    id,
    event,
    merchant_reference,
    internal_reference,
    transaction_type,
    transaction_status,
    status_message,
    ...outcome,
  }
  const page = new URL(url)
  for (const [name, value] of Object.entries(reported)) page.searchParams.append(name, String(value))
  if (keys.rsaPrivateKey !== undefined) {
    const { signature, keyId } = await rsaSignature(keys.rsaPrivateKey, reported)
    page.searchParams.append('rsa_key_id', keys.rsaKeyId ?? keyId)
    page.searchParams.append('rsa_signature', signature)
  }
  if (keys.signingKey !== undefined)
    page.searchParams.append('hmac_signature', await hmacSignature(keys.signingKey, reported, now))
  return page.href
}
