import { withoutNames, withoutValues } from '../domain/masking/known-values.ts'
import { maskText } from '../domain/masking/mask-text.ts'
import { MASK } from '../domain/masking/named-values.ts'
import type { CallbackSecrets } from '../domain/merchant.ts'
import { maskAccount } from '../domain/phone.ts'

/** Whose reply it is, and what it may give away. */
export interface Confidential {
  readonly secrets: CallbackSecrets
  /** The account number of the transaction: merchants' servers like to repeat what they were sent. */
  readonly account: string
  /** Names of persons in what was sent. */
  readonly names: readonly string[]
}

/**
 * A merchant's reply as it may be kept: error pages print settings and requests. Keys of the merchant become as many
 * asterisks, and so does the account number of the transaction but for its end; names that were sent are left out; all else is masked as operators'
 * replies are: secrets, OTPs and names by the names of their fields, and what looks like an account or card number.
 * @param max so many characters of it are kept
 */
export function maskReply(reply: string, { secrets, account, names }: Confidential, max: number): string {
  const webhookSecrets = secrets.webhookSecrets.map((secret) => secret.replace(/^whsec_/, ''))
  // Base64 is written without its padding too.
  const keys = [
    ...secrets.signingKeys,
    ...webhookSecrets,
    ...webhookSecrets.map((secret) => secret.replace(/={1,2}$/, '')),
  ]
  let masked = withoutValues(reply, keys, (written) => '*'.repeat(written.length))
  masked = withoutNames(masked, names, MASK)
  masked = masked.replace(SECRET_KEY, (key) => '*'.repeat(key.length))
  if (account !== '') masked = masked.replaceAll(account, maskAccount(account))
  return maskText(masked, max)
}

/** Names of persons in a callback. */
export function namesIn(body: string): readonly string[] {
  const names: string[] = []
  try {
    JSON.parse(body, (name, value: unknown) => {
      if (name === 'customer_name' && typeof value === 'string') names.push(value)
      return value
    })
  } catch {
    // It is delivered all the same.
  }
  return names
}

/** Secret keys are known here by their digests only, but all of them begin alike. */
const SECRET_KEY = /\bsec_[A-Za-z0-9_]{8,200}/g
