import type { CallbackSecrets } from '../domain/merchant.ts'
import { maskAccount } from '../domain/phone.ts'

/** Whose reply it is, and what it may give away. */
export interface Confidential {
  readonly secrets: CallbackSecrets
  /** The account number of the transaction: merchants' servers like to repeat what they were sent. */
  readonly account: string
}

/** The longest thing that is masked: so much more of a reply must be read that none of them is cut in two. */
export const MASKED_MAX_CHARACTERS = 256

/**
 * A merchant's reply as it may be kept: error pages print settings and requests. Keys of the merchant, the account
 * number of the transaction and whatever looks like a card number become as many asterisks, so that the rest stays
 * where it was.
 */
export function maskReply(reply: string, { secrets, account }: Confidential): string {
  if (reply === '') return reply
  const keys = [...secrets.signingKeys, ...secrets.webhookSecrets.map((secret) => secret.replace(/^whsec_/, ''))]
  let masked = reply
  for (const spelling of keys.flatMap((key) => [key, encodeURIComponent(key), key.replaceAll('/', '\\/')]))
    masked = masked.replaceAll(spelling, '*'.repeat(spelling.length))
  masked = masked.replace(SECRET_KEY, (key) => '*'.repeat(key.length))
  if (account !== '') masked = masked.replaceAll(account, maskAccount(account))
  return masked.replace(CARD_NUMBER, (number) => (isCardNumber(number) ? maskCard(number) : number))
}

/** Secret keys are known here by their digests only, but all of them begin alike. */
const SECRET_KEY = /\bsec_[A-Za-z0-9_]{8,200}/g

/**
 * 14 to 19 digits, perhaps in groups; no scheme's numbers begin with 0, 1, 7, 8 or 9 (ISO/IEC 7812: those are not for
 * payment cards), and most moments in milliseconds begin with 1.
 */
const CARD_NUMBER = /(?<!\d)[2-6](?:[ .-]?\d){13,18}(?!\d)/g

function isCardNumber(text: string): boolean {
  const sum = [...text.replace(/\D/g, '')].reverse().reduce((total, digit, index) => {
    const weighted = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return sum % 10 === 0
}

/** The last four digits stay readable, as on a receipt (PCI DSS, requirement 3.4). */
const maskCard = (text: string): string => text.slice(0, -4).replace(/\d/g, '*') + text.slice(-4)
