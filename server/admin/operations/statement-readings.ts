import type { StatementFormat } from '../../statements/format.ts'
import {
  UnreadableStatement,
  type StatementReading,
  type StatementHead,
  type UnclearEntry,
} from '../../statements/reading.ts'
import { timeReader } from '../../statements/time.ts'
import type { StatementLine } from '../../domain/statement-line.ts'
import type { RailKind } from '../../rails/rail-kind.ts'
import { isAhead, type NewStatementLine } from '../queries/statements/import.ts'
import { accountOf, type StatementsByAccount } from './statement-account.ts'
import { lineStorer, NO_STATEMENT, type LinePlace } from './statement-lines.ts'

const BATCH = 2_000
/** This many unreadable lines are named; the others are only counted. */
const FAULTS_SHOWN = 20

export interface Faults {
  count: number
  readonly first: string[]
}

/** What is read from a file besides its lines. Complete once all batches are read. */
export interface ReadStatements {
  readonly batches: AsyncIterable<readonly NewStatementLine[]>
  readonly faults: Faults
  /** Entries that moved no money, by reason. */
  readonly passedOver: ReadonlyMap<string, number>
  /** Statements that name an account other than `account`; if it is undefined, all that name one. */
  readonly others: StatementsByAccount
  /** Statements of `account`, and those that name none. */
  readonly ownStatements: () => number
}

interface ReadOptions {
  readonly kind: RailKind
  readonly format: StatementFormat
  /** The bank account of the rail account, if known. */
  readonly account: string | undefined
  readonly now: Date
}

/**
 * Reads a file's lines in batches and skips those of other bank accounts. The batches throw UnreadableStatement for a
 * file that has only lines of future days.
 */
export function readStatements(readings: AsyncIterable<StatementReading>, options: ReadOptions): ReadStatements {
  const faults: Faults = { count: 0, first: [] }
  const passedOver = new Map<string, number>()
  const others = new Map<string, number>()
  const placeOf = places(options.format)
  const store = lineStorer(options.kind, options.format, options.now)
  let ownStatements = 0
  let inTime = 0
  let ahead: { readonly lineNumber: number; readonly why: string } | undefined
  let place: Omit<LinePlace, 'lineNumber'> | undefined = NO_STATEMENT

  function begin(head: StatementHead): void {
    const account = accountOf(head.account ?? '')
    const isOther = account !== '' && account !== options.account
    if (isOther) count(others, account)
    else ownStatements += 1
    place = isOther ? undefined : placeOf(account, head)
  }

  function storedOf(reading: StatementReading): NewStatementLine | undefined {
    if (reading.got === 'statement') begin(reading.statement)
    if (!place) return undefined
    const here = { ...place, lineNumber: reading.lineNumber }
    if (reading.got === 'line') return lineOf(reading.line, here)
    if (reading.got === 'unclear') return store.unclear(reading.entry, here)
    if (reading.got === 'passed_over') {
      count(passedOver, reading.reason)
      return reading.reversalOf === undefined ? undefined : store.reversal(reading.reversalOf, reading.reason, here)
    }
    if (reading.got === 'fault') {
      faults.count += 1
      if (faults.first.length < FAULTS_SHOWN) faults.first.push(`line ${reading.lineNumber} ${reading.fault}`)
    }
    return undefined
  }

  function lineOf(line: StatementLine, here: LinePlace): NewStatementLine {
    const entry = isAhead(line.at, options.now) ? entryAhead(line) : undefined
    if (!entry) {
      inTime += 1
      return store.line(line, here, { isTimed: true })
    }
    ahead ??= { lineNumber: here.lineNumber, why: entry.why }
    return store.unclear(entry, here)
  }

  async function* batches(): AsyncGenerator<readonly NewStatementLine[]> {
    let batch: NewStatementLine[] = []
    for await (const reading of readings) {
      const stored = storedOf(reading)
      if (stored) batch.push(stored)
      if (batch.length < BATCH) continue
      yield batch
      batch = []
    }
    if (ahead && inTime === 0) throw new UnreadableStatement(ahead.why, ahead.lineNumber)
    if (batch.length > 0) yield batch
  }
  return { batches: batches(), faults, passedOver, others, ownStatements: () => ownStatements }
}

/** It has moved no money yet, or its day was misread. It says nothing about how far the statement reaches. */
const entryAhead = ({ reference, ourReference, at, bookedOn, direction, amount, fee }: StatementLine): UnclearEntry => {
  const day = bookedOn ?? at.toISOString().slice(0, 10)
  return {
    reference,
    ...(ourReference !== undefined && { ourReference }),
    bookedOn: day,
    direction,
    amount: amount.amountMinor === 0n && fee ? fee : amount,
    why: `has a day in the future, ${day} (statement_day_order)`,
  }
}

const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)

/** Statements of one account and one period are one source, as are the pages of one statement. */
function places({ timeZone }: StatementFormat) {
  const sources = new Map<string, number>()
  const isTime = timeReader('ymd', timeZone)
  // Without the zone: periods are compared with booking days, which have none.
  const local = (text: string | undefined): string | undefined =>
    text !== undefined && isTime(text) ? text.replace(/(Z|[+-]\d\d:?\d\d)$/, '') : undefined
  return (account: string, { from, to }: StatementHead): Omit<LinePlace, 'lineNumber'> => {
    const [periodFrom, periodTo] = [local(from), local(to)]
    const key = [account, periodFrom, periodTo].join(' ')
    const source = sources.get(key) ?? sources.size + 1
    sources.set(key, source)
    return {
      source,
      account,
      ...(periodFrom !== undefined && { periodFrom }),
      ...(periodTo !== undefined && { periodTo }),
    }
  }
}
