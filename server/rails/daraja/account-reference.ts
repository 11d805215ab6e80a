import { createHash } from 'node:crypto'

// Crockford's base32, as in our other references: nothing that is misread from a phone's screen.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 12
const FORM = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/**
 * The `AccountReference` of an order: all that a prompt may carry of ours, at most 12 characters, and what the pull query
 * shows as `billreference`. It follows from the order's id, so that a lost order is found by what we know anyway.
 *
 * 60 bits: among a million orders of the 48 hours that the query reaches back, some two are alike with a chance of 1 to
 * 2,300,000; who finds one compares the amount and the number too.
 */
export function accountReferenceOf(orderId: string): string {
  const bytes = createHash('sha256').update(orderId.toLowerCase()).digest()
  return Array.from(bytes.subarray(0, LENGTH), (byte) => ALPHABET[byte & 31]).join('')
}

/** Whether it could be the reference of an order: customers of the short code also pay under references of their own. */
export const isAccountReference = (text: string): boolean => FORM.test(text)
