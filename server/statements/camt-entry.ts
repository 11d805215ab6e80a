import { money, type Money } from '../domain/money.ts'
import type { StatementLine } from '../domain/statement-line.ts'
import { readAmount } from './amount.ts'
import type { StatementFormat } from './format.ts'
import { REFERENCE_MAX, type Reading } from './reading.ts'
import { timeReader } from './time.ts'

// Names of elements: ISO 20022, BankToCustomerStatement. Versions differ in where a code stands, and that is looked for in both.

/** An element with what is in it: only entries of a statement are kept as such, one at a time. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

class EntryFault extends Error {}

/** The lines of an entry: one, or one for each of the transactions that a bank has put together in it. */
export function entryLines(entry: Element, lineNumber: number, format: StatementFormat): readonly Reading[] {
  try {
    if (codeIn(entry, 'Sts') !== 'BOOK') return [{ got: 'passed_over', lineNumber, reason: 'that moved no money' }]
    return partsOf(entry, format).map((line) => ({ got: 'line', lineNumber, line }))
  } catch (error) {
    if (!(error instanceof EntryFault)) throw error
    return [{ got: 'fault', lineNumber, fault: error.message }]
  }
}

function partsOf(entry: Element, format: StatementFormat): readonly StatementLine[] {
  const whole = amountOf(entry, format)
  const at = bookedAt(entry, format)
  const details = all(entry, 'NtryDtls').flatMap((each) => all(each, 'TxDtls'))
  if (details.length < 2) {
    const parts = details.flatMap((detail) => [detail, ...all(detail, 'Refs')])
    return [lineOf({ holders: [...parts, entry], at, amount: whole, direction: directionOf(entry) }, format, '')]
  }
  const lines = details.map((detail, index) => {
    const amount = has(detail, 'Amt') ? amountOf(detail, format) : transactionAmount(detail, format)
    const direction = has(detail, 'CdtDbtInd') ? directionOf(detail) : directionOf(entry)
    return lineOf({ holders: [detail, ...all(detail, 'Refs'), entry], at, amount, direction }, format, `/${index + 1}`)
  })
  const sum = lines.reduce(
    (total, { direction, amount: { amountMinor } }) => total + signed(direction, amountMinor),
    0n,
  )
  if (sum !== signed(directionOf(entry), whole.amountMinor))
    throw new EntryFault('has transactions that do not sum to the amount of their entry')
  return lines
}

const signed = (direction: 'in' | 'out', minor: bigint): bigint => (direction === 'in' ? minor : -minor)

interface Part {
  /** Where its names and charges may stand, the nearest first. */
  readonly holders: readonly Element[]
  readonly at: Date
  readonly amount: Money
  readonly direction: 'in' | 'out'
}

function lineOf({ holders, at, amount, direction }: Part, format: StatementFormat, place: string): StatementLine {
  const own = first(holders.slice(0, -1), ['AcctSvcrRef', 'TxId'])
  const ofEntry = first(holders.slice(-1), ['AcctSvcrRef', 'NtryRef'])
  const reference = own ?? (ofEntry === undefined ? undefined : `${ofEntry}${place}`)
  if (reference === undefined) throw new EntryFault('has no AcctSvcrRef, TxId or NtryRef')
  const ours = first(holders, ['EndToEndId', 'InstrId'])
  if (reference.length > REFERENCE_MAX || (ours?.length ?? 0) > REFERENCE_MAX)
    throw new EntryFault(`has a name of more than ${REFERENCE_MAX} characters`)
  // Of several transactions in an entry the charges of the entry are nobody's alone.
  const { feeMinor, includedMinor } = chargesOf(place === '' ? holders : holders.slice(0, -1), format)
  const movedMinor = amount.amountMinor + signed(direction, includedMinor)
  if (movedMinor <= 0n) throw new EntryFault('has no amount beside its charges')
  return {
    reference,
    at,
    direction,
    amount: money(movedMinor, format.currency),
    ...(ours !== undefined && { ourReference: ours }),
    ...(feeMinor > 0n && { fee: money(feeMinor, format.currency) }),
  }
}

