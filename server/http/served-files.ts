import { readFile, stat } from 'node:fs/promises'

/** The address that docs, contract and samples are written with. */
const WRITTEN_WITH = /http:\/\/127\.0\.0\.1:8080(?!\d)/g

/** A text with the address that it is served at, wherever it names one of ours. */
export const addressed = (text: string, baseUrl: string): Buffer =>
  Buffer.from(text.replace(WRITTEN_WITH, () => baseUrl))

/** @returns undefined for a file that does not exist */
export type ServedFiles = (path: string) => Promise<Buffer | undefined>

/**
 * Files as they are served, each read and addressed once, and again when it was written anew: the docs are 3 MB, and
 * `npm run docs` may run beside us.
 * @param baseUrl known once we listen
 */
export function createServedFiles(baseUrl: () => string): ServedFiles {
  const kept = new Map<string, { readonly writtenAt: number; readonly content: Buffer }>()
  return async (path) => {
    const found = await stat(path).catch(() => undefined)
    if (!found?.isFile()) return undefined
    const known = kept.get(path)
    if (known?.writtenAt === found.mtimeMs) return known.content
    const content = addressed(await readFile(path, 'utf8'), baseUrl())
    kept.set(path, { writtenAt: found.mtimeMs, content })
    return content
  }
}
