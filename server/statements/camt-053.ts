import { SaxesParser } from 'saxes'
import { entryReadings } from './camt-entry.ts'
import { currencyOf, HEAD_ELEMENTS, headOf } from './camt-head.ts'
import type { StatementFormat } from './format.ts'
import { reasonsOfStatus, UnreadableStatement, type StatementReading } from './reading.ts'
import { localName, type Element } from './xml-element.ts'

/** An entry larger than this is refused. */
const ENTRY_ELEMENTS_MAX = 200_000
/** Only an account, a period and a few balances come before the entries. */
const HEAD_ELEMENTS_MAX = 1_000
const DEPTH_MAX = 40

/** A statement of a day or a month (camt.053), and the intraday report (camt.052). */
const STATEMENTS: ReadonlyMap<string | undefined, string> = new Map([
  ['BkToCstmrStmt', 'Stmt'],
  ['BkToCstmrAcctRpt', 'Rpt'],
])

/**
 * Reads an ISO 20022 bank statement (camt.053 or camt.052, any version), holding one entry at a time in memory.
 * @throws UnreadableStatement for a file that is not XML, has a document type, or is no such statement
 */
export async function* readCamt053(
  text: AsyncIterable<string>,
  format: StatementFormat,
): AsyncGenerator<StatementReading> {
  const reader = new CamtReader(format)
  for await (const part of text) {
    reader.write(part)
    yield* reader.ready.splice(0)
  }
  reader.close()
  yield* reader.ready
}

class CamtReader {
  readonly ready: StatementReading[] = []
  private readonly parser = new SaxesParser({ xmlns: false, position: true })
  private readonly format: StatementFormat
  /** The names of the open elements, down to the collected one. */
  private readonly path: string[] = []
  /** The collected elements that are not closed yet. */
  private readonly open: Element[] = []
  private kept = 0
  private lineNumber = 1
  private statementsRead = 0
  /** The head of the current statement, until its first entry. */
  private head: { readonly lineNumber: number; readonly elements: Element[] } | undefined
  private accountCurrency: string | undefined
  private readonly statusReason = reasonsOfStatus()

  constructor(format: StatementFormat) {
    this.format = format
    const { parser } = this
    parser.on('error', (error) => this.refuse(`is no XML: ${error.message.replace(/^[\d:]*\s*/, '')}`))
    // No statement needs a document type, and it may define entities or reference other files.
    parser.on('doctype', () => this.refuse('has a document type, which no statement has'))
    parser.on('opentag', ({ name, attributes }) => this.opened(localName(name), attributes))
    parser.on('text', (part) => this.texted(part))
    parser.on('cdata', (part) => this.texted(part))
    parser.on('closetag', () => this.closed())
  }

  write(part: string): void {
    this.parser.write(part)
  }

  /** @throws UnreadableStatement for a file without a statement */
  close(): void {
    this.parser.close()
    if (this.statementsRead === 0)
      throw new UnreadableStatement('is XML, and no statement of the form camt.053 (BkToCstmrStmt) or camt.052')
  }

  private refuse(fault: string): never {
    throw new UnreadableStatement(fault, this.parser.line)
  }

  private opened(name: string, written: Readonly<Record<string, string>>): void {
    const { path, open, parser } = this
    const parent = path.at(-1)
    path.push(name)
    if (path.length > DEPTH_MAX) this.refuse('goes too deep')
    if (name === 'BkToCstmrDbtCdtNtfctn')
      this.refuse('is a notification (camt.054): the statement has its entries too, export that (camt.053)')
    if (STATEMENTS.has(name)) this.statementsRead += 1
    const isInStatement = parent !== undefined && STATEMENTS.get(path.at(-3)) === parent
    if (STATEMENTS.get(parent) === name) this.head = { lineNumber: parser.line, elements: [] }
    if (open.length === 0) {
      if (!isInStatement || (name !== 'Ntry' && !HEAD_ELEMENTS.has(name))) return
      this.lineNumber = parser.line
      this.kept = 0
    }
    this.kept += 1
    if (this.kept > ENTRY_ELEMENTS_MAX) this.refuse('has an entry that does not end')
    const element: Element = { name, attributes: withLocalNames(written), children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  }

  private texted(part: string): void {
    const element = this.open.at(-1)
    if (element) element.text += part
  }

  private closed(): void {
    const { path, open, ready, format, lineNumber } = this
    const name = path.pop()
    const element = open.pop()
    if (element && open.length === 0) {
      if (element.name === 'Ntry') {
        this.reportHead()
        const { accountCurrency, statusReason } = this
        ready.push(
          ...entryReadings(element, { lineNumber, statusReason, ...(accountCurrency && { accountCurrency }) }, format),
        )
      } else if (this.head && this.head.elements.push(element) > HEAD_ELEMENTS_MAX)
        this.refuse('has a head that does not end')
    }
    if (name !== undefined && STATEMENTS.get(path.at(-1)) === name) this.reportHead()
  }

  /** Called before the first entry, or at the end of a statement without any. */
  private reportHead(): void {
    if (!this.head) return
    const { lineNumber, elements } = this.head
    this.head = undefined
    this.accountCurrency = currencyOf(elements)
    this.ready.push({ got: 'statement', lineNumber, statement: headOf(elements, this.format) })
  }
}

const withLocalNames = (written: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(written).map(([name, value]) => [localName(name), value]))
