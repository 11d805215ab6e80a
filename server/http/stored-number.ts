import type { ReferenceData } from '../actions/ports/reference-data.ts'
import { internationalNumber } from '../domain/phone.ts'
import type { TransactionType } from '../domain/provider.ts'

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

const isMobileMoney = (body: unknown): body is Readonly<Record<string, unknown>> =>
  typeof body === 'object' &&
  body !== null &&
  'transaction_method' in body &&
  body.transaction_method === 'MOBILE_MONEY'
