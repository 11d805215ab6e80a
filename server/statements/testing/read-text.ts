import { STATEMENT_SETTINGS } from '../../rails/statement-settings.ts'
import { statementFormat } from '../format.ts'
import { openStatement } from '../read-statement.ts'
import type { StatementReading } from '../reading.ts'

const DEFAULTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(STATEMENT_SETTINGS).flatMap(([name, setting]) =>
    'default' in setting ? [[name, setting.default]] : [],
  ),
)

export interface ReadOptions {
  readonly settings?: Readonly<Record<string, string>>
  readonly currency?: string
  /** The number of bytes per chunk. */
  readonly partBytes?: number
}

/** Returns all readings of a statement, with the default settings and these. */
export async function readBytes(
  bytes: Uint8Array,
  { settings, currency = 'UGX', partBytes = 7 }: ReadOptions = {},
): Promise<readonly StatementReading[]> {
  async function* parts() {
    for (let from = 0; from < bytes.length; from += partBytes) yield bytes.subarray(from, from + partBytes)
  }
  const { readings } = await openStatement(parts(), statementFormat({ ...DEFAULTS, ...settings }, currency))
  const found: StatementReading[] = []
  for await (const reading of readings) found.push(reading)
  return found
}

export const readText = (text: string, options?: ReadOptions): Promise<readonly StatementReading[]> =>
  readBytes(Buffer.from(text), options)

/**
 * Formats each reading as one line: `in 5000 R1 2026-03-02T10:30:00.000Z fee 50 ours-1`, `passed over with status
 * Failed`.
 */
export const shown = (found: readonly StatementReading[]): string[] => found.map(textOf)

function textOf(reading: StatementReading): string {
  switch (reading.got) {
    case 'line': {
      const { direction, amount, reference, at, fee, ourReference } = reading.line
      return joined(
        direction,
        amount.amountMinor,
        reference,
        at.toISOString(),
        fee && `fee ${fee.amountMinor}`,
        ourReference,
      )
    }
    case 'unclear': {
      const { direction, amount, reference, ourReference, bookedOn, why } = reading.entry
      return `unclear ${joined(direction, amount?.amountMinor, reference, ourReference, bookedOn)}: ${why}`
    }
    case 'passed_over':
      return joined('passed over', reading.reason, reading.reversalOf && `reversal of ${reading.reversalOf}`)
    case 'statement':
      return joined('statement', reading.statement.account, reading.statement.from, reading.statement.to)
    case 'fault':
      return `line ${reading.lineNumber} ${reading.fault}`
  }
}

const joined = (...parts: readonly (string | bigint | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(' ')

/** The camt.053 version 8 entry of most of these tests, in EUR. */
export const entryXml = (
  inside: string,
  {
    amount = '100.00',
    way = 'CRDT',
    head = '<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt><AcctSvcrRef>S1</AcctSvcrRef>',
  }: { readonly amount?: string; readonly way?: string; readonly head?: string } = {},
): string => `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${way}</CdtDbtInd>${head}${inside}</Ntry>`

export const statementXml = (inside: string, declaration = '<?xml version="1.0" encoding="UTF-8"?>'): string =>
  `${declaration}
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr><Stmt>
<Id>S</Id>${inside}</Stmt></BkToCstmrStmt></Document>`

/** The readings of entries, without those of the statement's head. */
export async function readEntries(entries: string, options: ReadOptions = {}): Promise<string[]> {
  const found = await readText(statementXml(entries), { currency: 'EUR', ...options })
  return shown(found.filter(({ got }) => got !== 'statement'))
}
