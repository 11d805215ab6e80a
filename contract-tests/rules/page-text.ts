// The text of a page as its reader sees it, whatever the page is built with.

/** What a reader of the page sees, piece by piece. Text of the merchant (`<bdi>`) is none of the server's. */
export const textsOf = (html: string): readonly string[] =>
  html
    .replaceAll(/<(style|script|title|bdi)\b[^>]*>.*?<\/\1>|<!--.*?-->/gs, '<>')
    .split(/<[^>]*>/)
    .map((text) => unescaped(text).trim())
    .filter((text) => text !== '')

/** The first heading of the page, without markup. */
export const headingOf = (html: string): string | undefined => {
  const [, heading] = /<h1\b[^>]*>(.*?)<\/h1>/s.exec(html) ?? []
  return heading === undefined ? undefined : unescaped(heading.replaceAll(/<[^>]*>/g, '')).trim()
}

/** The language that a page declares. */
export const languageOf = (html: string): string => /<html[^>]*\blang="([A-Za-z-]+)"/i.exec(html)?.[1] ?? ''

/** What `aria-describedby` names for the field of this `autocomplete`; undefined: the page has no such field or text. */
export function descriptionOf(html: string, autocomplete: string): string | undefined {
  const field = html.match(/<input\b[^>]*>/g)?.find((tag) => tag.includes(`autocomplete="${autocomplete}"`))
  const [, ids = ''] = /\baria-describedby="([^"]*)"/.exec(field ?? '') ?? []
  const texts = ids.split(' ').flatMap((id) => {
    const at = id === '' ? -1 : html.indexOf(` id="${id}"`)
    const [, text] = (at < 0 ? undefined : /^[^>]*>([^<]*)</.exec(html.slice(at))) ?? []
    return text === undefined ? [] : [unescaped(text)]
  })
  return texts.length === 0 ? undefined : texts.join(' ')
}

/** Whether the page has a form that sends something. */
export const hasForm = (html: string): boolean => /<form\b[^>]*\bmethod="?post\b/i.test(html)

export const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#61;', '=')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const NUMBER = String.raw`\d(?:[\d.,'’\s]*\d)?`

/** Neither a currency nor a number stands within a word: a reference has `7GHS` by chance. */
const OUTSIDE = String.raw`(?<![\p{L}\p{N}])`

/** Amounts in a currency (`UGX 5,000`, `5.000,00 NGN`): each as the numbers that it may stand for. */
export const amountsIn = (text: string, currency: string): readonly (readonly number[])[] =>
  [
    ...text.matchAll(
      new RegExp(String.raw`${OUTSIDE}(?:${currency}\s?(${NUMBER})|(${NUMBER})\s?${currency}(?![\p{L}\p{N}]))`, 'gu'),
    ),
  ].map(([, after, before]) => numbersFor(after ?? before ?? ''))

/** The last mark stands before the decimals, or before three digits of a group: languages differ. */
function numbersFor(text: string): readonly number[] {
  const digits = (part: string): string => part.replaceAll(/\D/g, '')
  const [, whole = '', mark = '', rest = ''] = /^(.*)(\D)(\d+)$/s.exec(text) ?? []
  if (mark === '') return [Number(text)]
  return [
    ...(/[.,]/.test(mark) ? [Number(`${digits(whole)}.${rest}`)] : []),
    ...(rest.length === 3 ? [Number(digits(text))] : []),
  ]
}
