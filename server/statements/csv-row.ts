import type { Money } from '../domain/money.ts'
import type { StatementLine } from '../domain/statement-line.ts'
import { nothing, readAmount, written } from './amount.ts'
import type { BalancedRow } from './balance.ts'
import { movementOf, type Movement } from './csv-movement.ts'
import { RowFault, type Field } from './csv-field.ts'
import { isTypeOfFees, namesFee } from './fee-words.ts'
import { neededTitles, type ColumnName, type Columns, type StatementFormat } from './format.ts'
import {
  reasonsOfStatus,
  REFERENCE_MAX,
  referenceFromOurs,
  UnreadableStatement,
  type StatementReading,
} from './reading.ts'
import { otherDayOrder, timeReader, type ReadTime } from './time.ts'

/**
 * Reads a row by its column titles.
 * @throws UnreadableStatement for a date in another order than the setting's: other rows may be misread as other days
 */
export type RowReader = (row: readonly string[], lineNumber: number) => BalancedRow

const titleOf = (title: string): string => title.trim().replaceAll(/\s+/g, ' ').toLowerCase()

/** Whether a row contains all required column titles. */
export const isHeader = (row: readonly string[], columns: Columns): boolean => {
  const titles = new Set(row.map(titleOf))
  return neededTitles(columns).every((title) => titles.has(titleOf(title)))
}

/** @param header a row for which `isHeader` is true */
export function rowReader(header: readonly string[], format: StatementFormat): RowReader {
  const titles = header.map(titleOf)
  const places = new Map(
    Object.entries(format.columns).map(([name, title]) => [name, titles.indexOf(titleOf(title))] as const),
  )
  const readTime = timeReader(format.dayOrder, format.timeZone)
  const statusReason = reasonsOfStatus()
  const title = titleOf(format.columns.reference ?? '')

  return (row, lineNumber) => {
    const field = (name: ColumnName): string => row[places.get(name) ?? -1]?.trim() ?? ''
    const balanceMinor = balanceIn(field, format)
    const time = readTime(field('at'))
    const around = {
      lineNumber,
      ...(balanceMinor !== undefined && { balanceMinor }),
      ...(time && { at: time.at }),
    }
    const passedOver = (reason: string, more: object = {}): BalancedRow => ({
      ...around,
      readings: [{ got: 'passed_over', lineNumber, reason, ...more }],
    })
    try {
      if (titleOf(field('reference')) === title && isHeader(row, format.columns))
        return passedOver('with the titles of the columns')
      checkWidth(row, header.length)
      if (hasNotMoved(field, format)) return passedOver(statusReason(field('status')), reversalIn(field))
      const other = otherCurrency(field, format)
      if (other)
        return { ...passedOver(`in ${other}, and not in ${format.currency}`, { isMisfit: true }), isElsewhere: true }
      if (!time) throw timeFault(field('at'), lineNumber, format)
      return { ...around, readings: entryOf(field, time, lineNumber, format) }
    } catch (error) {
      if (!(error instanceof RowFault)) throw error
      return { ...around, readings: [{ got: 'fault', lineNumber, fault: error.message }] }
    }
  }
}

/**
 * An extra field means an unescaped separator inside an amount or a name: every field after it is in the wrong column.
 */
function checkWidth(row: readonly string[], width: number): void {
  if (row.length !== width && row.slice(width).some((field) => field.trim() !== ''))
    throw new RowFault(`has ${row.length} fields, its header ${width}`)
}

const hasNotMoved = (field: Field, { statuses }: StatementFormat): boolean =>
  statuses.length > 0 && !statuses.includes(field('status').toLowerCase())

function reversalIn(field: Field): { readonly reversalOf?: string } {
  const reference = field('reference')
  const isReversal = /^revers/i.test(field('status')) && reference !== '' && reference.length <= REFERENCE_MAX
  return isReversal ? { reversalOf: reference } : {}
}

/** The code of another currency: the row belongs to another wallet of ours. */
function otherCurrency(field: Field, { currency }: StatementFormat): string | undefined {
  const named = field('currency').toUpperCase()
  return named !== currency && /^[A-Z]{3}$/.test(named) ? named : undefined
}

function timeFault(text: string, lineNumber: number, { columns, dayOrder }: StatementFormat): Error {
  const other = otherDayOrder(text, dayOrder)
  if (other === undefined) return new RowFault(`has no time in the column "${columns.at}" that can be read`)
  return new UnreadableStatement(
    `has a day in the column "${columns.at}" that is none as ${dayOrder}, and one as ${other} (statement_day_order)`,
    lineNumber,
  )
}

