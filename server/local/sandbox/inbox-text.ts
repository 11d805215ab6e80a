import { html } from 'ghtml'
import { decimalsOf } from '../../domain/money.ts'

/** Text to read and copy; long text scrolls inside its block, also by keyboard. */
export const block = (label: string, text: string): string =>
  html`<pre tabindex="0" role="region" aria-label="${label}">${visible(text)}</pre>`

// Characters that reorder, hide or break text (Unicode bidi controls, zero width, C0 and C1 controls): shown as
// escapes, so that the visible text is the text that was sent.
const HIDDEN_CHARACTERS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g
/** Escapes invisible characters and those that change the text direction. */
export const visible = (text: string): string =>
  text.replace(HIDDEN_CHARACTERS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

const TIME = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
/** Formats a time for people, in UTC. */
export const readableTime = (at: Date): string => `${TIME.format(at)} UTC`
/** Formats a size for people. */
export const bytes = (size: number): string => `${size.toLocaleString('en')} bytes`

const ORDINAL_RULES = new Intl.PluralRules('en', { type: 'ordinal' })
const ORDINAL_ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' }
/** 1st, 2nd, 3rd. */
export const ordinal = (n: number): string => `${n}${ORDINAL_ENDINGS[ORDINAL_RULES.select(n)] ?? 'th'}`

/** Formats an amount as in the API, in units of its currency, for people; undefined when there is none. */
export function amountText(amount: number | undefined, currency: string | undefined): string | undefined {
  if (amount === undefined) return undefined
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) return visible(`${amount} ${currency ?? ''}`)
  const decimals = decimalsOf(currency)
  return `${new Intl.NumberFormat('en', { minimumFractionDigits: decimals, maximumFractionDigits: Math.max(decimals, 6) }).format(amount)} ${currency}`
}

/**
 * Hides all but the last three digits: the summary may be on a screen that others see. Like `maskAccount` of phone.ts
 * for the events, except that a text too short for an account number is hidden completely.
 */
export const maskAccount = (account: string): string => {
  const characters = [...account]
  return characters.length <= 3
    ? '*'.repeat(characters.length)
    : '*'.repeat(characters.length - 3) + characters.slice(-3).join('')
}
