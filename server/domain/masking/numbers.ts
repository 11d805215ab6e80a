/** All digits but the last three become asterisks; what stands between them stays. */
export function maskDigits(text: string): string {
  let left = text.replace(/\D/g, '').length
  return text.replace(/\d/g, (digit) => {
    left -= 1
    return left < KEPT_DIGITS ? digit : '*'
  })
}
const KEPT_DIGITS = 3

/**
 * The id of a prompt of M-PESA is a time to the millisecond, 17 digits, and often the customer's number behind it. Its
 * time and end are enough to find it again: whole it stands in `transaction show`.
 */
const PROMPT_ID = /\bws_CO_\d{17}\d{9,}/g
const PROMPT_TIME_CHARACTERS = 'ws_CO_'.length + 17

/** With a plus sign it is a phone number, whatever it stands in. */
const PLUS_NUMBER = /\+[ (]{0,2}\d(?:[ \t\u00a0\u202f().\u2010-\u2015-]{0,3}\d){8,14}/g

/** Masks only what is certainly an account number. */
export const maskCertainNumbers = (text: string): string =>
  text
    .replace(PROMPT_ID, (id) => id.slice(0, PROMPT_TIME_CHARACTERS) + maskDigits(id.slice(PROMPT_TIME_CHARACTERS)))
    .replace(PLUS_NUMBER, maskDigits)

/** What has as many digits as an account number and is none: support needs it. */
const NO_NUMBERS = [
  // Ids: of a prompt, a payment here, a UUID, a word in hexadecimal (Daraja's conversations), a request at Daraja.
  /\bws_CO_\d{17,25}(?!\d)/,
  /\bMLP[0-9A-HJKMNP-TV-Z]{22}\b/,
  /(?<![\da-z])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-z])/,
  /(?<![\da-z])(?=\d*[a-f])[\da-f]{16,}(?![\da-z])/,
  /(?<![\d-])\d{4,6}-\d{7,8}-\d{1,2}(?![\d-])/,
  // Daraja's codes of errors.
  /(?<![\d.])[45]\d\d\.00\d\.\d{2,4}(?![\d.])/,
  // Days, perhaps with a time.
  /(?<!\d)(?:19|20)\d\d[-./][01]\d[-./][0-3]\d(?:[T ][0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)?(?!\d)/,
  /(?<!\d)[0-3]\d[-./][01]\d[-./](?:19|20)\d\d(?:[T ][0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)?(?!\d)/,
  /(?<!\d)20[2-4]\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[T _-]?(?:[01]\d|2[0-3])[0-5]\d[0-5]\d(?:\d{3})?(?!\d)/,
  // Milli-, micro- and nanoseconds since 1970, until 2033: no phone number has 13 digits and begins so, and no card.
  /(?<!\d)1[6-9]\d{11}(?:\d{3}|\d{6})?(?!\d)/,
  // Amounts with cents: more digits before them are an account number that was taken for a number.
  /(?<![\d.])\d{1,10}\.\d\d(?![ .()-]{0,3}\d)/,
  // IPv4: no address that is in use begins with more than 223.
  /(?<![\d.])(?:1?\d?\d|2[01]\d|22[0-3])(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?![\d.])/,
]
const NO_NUMBER = new RegExp(`(${NO_NUMBERS.map(({ source }) => source).join('|')})`, 'i')

/** Nine digits or more, however they are grouped. */
const NUMBER = /\d(?:[ \t\u00a0\u2007\u2009\u202f().\u2010-\u2015-]{0,3}\d){8,}/g
const LONG_GROUP = /(\d{9,})/
/** Longer than a card number is no account number. */
const NUMBER_DIGITS_MAX = 19
const NUMBER_DIGITS_MIN = 9

/** Masks what looks like the number of a phone, an account or a card, with or without a valid check digit. */
export const maskNumbers = (text: string): string =>
  maskCertainNumbers(text)
    .split(NO_NUMBER)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(NUMBER, maskGroups)))
    .join('')

/** A long group is a number by itself: an amount beside it stays readable. */
const maskGroups = (number: string): string =>
  number
    .split(LONG_GROUP)
    .map((part, index) => {
      const digits = index % 2 === 1 ? part.length : part.replace(/\D/g, '').length
      const isNumber = digits >= NUMBER_DIGITS_MIN && (index % 2 === 0 || digits <= NUMBER_DIGITS_MAX)
      return isNumber ? maskDigits(part) : part
    })
    .join('')