/** What the bank took, and how much of it is in the amount of the entry already. */
function chargesOf(holders: readonly Element[], format: StatementFormat): { feeMinor: bigint; includedMinor: bigint } {
  const charges = holders.flatMap((holder) => all(holder, 'Chrgs'))
  const [nearest] = charges
  if (!nearest) return { feeMinor: 0n, includedMinor: 0n }
  const records = all(nearest, 'Rcrd')
  if (records.length === 0) {
    const total = has(nearest, 'TtlChrgsAndTaxAmt') ? minorIn(nearest, 'TtlChrgsAndTaxAmt', format) : 0n
    return { feeMinor: total, includedMinor: 0n }
  }
  let [feeMinor, includedMinor] = [0n, 0n]
  for (const record of records) {
    const minor = minorIn(record, 'Amt', format)
    const taken = textIn(record, 'CdtDbtInd') === 'CRDT' ? -minor : minor
    feeMinor += taken
    if (textIn(record, 'ChrgInclInd') === 'true') includedMinor += taken
  }
  if (feeMinor < 0n) throw new EntryFault('has charges below zero')
  return { feeMinor, includedMinor }
}

function directionOf(element: Element): 'in' | 'out' {
  const code = textIn(element, 'CdtDbtInd')
  if (code === 'CRDT') return 'in'
  if (code === 'DBIT') return 'out'
  throw new EntryFault('has no CdtDbtInd of CRDT or DBIT')
}

function amountOf(element: Element, format: StatementFormat): Money {
  return money(minorIn(element, 'Amt', format), format.currency)
}

function transactionAmount(detail: Element, format: StatementFormat): Money {
  const [holder] = all(detail, 'AmtDtls').flatMap((each) => all(each, 'TxAmt'))
  if (!holder) throw new EntryFault('has several transactions, and not all with an amount')
  return amountOf(holder, format)
}

function minorIn(element: Element, name: string, { currency }: StatementFormat): bigint {
  const [amount] = all(element, name)
  if (!amount) throw new EntryFault(`has no ${name}`)
  if (amount.attributes['Ccy'] !== currency)
    throw new EntryFault(`is not in ${currency}, the currency of the installation`)
  try {
    const written = readAmount(amount.text.trim(), 'point', currency)
    if (written && !written.isNegative) return written.amount.amountMinor
  } catch (error) {
    throw new EntryFault(`has an ${name} that ${(error as Error).message}`)
  }
  throw new EntryFault(`has no ${name} of zero or more`)
}

function bookedAt(entry: Element, { timeZone }: StatementFormat): Date {
  const [date] = [...all(entry, 'BookgDt'), ...all(entry, 'ValDt')]
  const at = date && timeReader('ymd', timeZone)(textIn(date, 'DtTm') ?? textIn(date, 'Dt') ?? '')
  if (!at) throw new EntryFault('has no BookgDt with a time or a day that can be read')
  return at
}

/** `<Sts>BOOK</Sts>`, and since version 8 `<Sts><Cd>BOOK</Cd></Sts>`. */
function codeIn(element: Element, name: string): string | undefined {
  const [found] = all(element, name)
  return found && (textIn(found, 'Cd') ?? found.text.trim())
}

/** What banks write where there was none. */
const NONE = new Set(['', 'NOTPROVIDED', 'NONREF'])

function first(holders: readonly Element[], names: readonly string[]): string | undefined {
  for (const name of names)
    for (const holder of holders) {
      const text = textIn(holder, name)
      if (text !== undefined && !NONE.has(text)) return text
    }
  return undefined
}

const all = ({ children }: Element, name: string): readonly Element[] => children.filter((child) => child.name === name)
const has = (element: Element, name: string): boolean => all(element, name).length > 0
const textIn = (element: Element, name: string): string | undefined => all(element, name)[0]?.text.trim()
