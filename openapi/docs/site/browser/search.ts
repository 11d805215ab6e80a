import MiniSearch from 'minisearch'
import { hitsIn, type Hit } from '../search-hits.ts'
import { SEARCH_OPTIONS } from '../search-terms.ts'

/** The address of the texts. Inserted by the build. */
declare const TEXTS_ADDRESS: string

let loaded: Promise<MiniSearch> | undefined

/** The index is made here: the texts alone are smaller than an index with them, and hits show where they match. */
async function load(): Promise<MiniSearch> {
  const reply = await fetch(TEXTS_ADDRESS)
  if (!reply.ok) throw new Error(`the texts of the search answer ${reply.status}`)
  const index = new MiniSearch(SEARCH_OPTIONS)
  // In pieces: whoever types meanwhile sees the letters.
  await index.addAllAsync((await reply.json()) as readonly object[], { chunkSize: 50 })
  return index
}

/** Best hits first. The texts are loaded once, and again after a failure. */
export async function find(words: string): Promise<readonly Hit[]> {
  loaded ??= load()
  try {
    return hitsIn(await loaded, words)
  } catch (error) {
    loaded = undefined
    throw error
  }
}
