import { withoutNames, withoutValues } from '../domain/masking/known-values.ts'
import { maskText } from '../domain/masking/mask-text.ts'
import { MASK } from '../domain/masking/named-values.ts'
import type { CallbackSecrets } from '../domain/merchant.ts'
import { maskAccount } from '../domain/phone.ts'

/** Whose reply it is, and which sensitive values it may contain. */
export interface Confidential {
  readonly secrets: CallbackSecrets
  /** The account number of the transaction: merchants' servers often echo the request. */
  readonly account: string
  /** Names of persons in the request. */
  readonly names: readonly string[]
}

/**
 * Masks a merchant's reply for storage: error pages print settings and requests. Each character of a merchant's key
 * becomes an asterisk, and so does the account number of the transaction except for its last three digits. Names from
 * the request are masked. Everything else is masked like operators' replies: secrets, OTPs and names by their field
 * names, and anything that looks like an account or card number.
 * @param max number of characters to keep
 */
export function maskReply(reply: string, { secrets, account, names }: Confidential, max: number): string {
  const webhookSecrets = secrets.webhookSecrets.map((secret) => secret.replace(/^whsec_/, ''))
  // Base64 also occurs without its padding.
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
    // The callback is delivered all the same.
  }
  return names
}

/** Only digests of secret keys are stored, but all keys start with the same prefix. */
const SECRET_KEY = /\bsec_[A-Za-z0-9_]{8,200}/g