/** The line of the row, an unclear entry, or that it moved no money. */
function entryOf(
  field: Field,
  time: ReadTime,
  lineNumber: number,
  format: StatementFormat,
): readonly StatementReading[] {
  const { columns, currency, chargeWords } = format
  const movement = movementOf(field, format)
  const { direction, amount } = movement
  const fee = feeOf(field, format)
  const isNothing = amount?.amountMinor === 0n
  if (isNothing && fee.doubt === undefined && !(fee.amount && fee.amount.amountMinor > 0n))
    return [{ got: 'passed_over', lineNumber, reason: `of amount ${written(0n, currency)}` }]
  const { reference, ourReference } = namesIn(field, direction)
  const known = {
    ...(reference !== undefined && { reference }),
    ...(ourReference !== undefined && { ourReference }),
    bookedOn: time.day,
  }
  const unclear = (why: string, more: object = {}): StatementReading => ({
    got: 'unclear',
    lineNumber,
    entry: { ...known, ...more, why },
    ...(movement.isMisfit && { isMisfit: true }),
  })
  const moved = { ...(direction && { direction }), ...(amount && { amount }) }
  const doubt = movement.doubt ?? doubtOfCurrency(field, format)
  if (doubt !== undefined || !direction || !amount) return [unclear(doubt ?? 'has no direction', moved)]
  if (reference === undefined) return [unclear(`has no name in the column "${columns.reference}"`, moved)]
  const common = { reference, at: time.at, bookedOn: time.day }
  if (isFee(field, movement, chargeWords))
    return [lineReading(lineNumber, { ...common, direction: 'out', amount: nothing(currency), fee: amount })]
  const account = field('account')
  const line = lineReading(lineNumber, {
    ...common,
    direction: isNothing ? 'out' : direction,
    amount,
    ...(ourReference !== undefined && { ourReference }),
    ...(fee.amount && { fee: fee.amount }),
    ...(account !== '' && { account }),
  })
  if (fee.doubt === undefined) return [line]
  return [...(isNothing ? [] : [line]), unclear(fee.doubt)]
}

/**
 * What goes out has the receipt of what it gives back in the place of our id. A value longer than any reference is
 * ignored and not passed on.
 */
function namesIn(
  field: Field,
  direction: Movement['direction'],
): { readonly reference?: string; readonly ourReference?: string } {
  const reference = field('reference')
  const text = (direction === 'out' && field('original')) || field('ours')
  const ourReference = text !== '' && text.length <= REFERENCE_MAX ? text : undefined
  const known = reference === '' && ourReference !== undefined ? referenceFromOurs(ourReference) : reference
  return {
    ...(known !== '' && known.length <= REFERENCE_MAX && { reference: known }),
    ...(ourReference !== undefined && { ourReference }),
  }
}

function doubtOfCurrency(field: Field, { columns, currency }: StatementFormat): string | undefined {
  const named = field('currency')
  if (named === '' || named.toUpperCase() === currency) return undefined
  return `has no code of a currency in the column "${columns.currency}"`
}

const lineReading = (lineNumber: number, line: StatementLine): StatementReading => ({ got: 'line', lineNumber, line })

/** Money paid in is never a fee, whatever its text; if a column has the type of each line, the type alone decides. */
function isFee(field: Field, { direction, isPaidIn }: Movement, feeWords: readonly string[]): boolean {
  if (direction !== 'out' || isPaidIn) return false
  const type = field('type')
  return type === '' ? namesFee(field('details'), feeWords) : isTypeOfFees(type, feeWords)
}

/** The operator's fee, whatever its sign. */
function feeOf(field: Field, format: StatementFormat): { readonly amount?: Money; readonly doubt?: string } {
  try {
    const taken = readAmount(field('fee'), format.decimalSign, format.currency)
    return taken ? { amount: taken.amount } : {}
  } catch (error) {
    return { doubt: `has a fee in the column "${format.columns.fee}" that ${(error as Error).message}` }
  }
}

/** The balance alone decides nothing: an unreadable one is not compared. */
function balanceIn(field: Field, { decimalSign, currency }: StatementFormat): bigint | undefined {
  try {
    const balance = readAmount(field('balance'), decimalSign, currency)
    return balance && (balance.isNegative ? -balance.amount.amountMinor : balance.amount.amountMinor)
  } catch {
    return undefined
  }
}
