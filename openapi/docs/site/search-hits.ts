import type { default as MiniSearch, SearchResult } from 'minisearch'
import { requested, LOOKUP_OPTIONS, PIECE, termOf, wordsOf } from './search-terms.ts'

/** A piece of text. One that is marked was looked for. */
export interface Piece {
  readonly text: string
  readonly isMarked: boolean
}

/** What the search shows for a hit. */
export interface Hit {
  readonly title: string
  readonly kind: string
  readonly page: string
  /** Where its text has what was looked for, or else its beginning. */
  readonly about: readonly Piece[]
  readonly address: string
}

const HITS_MAX = 20

/** Matching modes, from strict to loose; the next applies when the one before finds nothing. */
const ATTEMPTS = [{ fuzzy: false, combineWith: 'AND' }, { combineWith: 'AND' }, { combineWith: 'OR' }] as const

/** Who says it in other words means a thing, and not the places where those words occur. */
const IN_OUR_WORDS = {
  boostDocument: (...of: Parameters<typeof LOOKUP_OPTIONS.boostDocument>): number =>
    2 * LOOKUP_OPTIONS.boostDocument(...of),
}

/** Best hits first. Similar words, such as `refused` for `refund`, count only if the word itself is not found. */
export function hitsIn(index: Pick<MiniSearch, 'search'>, words: string): readonly Hit[] {
  const lookedUp = requested(words)
  let hits: SearchResult[] = []
  for (const attempt of ATTEMPTS)
    if (hits.length === 0)
      hits = index.search(
        {
          combineWith: 'OR',
          queries: lookedUp.map((text, index) => ({ ...attempt, queries: [text], ...(index > 0 && IN_OUR_WORDS) })),
        },
        { ...LOOKUP_OPTIONS, ...attempt },
      )
  return hits.slice(0, HITS_MAX).map(({ title, kind, page, about, address, text, terms }) => ({
    title: String(title),
    kind: String(kind),
    page: String(page),
    about: snippetOf(String(text), new Set(terms)) ?? [{ text: String(about), isMarked: false }],
    address: String(address),
  }))
}

const SNIPPET_MAX = 170
/** Characters shown before the first marked word. */
const BEFORE = 40

/**
 * The part of a text with the most of the words, all of them marked.
 *
 * @param terms as the index has them
 * @returns undefined when the text has none of them
 */
export function snippetOf(text: string, terms: ReadonlySet<string>): readonly Piece[] | undefined {
  // Of a split by one group every second piece is what it matched.
  const pieces = text.split(PIECE).map((piece, index): Piece => ({
    text: piece,
    isMarked: index % 2 === 1 && wordsOf(piece).some((word) => terms.has(termOf(word))),
  }))
  const ends = pieces.map(() => 0)
  for (const [index, piece] of pieces.entries()) ends[index] = (ends[index - 1] ?? 0) + piece.text.length
  const marked = [...pieces.keys()].filter((index) => pieces[index]?.isMarked)
  const [best] = marked
    .map((first) => {
      const begins = (ends[first - 1] ?? 0) - BEFORE
      const from = ends.findIndex((_end, index) => index % 2 === 1 && (ends[index - 1] ?? 0) >= begins)
      const until = ends.findLastIndex((end) => end <= begins + SNIPPET_MAX) + 1
      // Of the beginning nothing is omitted that is no word.
      const shown = pieces.slice(from === 1 ? 0 : from, until)
      const words = new Set(shown.filter(({ isMarked }) => isMarked).map((each) => termOf(each.text))).size
      return { shown, words, isCut: from > 1, isCutAfter: until < pieces.length }
    })
    .toSorted((one, other) => other.words - one.words)
  if (best === undefined) return undefined
  return [
    ...(best.isCut ? [{ text: '… ', isMarked: false }] : []),
    ...best.shown,
    ...(best.isCutAfter ? [{ text: ' …', isMarked: false }] : []),
  ]
}
