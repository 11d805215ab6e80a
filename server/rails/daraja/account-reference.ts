import { createHash } from 'node:crypto'
import type { PayerReferenceChoice, PayerReferenceRequest, RailOrder } from '../../actions/ports/rail.ts'
import { PAYER_REFERENCE } from '../../actions/ports/unit.ts'

// Crockford's base32, as in our other references: nothing that is misread from a phone's screen.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** The longest `AccountReference` that M-PESA documents. */
const LENGTH = 12

/** How far back the pull query goes [documented]: that long a reference must lead to one order. */
export const REACH_MS = 48 * 60 * 60 * 1000

/**
 * The `AccountReference` of an order: what the payer reads in the prompt and in the SMS, and what the pull query shows as
 * `billreference`. Orders from before references were stored have the hash of their id.
 */
export const accountReferenceOf = ({ orderId, theirs }: Pick<RailOrder, 'orderId' | 'theirs'>): string =>
  theirs[PAYER_REFERENCE] ?? hashedReference(orderId)

/**
 * What an order may be called, the best first: the merchant's own reference as far as it fits; where that is taken, its
 * beginning and its end, as orders are often counted at the end; then its beginning with a suffix. The hash of the order
 * id, at last, is taken by nobody else: 60 random bits.
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

/** Letters and digits are documented and hyphens seen to be taken; every other sign becomes a hyphen. */
const readable = (text: string): string => text.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')

/** Whether a prompt of ours may have carried it: customers of the short code also pay under references of their own. */
export const isSendable = (reference: string): boolean => /^[A-Za-z0-9-]{1,12}$/.test(reference)

/** It follows from an id, so that the order is found by what we know anyway. */
export function hashedReference(id: string): string {
  const bytes = createHash('sha256').update(id.toLowerCase()).digest()
  return Array.from(bytes.subarray(0, LENGTH), (byte) => ALPHABET[byte & 31]).join('')
}
