// Known secrets are found anywhere in a text, in each encoding in which programs echo what they were sent.

/** Characters that JSON may write as an escape, as .NET does with `+`; not the quote and not the backslash. */
const ESCAPED_SIGN = /(?<!\\)\\u00((?!22|5c)[2-7][\da-f])/gi
const ENCODED_SIGN = /%[\dA-F]{2}/g

/**
 * Masks these values in the text.
 * @param mask returns the replacement of a spelling
 */
export function withoutValues(text: string, values: readonly string[], mask: (written: string) => string): string {
  let masked = text.replace(ESCAPED_SIGN, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  for (const value of values)
    for (const spelling of spellingsOf(value)) masked = masked.replaceAll(spelling, () => mask(spelling))
  return masked
}

/** Longest first: replacing a shorter spelling first would leave a part of a longer one. */
function spellingsOf(value: string): readonly string[] {
  const encoded = encodeURIComponent(value.toWellFormed())
  const spellings = [
    value,
    encoded,
    encoded.replace(ENCODED_SIGN, (sign) => sign.toLowerCase()),
    JSON.stringify(value).slice(1, -1),
    value.replaceAll('/', '\\/'),
    value.replaceAll('/', '&#x2F;'),
  ]
  return [...new Set(spellings)].sort((a, b) => b.length - a.length)
}

/** Shorter names occur in too many other words. */
const NAME_CHARACTERS_MIN = 3

/** Masks names of persons, ignoring case, but not within other words. */
export const withoutNames = (text: string, names: readonly string[], mask: string): string =>
  names
    .map((name) => name.trim())
    .filter(({ length }) => length >= NAME_CHARACTERS_MIN)
    .reduce((masked, name) => masked.replace(patternOf(name), () => mask), text)

const patternOf = (name: string): RegExp => {
  const words = name.split(/\s+/).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}\\d])${words.join('(?:\\s|\\+|%20){1,3}')}(?![\\p{L}\\d])`, 'giu')
}
