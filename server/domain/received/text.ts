import { decimalsOf } from '../money.ts'

// Characters that reorder, hide or break text (Unicode bidi controls, zero width, C0 and C1 controls): shown as
// escapes, so that the visible text is the text that was sent.
const HIDDEN_CHARACTERS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g
/** Escapes invisible characters and those that change the text direction. */
export const visible = (text: string): string =>
  text.replace(HIDDEN_CHARACTERS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Formats a size for people. */
export const bytes = (size: number): string => `${size.toLocaleString('en')} bytes`

/** Formats an amount as in the API, in units of its currency, for people; undefined when there is none. */
export function amountText(amount: number | undefined, currency: string | undefined): string | undefined {
  if (amount === undefined) return undefined
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) return visible(`${amount} ${currency ?? ''}`)
  const decimals = decimalsOf(currency)
  return `${new Intl.NumberFormat('en', { minimumFractionDigits: decimals, maximumFractionDigits: Math.max(decimals, 6) }).format(amount)} ${currency}`
}
