// Shared by the build, which makes the index, and the browser, which queries it: both must tokenize alike.

/** Normalizes spelling variants. */
const ONE_SPELLING: readonly (readonly [RegExp, string])[] = [
  [/\btime[d]?[- ]?outs?\b/gi, 'timeout'],
  [/\bweb[- ]hooks?\b/gi, 'webhook'],
  [/\bc#/gi, 'csharp'],
  [/\bone-time passwords?\b/gi, 'otp one-time password'],
]

/** Words of a text. Names such as `merchant_reference` are indexed whole and by their parts. */
export function wordsOf(text: string): string[] {
  const spelt = ONE_SPELLING.reduce((before, [written, word]) => before.replaceAll(written, word), text)
  return (spelt.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) =>
    word.includes('_') ? [word, ...word.split('_')] : [word],
  )
}

/** The stem of a word: `Retries` and `retry` are the same. */
export function termOf(word: string): string {
  const lower = word.toLowerCase()
  if (lower.length < 4 || lower.includes('_')) return lower
  return lower
    .replace(/ies$/, 'y')
    .replace(/(?<=[^aeious])s$|(?<=[aeo])s$/, '')
    .replace(/ied$/, 'y')
}

/** Options for building and querying the index. */
export const SEARCH_OPTIONS = {
  fields: ['title', 'keywords', 'text'],
  storeFields: ['title', 'kind', 'page', 'about', 'address', 'weight'],
  tokenize: wordsOf,
  processTerm: termOf,
}

/** A whole phone or account number stands for the test number with its last three digits, which choose the outcome. */
const WHOLE_NUMBER = /(?<![\w+])\+?\d{6,12}(\d{3})(?!\w)/g

/** What somebody typed, normalized. */
export const requested = (words: string): string => words.replaceAll(WHOLE_NUMBER, 'test number $1')

/** Query options: a word may be incomplete, or have a wrong letter. */
export const LOOKUP_OPTIONS = {
  boost: { title: 6, keywords: 5 },
  boostDocument: (_id: unknown, _term: string, stored?: Readonly<Record<string, unknown>>): number =>
    Number(stored?.weight ?? 1),
  prefix: (term: string): boolean => term.length > 2,
  fuzzy: (term: string): number | false => (term.length > 4 ? 0.25 : false),
  weights: { fuzzy: 0.2, prefix: 0.5 },
}
