import type MiniSearch from 'minisearch'
import { asked, LOOKUP_OPTIONS } from './search-terms.ts'

/** What the search shows of what it found. */
export interface Hit {
  readonly title: string
  readonly kind: string
  readonly page: string
  readonly about: string
  readonly address: string
}

const HITS_MAX = 20

/** The best first; what has all words, or when there is nothing such, what has some. */
export function hitsIn(index: Pick<MiniSearch, 'search'>, words: string): readonly Hit[] {
  const lookedUp = asked(words)
  const all = index.search(lookedUp, { ...LOOKUP_OPTIONS, combineWith: 'AND' })
  const hits = all.length > 0 ? all : index.search(lookedUp, { ...LOOKUP_OPTIONS, combineWith: 'OR' })
  return hits.slice(0, HITS_MAX).map(({ title, kind, page, about, address }) => ({
    title: String(title),
    kind: String(kind),
    page: String(page),
    about: String(about),
    address: String(address),
  }))
}
