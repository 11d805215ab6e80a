/** Replaces all digits but the last three by asterisks; the characters between them stay. */
export function maskDigits(text: string): string {
  let left = digitsIn(text)
  return text.replace(/\p{Nd}/gu, (digit) => {
    left -= 1
    return left < KEPT_DIGITS ? digit : '*'
  })
}
const KEPT_DIGITS = 3

/** In any script: `٢٥٦` are digits too. */
const digitsIn = (text: string): number => text.match(/\p{Nd}/gu)?.length ?? 0

/** Encoded blanks of HTML and URLs, and invisible characters. */
const CODED_BLANKS = /(?<=\p{Nd}[)-]?)(?:&nbsp;|&#160;|&#xa0;|%20|%C2%A0)(?=[(-]?\p{Nd})/giu
const UNSEEN = /(?<=\p{Nd})[\0\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+(?=[\p{Nd}\s)-])/gu

/** The text with digits joined that a reader sees next to each other. */
export const withReadableDigits = (text: string): string => text.replace(UNSEEN, '').replace(CODED_BLANKS, ' ')

/**
 * An M-PESA prompt id is a time to the millisecond, 17 digits, often followed by the customer's number. The time and
 * the last digits are enough to find it: `transaction show` has the whole id.
 */
const PROMPT_ID = /\bws_CO_\d{17}\d{9,}/g
const PROMPT_TIME_CHARACTERS = 'ws_CO_'.length + 17

/** With a plus sign it is a phone number, whatever surrounds it. */
const PLUS_NUMBER = /\+[ (]{0,2}\p{Nd}(?:[ \t\u00a0\u2000-\u200a\u202f().\u2010-\u2015\u2212-]{0,3}\p{Nd}){8,14}/gu

/** Masks only what is certainly an account number. */
export const maskCertainNumbers = (text: string): string =>
  text
    .replace(PROMPT_ID, (id) => id.slice(0, PROMPT_TIME_CHARACTERS) + maskDigits(id.slice(PROMPT_TIME_CHARACTERS)))
    .replace(PLUS_NUMBER, maskDigits)

/** Values with as many digits as an account number that are none: support needs them. */
const NO_NUMBERS = [
  // Ids: of a prompt, a payment here, a UUID, a hexadecimal word (M-PESA's conversations), a request there.
  /\bws_CO_\d{17,25}(?!\d)/,
  /\bMLP[0-9A-HJKMNP-TV-Z]{22}\b/,
  /(?<![\da-z])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-z])/,
  /(?<![\da-z])(?=\d*[a-f])[\da-f]{16,}(?![\da-z])/,
  /(?<![\d-])\d{4,6}-\d{7,8}-\d{1,2}(?![\d-])/,
  // M-PESA's error codes.
  /(?<![\d.])[45]\d\d\.00\d\.\d{2,4}(?![\d.])/,
  // Dates, perhaps with a time.
  /(?<!\d)(?:19|20)\d\d[-./][01]\d[-./][0-3]\d(?:[T ][0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)?(?!\d)/,
  /(?<!\d)[0-3]\d[-./][01]\d[-./](?:19|20)\d\d(?:[T ][0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)?(?!\d)/,
  /(?<!\d)20[2-4]\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[T _-]?(?:[01]\d|2[0-3])[0-5]\d[0-5]\d(?:\d{3})?)?(?!\d)/,
  // Milli-, micro- and nanoseconds since 1970, until 2033: no 13-digit phone number and no card number starts like
  // that.
  /(?<!\d)1[6-9]\d{11}(?:\d{3}|\d{6})?(?!\d)/,
  // Amounts with cents. More digits before the point, or a leading zero, are an account number that was parsed as a
  // number.
  /(?<![\d.])(?:0|[1-9]\d{0,9})\.\d\d(?![ .()-]{0,3}\d)/,
  // Amounts next to their currency code: account numbers are longer, start with 0, or are elsewhere.
  /\b(?:UGX|KES|KSH|TZS|RWF|GHS|ZMW|NGN|ZAR|USD|EUR)[ :=]{0,2}[1-9](?:\d{0,9}|\d{0,2}(?: \d{3}){1,2})(?![ .()-]{0,3}\d)/,
  /(?<![\d.+][ .()-]{0,3})[1-9]\d{0,9}(?= (?:UGX|KES|KSH|TZS|RWF|GHS|ZMW|NGN|ZAR|USD|EUR)\b)/,
  // IPv4: the first byte of an address in use is at most 223.
  /(?<![\d.])(?:1?\d?\d|2[01]\d|22[0-3])(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?![\d.])/,
]
const NO_NUMBER = new RegExp(`(${NO_NUMBERS.map(({ source }) => source).join('|')})`, 'i')

/** Nine digits or more, in any grouping. */
const NUMBER = /\p{Nd}(?:[ \t\u00a0\u2000-\u200a\u202f\u3000()+.\u2010-\u2015\u2212-]{0,3}\p{Nd}){8,}/gu
const LONG_GROUP = /(\p{Nd}{9,})/u
/** More digits than a card number has are not an account number. */
const NUMBER_DIGITS_MAX = 19
const NUMBER_DIGITS_MIN = 9

/** Masks whatever looks like the number of a phone, an account or a card, with or without a valid check digit. */
export const maskNumbers = (text: string): string =>
  maskCertainNumbers(text)
    .split(NO_NUMBER)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(NUMBER, maskGroups)))
    .join('')

/** A long group is a number of its own: an amount beside it stays readable. */
const maskGroups = (number: string): string =>
  number
    .split(LONG_GROUP)
    .map((part, index) => {
      const digits = digitsIn(part)
      const isNumber = digits >= NUMBER_DIGITS_MIN && (index % 2 === 0 || digits <= NUMBER_DIGITS_MAX)
      return isNumber ? maskDigits(part) : part
    })
    .join('')
