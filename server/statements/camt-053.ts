import { SaxesParser } from 'saxes'
import { entryLines, type Element } from './camt-entry.ts'
import type { StatementFormat } from './format.ts'
import { UnreadableStatement, type Reading } from './reading.ts'

/** An entry with more than this is no entry. */
const ENTRY_ELEMENTS_MAX = 200_000
const DEPTH_MAX = 40

/**
 * Reads an ISO 20022 bank statement (camt.053, any version): an entry at a time is in memory.
 * @throws UnreadableStatement for what is no XML, has a document type, or is no such statement
 */
export async function* readCamt053(text: AsyncIterable<string>, format: StatementFormat): AsyncGenerator<Reading> {
  const parser = new SaxesParser({ xmlns: false, position: true })
  const ready: Reading[] = []
  const open: Element[] = []
  let depth = 0
  let elements = 0
  let lineNumber = 1
  let isStatement = false
  const refuse = (fault: string): never => {
    throw new UnreadableStatement(fault, parser.line)
  }
  parser.on('error', (error) => refuse(`is no XML: ${error.message.replace(/^[\d:]*\s*/, '')}`))
  // Nothing of a statement needs one, and what it may hold (entities of its own, files elsewhere) is nobody's to read.
  parser.on('doctype', () => refuse('has a document type, which no statement has'))
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1
    if (depth > DEPTH_MAX) refuse('goes too deep')
    const local = localName(name)
    if (local === 'BkToCstmrStmt') isStatement = true
    const isEntry = open.length === 0 && local === 'Ntry' && isStatement
    if (!isEntry && open.length === 0) return
    if (isEntry) {
      elements = 0
      lineNumber = parser.line
    }
    elements += 1
    if (elements > ENTRY_ELEMENTS_MAX) refuse('has an entry that does not end')
    const element: Element = { name: local, attributes, children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (part) => {
    const element = open.at(-1)
    if (element) element.text += part
  })
  parser.on('closetag', () => {
    depth -= 1
    const element = open.pop()
    if (element && open.length === 0) ready.push(...entryLines(element, lineNumber, format))
  })
  for await (const part of text) {
    parser.write(part)
    yield* ready.splice(0)
  }
  parser.close()
  yield* ready
  if (!isStatement) throw new UnreadableStatement('is XML, and no statement of the form camt.053 (BkToCstmrStmt)')
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
