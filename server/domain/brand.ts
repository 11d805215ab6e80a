import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** A merchant's brand on the payment page, beside its name. */
export interface Brand {
  /** `#0b57a4`, as `parseColour` gives it. */
  readonly colour?: string
  /** The storage key of the logo: the digest of its bytes. */
  readonly logoDigest?: string
  /** Contact for customers: `tel:`, `mailto:` or `https:`, as `parseSupportContact` gives it. */
  readonly supportContact?: string
}

/** The only accepted format of a colour: the text goes into a style sheet, so nothing else may be in it. */
export const COLOUR = /^#[0-9a-f]{6}$/

/** @throws RangeError */
export function parseColour(text: string): string {
  const colour = text.trim().toLowerCase()
  if (!COLOUR.test(colour)) throw new RangeError('It must be a colour of six hexadecimal digits, such as #0b57a4.')
  return colour
}

const CONTACT_MAX = 120
// Narrower than RFC 5321: no quotes, comments or addresses without a name.
const EMAIL =
  /^[A-Za-z0-9](?:[A-Za-z0-9._+-]{0,62}[A-Za-z0-9])?@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/

/**
 * A phone number with its country code, an e-mail address or an https URL, as a URI that a page can link to.
 * @throws RangeError
 */
export function parseSupportContact(text: string): string {
  const written = text.trim()
  const contact = written.length <= CONTACT_MAX ? (telOf(written) ?? mailOf(written) ?? httpsOf(written)) : undefined
  if (contact === undefined)
    throw new RangeError(
      `It must be a phone number such as +256 772 000123, an e-mail address or an https URL, with ${CONTACT_MAX} characters at most.`,
    )
  return contact
}

/** Its display text: `+256 772 000123`, `help@shop.example`, `shop.example/help`. */
export function supportText(contact: string): string {
  const [, scheme = '', rest = ''] = /^(tel|mailto|https):(.*)$/.exec(contact) ?? []
  if (scheme === 'tel') return parsePhoneNumberFromString(rest)?.formatInternational() ?? rest
  return scheme === 'https' ? rest.replace(/^\/\//, '').replace(/\/$/, '') : rest
}

function telOf(text: string): string | undefined {
  if (!/^\+[\d\s().-]+$/.test(text)) return undefined
  const number = parsePhoneNumberFromString(text)
  return number?.isPossible() ? `tel:${number.number}` : undefined
}

const mailOf = (text: string): string | undefined => (EMAIL.test(text) ? `mailto:${text}` : undefined)

function httpsOf(text: string): string | undefined {
  const url = /^https:\/\//i.test(text) ? URL.parse(text) : undefined
  const isBare = url?.username === '' && url.password === ''
  return url && isBare ? url.href : undefined
}
