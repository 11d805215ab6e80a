import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encoding } from './accepted-encoding.ts'

/** The address that docs, contract and samples are written with. */
const WRITTEN_WITH = /http:\/\/127\.0\.0\.1:8080(?!\d)/g
/**
 * Brotli quality: nearly as small as the highest one, in a tenth of its time. The largest file takes a quarter second.
 */
const BROTLI_QUALITY = 6

/** Replaces our placeholder address in a text with the one that it is served at. */
const addressed = (text: string, baseUrl: string): Buffer => Buffer.from(text.replace(WRITTEN_WITH, () => baseUrl))

/** A file as it is served. */
interface ServedFile {
  readonly content: Buffer
  /** A digest of the content, in letters and digits. */
  readonly digest: string
  /** Compressed on the first request for this encoding, then cached. */
  packed(encoding: Encoding): Promise<Buffer>
}

/** @returns undefined for a file that does not exist */
export type ServedFiles = (path: string) => Promise<ServedFile | undefined>

/**
 * Serves files, each read, addressed and compressed once, and again when it changes: `npm run docs` may run meanwhile.
 * They are compressed here and not by the build because they contain our address.
 * @param baseUrl known once we listen
 */
export function createServedFiles(baseUrl: () => string): ServedFiles {
  const kept = new Map<string, { readonly writtenAt: number; readonly file: ServedFile }>()
  return async (path) => {
    const found = await stat(path).catch(() => undefined)
    if (!found?.isFile()) return undefined
    const known = kept.get(path)
    if (known?.writtenAt === found.mtimeMs) return known.file
    const file = servedFile(addressed(await readFile(path, 'utf8'), baseUrl()))
    kept.set(path, { writtenAt: found.mtimeMs, file })
    return file
  }
}

const packers: Readonly<Record<Encoding, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) =>
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
  gzip: (content) => promisify(gzip)(content),
}

function servedFile(content: Buffer): ServedFile {
  const packed = new Map<Encoding, Promise<Buffer>>()
  return {
    content,
    digest: createHash('sha256').update(content).digest('hex').slice(0, 32),
    packed(encoding) {
      const known = packed.get(encoding) ?? packers[encoding](content)
      packed.set(encoding, known)
      return known
    },
  }
}
