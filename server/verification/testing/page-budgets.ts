// Size limits of the docs as transferred; `npm run check` fails beyond them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import filePlugin from '@size-limit/file'
import sizeLimit from 'size-limit'

/** Compressed bytes. */
export const BYTES_MAX = {
  /**
   * A page of the docs and everything it loads. 150 kB are promised: less than half of that is used, and must stay so.
   */
  docsPage: 60_000,
  /** Library and index of the search, loaded at the first search. */
  docsSearch: 120_000,
} as const

/** A page with a budget. */
interface PageWeight {
  readonly name: string
  readonly bytes: number
  readonly bytesMax: number
}

/** Each page of a folder of built docs, and the search. */
export async function docsIn(folder: string): Promise<PageWeight[]> {
  const assets = readdirSync(join(folder, 'assets'))
  const loadedBy = (page: string): string[] => {
    const text = readFileSync(join(folder, page), 'utf8')
    return assets.filter((name) => text.includes(`"/docs/assets/${name}"`))
  }
  const weigh = async (name: string, files: readonly string[], bytesMax: number): Promise<PageWeight> => {
    const paths = files.map((file) => join(folder, file))
    const [weight] = (await sizeLimit([filePlugin], paths)) as readonly { readonly size: number }[]
    return { name: `docs: ${name}`, bytes: weight?.size ?? 0, bytesMax }
  }
  const inAssets = (names: readonly string[]): string[] => names.map((name) => join('assets', name))
  return Promise.all([
    ...readdirSync(folder)
      .filter((name) => name.endsWith('.html'))
      .map((page) => weigh(page, [page, ...inAssets(loadedBy(page))], BYTES_MAX.docsPage)),
    weigh('search', inAssets(assets.filter((name) => name.startsWith('search-'))), BYTES_MAX.docsSearch),
  ])
}

const line = ({ name, bytes, bytesMax }: PageWeight): string => `${name}: ${bytes} of ${bytesMax} bytes`

/** @returns the pages that are too heavy, one line each */
export const beyondBudget = (all: readonly PageWeight[]): string[] =>
  all.filter(({ bytes, bytesMax }) => bytes > bytesMax).map(line)

if (import.meta.main) {
  const folder = fileURLToPath(new URL('../../../dist/docs', import.meta.url))
  if (!existsSync(join(folder, 'assets'))) throw new Error('the docs are not built yet: run npm run docs')
  const all = await docsIn(folder)
  const beyond = beyondBudget(all)
  const [fullest] = all.toSorted((one, other) => other.bytes / other.bytesMax - one.bytes / one.bytesMax)
  if (fullest) console.log(`${all.length} pages are weighed; the fullest is ${line(fullest)}`)
  for (const each of beyond) console.error(`too heavy: ${each}`)
  if (beyond.length > 0) process.exitCode = 1
}
