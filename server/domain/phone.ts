import { parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/min'
import type { PaymentOption } from './provider.ts'
import { Refusal } from './refusal.ts'

/**
 * The number in international format without the plus sign, as it is stored and shown: `256772000123`. It must be a
 * possible number of the provider's country. Where the provider's prefixes are strict, it must also start with one of
 * them after the country code; where they are a hint, the operator decides.
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
 * Normalises a number of one country to its stored form: country code first, digits only. Blanks, hyphens and a
 * leading plus sign are dropped, and a number as it is dialled in its country (`0772000123`) gets the country code. A
 * stored number stays as it is.
 * @returns undefined when it is not a possible number of the country
 */
export function internationalNumber(callingCode: string, written: string): string | undefined {
  const [, plus, digits = ''] = /^(\+?)([0-9]{4,15})$/.exec(written.replace(/[ -]/g, '')) ?? []
  if (digits.startsWith(callingCode) && isPossible(callingCode, digits.slice(callingCode.length))) return digits
  const national = plus === '' ? nationalNumber(callingCode, digits) : undefined
  return national === undefined ? undefined : callingCode + national
}

/**
 * Removes the trunk prefix, where the country has one. A number that is not written as the country dials it, such as
 * `772000123` in Uganda, has more likely lost its beginning. Numbers in a range that the library does not know are not
 * guessed.
 */
function nationalNumber(callingCode: string, dialled: string): string | undefined {
  return [dialled, dialled.slice(1)].find((national) => {
    const number = parseNumber(callingCode, national)
    return number?.isValid() && number.formatNational().replace(/[^0-9]/g, '') === dialled
  })
}

/**
 * The forms in which payments of any of these countries may have stored an account number that somebody wrote: in
 * international or national spelling, without the trunk zero, with any separators. A bank account keeps its own form.
 */
export function storedForms(callingCodes: readonly string[], written: string): readonly string[] {
  const text = written.replaceAll('(0)', '').replaceAll(/[^+0-9A-Za-z]/g, '')
  const number = text.replace(/^00/, '+')
  const digits = number.replace(/^\+/, '')
  const inCountry = (code: string) => [
    internationalNumber(code, number),
    number === digits && !digits.startsWith('0') && isPossible(code, digits) ? code + digits : undefined,
  ]
  const forms = [text, digits, ...callingCodes.flatMap(inCountry)]
  return [...new Set(forms.filter((form) => form !== undefined && form !== ''))] as string[]
}

// Cache: libphonenumber takes 20 µs, and its result depends on calling code, first digits and length only, so it is
// called once for each combination.
const SHAPES_MAX = 10_000
const possibleByShape = new Map<string, boolean>()

function isPossible(callingCode: string, national: string): boolean {
  // A few countries have numbers that start with 0. Elsewhere the trunk zero was kept (+256 0772…): that is another
  // number to the operator, even if the length fits because a digit is missing.
  if (national.startsWith('0')) return parseNumber(callingCode, national)?.isValid() ?? false
  const shape = `${callingCode} ${national.slice(0, 3)} ${national.length}`
  const known = possibleByShape.get(shape)
  if (known !== undefined) return known
  const possible = parseNumber(callingCode, national)?.isPossible() ?? false
  if (possibleByShape.size < SHAPES_MAX) possibleByShape.set(shape, possible)
  return possible
}

/** @returns undefined when the library parses another number than the one that was written */
function parseNumber(callingCode: string, national: string): PhoneNumber | undefined {
  const number = parsePhoneNumberFromString(`+${callingCode}${national}`)
  return number?.countryCallingCode === callingCode && number.nationalNumber === national ? number : undefined
}

/** For logs, events and pages: at most the last three digits stay readable; three or fewer are hidden wholly. */
export function maskAccount(account: string): string {
  const shown = account.length > 3 ? account.slice(-3) : ''
  return '*'.repeat(account.length - shown.length) + shown
}
