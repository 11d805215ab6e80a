import { createHash } from 'node:crypto'
import { readCamt053 } from './camt-053.ts'
import { readCsv } from './csv.ts'
import type { Encoding, StatementFormat } from './format.ts'
import { followed, UnreadableStatement, type Reading } from './reading.ts'

/** A statement as it is being read. */
export interface OpenStatement {
  readonly form: 'csv' | 'camt.053'
  readonly readings: AsyncIterable<Reading>
  /** SHA-256 of the whole file; to be asked for once all of it is read. */
  digest(): Buffer
}

/**
 * Opens a statement, whichever of the forms it has: XML begins with a `<`.
 * @throws UnreadableStatement for an empty file; the readings throw it for what is not in the encoding or the form
 */
export async function openStatement(bytes: AsyncIterable<Uint8Array>, format: StatementFormat): Promise<OpenStatement> {
  const hash = createHash('sha256')
  let digest: Buffer | undefined
  const text = decoded(bytes, format.encoding, (part) => hash.update(part))
  const parts = text[Symbol.asyncIterator]()
  let head = ''
  while (head.trim() === '') {
    const next = await parts.next()
    if (next.done) throw new UnreadableStatement('is empty')
    head += next.value
  }
  const isXml = head.trimStart().startsWith('<')
  const whole = followed(isXml ? head.trimStart() : head, parts)
  return {
    form: isXml ? 'camt.053' : 'csv',
    readings: isXml ? readCamt053(whole, format) : readCsv(whole, format),
    digest: () => (digest ??= hash.digest()),
  }
}

/** Without its byte order mark. */
async function* decoded(
  bytes: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  seen: (part: Uint8Array) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let lines = 1
  const decode = (part?: Uint8Array): string => {
    try {
      const text = part ? decoder.decode(part, { stream: true }) : decoder.decode()
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
      return text
    } catch (error) {
      throw new UnreadableStatement(
        `is not in ${encoding} at or after line ${lines} (statement_encoding)`,
        undefined,
        error,
      )
    }
  }
  for await (const part of bytes) {
    seen(part)
    const text = decode(part)
    if (text !== '') yield text
  }
  const rest = decode()
  if (rest !== '') yield rest
}
