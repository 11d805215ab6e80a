import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { PaymentOption } from './provider.ts'
import { Refusal } from './refusal.ts'

/**
 * The number in international format without the plus sign, as it is stored and shown: `256772000123`.
 * It must be a possible number of the provider's country and, where its prefixes are strict, begin with one of them after
 * the country code. With prefixes that are a hint the operator decides.
 * @throws Refusal `invalid_phone_number`, naming the number as the merchant wrote it (decisions: requests and errors).
 */
export function phoneNumberFor(option: PaymentOption, written: string): string {
  const digits = written.startsWith('+') ? written.slice(1) : written
  if (!isPhoneNumberOf(option, digits)) {
    throw new Refusal(
      'invalid_phone_number',
      `${written} is not a valid ${option.providerName} (${option.providerCode}) phone number`,
    )
  }
  return digits
}

function isPhoneNumberOf({ callingCode, prefixes, prefixRule }: PaymentOption, digits: string): boolean {
  if (!/^[1-9][0-9]{6,14}$/.test(digits) || !digits.startsWith(callingCode)) return false
  const national = digits.slice(callingCode.length)
  if (prefixRule === 'strict' && !prefixes.some((prefix) => national.startsWith(prefix))) return false
  return isPossible(callingCode, national)
}

// libphonenumber takes 20 µs, and its answer depends on calling code, first digits and length only: it is asked once
// for each of these.
const SHAPES_MAX = 10_000
const possibleByShape = new Map<string, boolean>()

function isPossible(callingCode: string, national: string): boolean {
  const shape = `${callingCode} ${national.slice(0, 3)} ${national.length}`
  const known = possibleByShape.get(shape)
  if (known !== undefined) return known
  const number = parsePhoneNumberFromString(`+${callingCode}${national}`)
  // The national number differs from what was written when a trunk zero was kept (+256 0772…): that is another number
  // to the operator.
  const possible =
    number !== undefined &&
    number.countryCallingCode === callingCode &&
    number.nationalNumber === national &&
    number.isPossible()
  if (possibleByShape.size < SHAPES_MAX) possibleByShape.set(shape, possible)
  return possible
}

/** For logs and events: only the last three digits of a number stay readable. */
export const maskAccount = (account: string): string => '*'.repeat(Math.max(account.length - 3, 0)) + account.slice(-3)
