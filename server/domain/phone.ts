import { parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/min'
import type { PaymentOption } from './provider.ts'
import { Refusal } from './refusal.ts'

/**
 * The number in international format without the plus sign, as it is stored and shown: `256772000123`. It must be a
 * possible number of the provider's country and, where its prefixes are strict, begin with one of them after the
 * country code. With prefixes that are a hint the operator decides.
 * @throws Refusal `invalid_phone_number`, naming the number as the merchant wrote it (decisions: requests and errors).
 */
export function phoneNumberFor(option: PaymentOption, written: string): string {
  const { callingCode, prefixes, prefixRule } = option
  const number = internationalNumber(callingCode, written)
  if (number === undefined)
    throw invalid(option, written, `: send ${callingCode} and the whole national number, digits only`)
  if (prefixRule === 'strict' && !prefixes.some((prefix) => number.startsWith(callingCode + prefix)))
    throw invalid(option, written)
  return number
}

const invalid = ({ providerName, providerCode }: PaymentOption, written: string, whatToSend = ''): Refusal =>
  new Refusal(
    'invalid_phone_number',
    `${written} is not a valid ${providerName} (${providerCode}) phone number${whatToSend}`,
  )

/**
 * A number of one country in its stored form: country code first, digits only. Blanks, hyphens and a leading plus sign
 * are dropped, and a number as it is dialled in its country (`0772000123`) is completed. A stored number stays as it is.
 * @returns undefined when it is no possible number of the country
 */
export function internationalNumber(callingCode: string, written: string): string | undefined {
  const [, plus, digits = ''] = /^(\+?)([0-9]{4,15})$/.exec(written.replace(/[ -]/g, '')) ?? []
  if (digits.startsWith(callingCode) && isPossible(callingCode, digits.slice(callingCode.length))) return digits
  const national = plus === '' ? nationalNumber(callingCode, digits) : undefined
  return national === undefined ? undefined : callingCode + national
}

/**
 * Without its trunk prefix, where the country has one. What is not written as the country dials it, such as `772000123`
 * in Uganda, is more likely a number that lost its beginning; and a range that the library does not know is not guessed.
 */
function nationalNumber(callingCode: string, dialled: string): string | undefined {
  return [dialled, dialled.slice(1)].find((national) => {
    const number = parseNumber(callingCode, national)
    return number?.isValid() && number.formatNational().replace(/[^0-9]/g, '') === dialled
  })
}

// libphonenumber takes 20 µs, and its answer depends on calling code, first digits and length only: it is asked once
// for each of these.
const SHAPES_MAX = 10_000
const possibleByShape = new Map<string, boolean>()

function isPossible(callingCode: string, national: string): boolean {
  // A few countries have numbers that begin with 0; elsewhere a trunk zero was kept (+256 0772…), which is another
  // number to the operator, also where the length fits because a digit is missing.
  if (national.startsWith('0')) return parseNumber(callingCode, national)?.isValid() ?? false
  const shape = `${callingCode} ${national.slice(0, 3)} ${national.length}`
  const known = possibleByShape.get(shape)
  if (known !== undefined) return known
  const possible = parseNumber(callingCode, national)?.isPossible() ?? false
  if (possibleByShape.size < SHAPES_MAX) possibleByShape.set(shape, possible)
  return possible
}

/** @returns undefined when the library reads another number than what was written */
function parseNumber(callingCode: string, national: string): PhoneNumber | undefined {
  const number = parsePhoneNumberFromString(`+${callingCode}${national}`)
  return number?.countryCallingCode === callingCode && number.nationalNumber === national ? number : undefined
}

/** For logs and events: only the last three digits of a number stay readable. */
export const maskAccount = (account: string): string => '*'.repeat(Math.max(account.length - 3, 0)) + account.slice(-3)
