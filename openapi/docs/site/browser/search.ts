import MiniSearch from 'minisearch'
import { hitsIn, type Hit } from '../search-hits.ts'
import { SEARCH_OPTIONS } from '../search-terms.ts'

/** The address of the index. Inserted by the build. */
declare const INDEX_ADDRESS: string

let loaded: Promise<MiniSearch> | undefined

async function load(): Promise<MiniSearch> {
  const reply = await fetch(INDEX_ADDRESS)
  if (!reply.ok) throw new Error(`the index of the search answers ${reply.status}`)
  return MiniSearch.loadJSON(await reply.text(), SEARCH_OPTIONS)
}

/** Best hits first. The index is loaded once, and again after a failure. */
export async function find(words: string): Promise<readonly Hit[]> {
  loaded ??= load()
  try {
    return hitsIn(await loaded, words)
  } catch (error) {
    loaded = undefined
    throw error
  }
}
