import type { default as MiniSearch, SearchResult } from 'minisearch'
import { requested, LOOKUP_OPTIONS } from './search-terms.ts'

/** What the search shows for a hit. */
export interface Hit {
  readonly title: string
  readonly kind: string
  readonly page: string
  readonly about: string
  readonly address: string
}

const HITS_MAX = 20

/** Matching modes, from strict to loose; the next applies when the one before finds nothing. */
const ATTEMPTS = [{ fuzzy: false, combineWith: 'AND' }, { combineWith: 'AND' }, { combineWith: 'OR' }] as const

/** Best hits first. Similar words, such as `refused` for `refund`, count only if the word itself is not found. */
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
