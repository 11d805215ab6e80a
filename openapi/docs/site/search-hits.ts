import type { default as MiniSearch, SearchResult } from 'minisearch'
import { requested, LOOKUP_OPTIONS } from './search-terms.ts'

/** What the search shows of what it found. */
export interface Hit {
  readonly title: string
  readonly kind: string
  readonly page: string
  readonly about: string
  readonly address: string
}

const HITS_MAX = 20

/** How strictly words are looked up; the next one counts where the one before finds nothing. */
const ATTEMPTS = [{ fuzzy: false, combineWith: 'AND' }, { combineWith: 'AND' }, { combineWith: 'OR' }] as const

/** The best first. Words that look alike, such as `refused` for `refund`, count only where the word itself is nowhere. */
export function hitsIn(index: Pick<MiniSearch, 'search'>, words: string): readonly Hit[] {
  const lookedUp = requested(words)
  let hits: SearchResult[] = []
  for (const attempt of ATTEMPTS)
    if (hits.length === 0) hits = index.search(lookedUp, { ...LOOKUP_OPTIONS, ...attempt })
  return hits.slice(0, HITS_MAX).map(({ title, kind, page, about, address }) => ({
    title: String(title),
    kind: String(kind),
    page: String(page),
    about: String(about),
    address: String(address),
  }))
}
