import { createHash } from 'node:crypto'
import type { PayerReferenceChoice, PayerReferenceRequest, RailOrder } from '../../actions/ports/rail.ts'
import { PAYER_REFERENCE } from '../../actions/ports/rail-references.ts'

// Crockford's base32, as in our other references: no characters that are easily misread on a phone's screen.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** The longest `AccountReference` that M-PESA documents. */
const LENGTH = 12

/** How far back the pull query reaches [documented]: within that time a reference must identify one order. */
export const REACH_MS = 48 * 60 * 60 * 1000

/**
 * The `AccountReference` of an order: the payer reads it in the prompt and in the SMS, and the pull query returns it
 * as `billreference`. Orders created before references were stored use the hash of their id.
 */
export const accountReferenceOf = ({ orderId, externalIds }: Pick<RailOrder, 'orderId' | 'externalIds'>): string =>
  externalIds[PAYER_REFERENCE] ?? hashedReference(orderId)

/**
 * Candidate references of an order, the best first: the merchant's own reference as far as it fits; if that is taken,
 * its beginning and its end, because orders are often numbered at the end; then its beginning with a suffix; at last
 * the hash of the order id, which no other order has: 60 random bits.
 */
export function accountReferenceChoice(shortCode: string, order: PayerReferenceRequest): PayerReferenceChoice {
  const { merchantReference, internalReference, orderId } = order
  const text = readable(merchantReference)
  const suffix = hashedReference(internalReference)
  const candidates = [
    text.slice(0, LENGTH),
    ...(text.length > LENGTH ? [`${text.slice(0, 7)}${text.slice(-5)}`] : []),
    `${text.slice(0, 9)}-${suffix.slice(0, 2)}`,
    `${text.slice(0, 7)}-${suffix.slice(0, 4)}`,
  ]
  const readables = text === '' ? [] : candidates.map(readable)
  return {
    candidates: [...new Set([...readables, hashedReference(orderId)])],
    scope: `daraja:${shortCode}`,
    uniqueForMs: REACH_MS,
  }
}

/**
 * Letters and digits are documented, and hyphens were observed to be accepted; every other character becomes a hyphen.
 */
const readable = (text: string): string => text.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')

/** Derived from an id, so that no stored reference is needed to find the order. */
export function hashedReference(id: string): string {
  const bytes = createHash('sha256').update(id.toLowerCase()).digest()
  return Array.from(bytes.subarray(0, LENGTH), (byte) => ALPHABET[byte & 31]).join('')
}
