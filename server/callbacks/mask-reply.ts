import { maskText } from '../domain/masking/mask-text.ts'
import type { CallbackSecrets } from '../domain/merchant.ts'
import { maskAccount } from '../domain/phone.ts'

/** Whose reply it is, and what it may give away. */
export interface Confidential {
  readonly secrets: CallbackSecrets
  /** The account number of the transaction: merchants' servers like to repeat what they were sent. */
  readonly account: string
}

/**
 * A merchant's reply as it may be kept: error pages print settings and requests. Keys of the merchant become as many
 * asterisks, and so does the account number of the transaction but for its end; all else is masked as operators'
 * replies are: secrets, OTPs and names by the names of their fields, and what looks like an account or card number.
 * @param max so many characters of it are kept
 */
export function maskReply(reply: string, { secrets, account }: Confidential, max: number): string {
  const keys = [...secrets.signingKeys, ...secrets.webhookSecrets.map((secret) => secret.replace(/^whsec_/, ''))]
  let masked = reply
  for (const spelling of keys.flatMap((key) => [key, encodeURIComponent(key), key.replaceAll('/', '\\/')]))
    masked = masked.replaceAll(spelling, '*'.repeat(spelling.length))
  masked = masked.replace(SECRET_KEY, (key) => '*'.repeat(key.length))
  if (account !== '') masked = masked.replaceAll(account, maskAccount(account))
  return maskText(masked, max)
}

/** Secret keys are known here by their digests only, but all of them begin alike. */
const SECRET_KEY = /\bsec_[A-Za-z0-9_]{8,200}/g
