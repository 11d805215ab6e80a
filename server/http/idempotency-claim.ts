import type { IdempotencyClaim } from '../actions/ports/idempotency.ts'
import { exactly } from '../domain/decimal.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { NumberTexts } from './json-text.ts'

/**
 * A keyed digest for stored values that must be recognised again: a body or a key without entropy (a password, a card
 * number) could be guessed from an unkeyed digest.
 */
export type Digest = (text: string) => Uint8Array

/**
 * The idempotency key is only compared, so it is stored as a digest: nobody needs to know what a merchant put into it.
 * It is scoped to one operation: otherwise whoever has only the public key could use up the keys of payouts.
 */
export const idempotencyClaim = (
  merchant: Merchant,
  key: string,
  operationId: string,
  body: unknown,
  numbers: NumberTexts,
  digest: Digest,
): IdempotencyClaim => ({
  merchantId: merchant.id,
  key: Buffer.from(digest(`key\n${operationId}\n${key}`)).toString('base64url'),
  digest: digest(canonicalRequest(operationId, body, numbers)),
})

/**
 * Operation and body, with the body's keys sorted: the same request in another order is the same request. Card data is
 * excluded: it is never stored in any form.
 */
function canonicalRequest(operationId: string, body: unknown, numbers: NumberTexts): string {
  const canonical = JSON.stringify(body, (key, value: unknown) => {
    if (key === 'card_cipher') return undefined
    // 5000 and 5e3 are the same request; 5000.0000000000001, which JSON.parse rounds to 5000, is a different one.
    if (typeof value === 'number') return exactly(value, numbers.get(key) ?? String(value))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
  return `${operationId}\n${canonical}`
}
