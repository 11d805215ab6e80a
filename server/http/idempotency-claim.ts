import type { IdempotencyClaim } from '../actions/ports/idempotency.ts'
import { exactly } from '../domain/money.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { FittedRow } from './batch-rows.ts'
import type { NumberTexts } from './body.ts'
import type { ReferenceData } from '../actions/ports/reference-data.ts'
import { internationalNumber } from '../domain/phone.ts'
import type { TransactionType } from '../domain/provider.ts'

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

/** The field of a phone number in a request for mobile money. */
const NUMBER_FIELDS: readonly (readonly [field: string, type: TransactionType])[] = [
  ['msisdn', 'COLLECTION'],
  ['account_number', 'PAYOUT'],
]

/**
 * The body with its phone number in the stored format, so that two spellings of one number are the same request. A
 * text that is no number of the provider's country stays unchanged.
 */
export function withStoredNumber(body: unknown, reference: Pick<ReferenceData, 'option'>): unknown {
  if (!isMobileMoney(body)) return body
  for (const [field, type] of NUMBER_FIELDS) {
    const written = body[field]
    if (typeof written !== 'string') continue
    const callingCode = reference.option(String(body.provider_code), type)?.callingCode
    const stored = callingCode === undefined ? undefined : internationalNumber(callingCode, written)
    return stored === undefined ? body : { ...body, [field]: stored }
  }
  return body
}

/**
 * The body of a batch as it was sent: each good row as the body of a single payout, with every digit of its amount, and
 * what is wrong with the others.
 */
export const withAllRows = (
  body: unknown,
  rows: readonly FittedRow[],
  reference: Pick<ReferenceData, 'option'>,
): unknown => ({
  ...(body as object),
  payouts: rows.map((row) => {
    if ('fault' in row) return row
    const { amount } = row.body
    const digits = row.numbers.get('amount')
    const exact = typeof amount === 'number' && digits !== undefined && { amount: exactly(amount, digits) }
    return withStoredNumber({ ...row.body, ...exact }, reference)
  }),
})

const isMobileMoney = (body: unknown): body is Readonly<Record<string, unknown>> =>
  typeof body === 'object' &&
  body !== null &&
  'transaction_method' in body &&
  body.transaction_method === 'MOBILE_MONEY'
