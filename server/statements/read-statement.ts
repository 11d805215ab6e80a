import { createHash } from 'node:crypto'
import { readCamt053 } from './camt-053.ts'
import { readCsv } from './csv.ts'
import { decoded } from './encoding.ts'
import type { StatementFormat } from './format.ts'
import { followed, refusingMisfits, UnreadableStatement, type StatementReading } from './reading.ts'

/** A statement during reading. */
interface OpenStatement {
  readonly form: 'csv' | 'camt.053'
  readonly readings: AsyncIterable<StatementReading>
  /** SHA-256 of the whole file; call it only once all of the file is read. */
  digest(): Buffer
}

/**
 * Opens a statement in either format: XML begins with a `<`.
 * @throws UnreadableStatement for a file that is empty or of another kind; the readings throw it for content that does not match the encoding or the format
 */
export async function openStatement(bytes: AsyncIterable<Uint8Array>, format: StatementFormat): Promise<OpenStatement> {
  const hash = createHash('sha256')
  let digest: Buffer | undefined
  const hashed = eachTo(bytes, (part) => hash.update(part))
  const parts = decoded(hashed, format.encoding)[Symbol.asyncIterator]()
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
    readings: refusingMisfits(isXml ? readCamt053(whole, format) : readCsv(whole, format)),
    digest: () => (digest ??= hash.digest()),
  }
}

async function* eachTo<Part>(parts: AsyncIterable<Part>, to: (part: Part) => void): AsyncGenerator<Part> {
  for await (const part of parts) {
    to(part)
    yield part
  }
}
