import { money } from '../domain/money.ts'
import type { StatementLine } from '../domain/statement-line.ts'
import { nothing, readAmount, type WrittenAmount } from './amount.ts'
import type { ColumnName, Columns, StatementFormat } from './format.ts'
import { REFERENCE_MAX } from './reading.ts'
import { timeReader } from './time.ts'

/** Reads a row by the titles of its columns. @returns undefined for a row that moved no money @throws RowFault */
export type RowReader = (row: readonly string[]) => StatementLine | undefined

/** What is wrong with a row, to follow "line 12 ". */
export class RowFault extends Error {
  override readonly name = 'RowFault'
}

export const titleOf = (title: string): string => title.trim().replaceAll(/\s+/g, ' ').toLowerCase()

/** Whether a row has the title of every column that the map names. */
export const isHeader = (row: readonly string[], columns: Columns): boolean => {
  const titles = new Set(row.map(titleOf))
  return Object.values(columns).every((title) => titles.has(titleOf(title)))
}

/** @param header a row that `isHeader` */
export function rowReader(header: readonly string[], format: StatementFormat): RowReader {
  const titles = header.map(titleOf)
  const places = new Map(
    Object.entries(format.columns).map(([name, title]) => [name, titles.indexOf(titleOf(title))] as const),
  )
  const readTime = timeReader(format.dayOrder, format.timeZone)
  const width = header.length

  return (row) => {
    // A field more is a separator that stood inside of an amount or a name: everything after it is in a wrong column.
    if (row.length !== width && row.slice(width).some((field) => field.trim() !== ''))
      throw new RowFault(`has ${row.length} fields, its header ${width}`)
    const field = (name: ColumnName): string => row[places.get(name) ?? -1]?.trim() ?? ''
    if (format.statuses.length > 0 && !format.statuses.includes(field('status').toLowerCase())) return undefined
    checkCurrency(field('currency'), format)
    const movement = movementOf(field, format)
    const at = readTime(field('at'))
    if (!at) throw new RowFault(`has no time in the column "${format.columns.at}" that can be read`)
    const common = { reference: referenceOf(field('reference'), format), at }
    const isCharge = format.chargeWord !== '' && field('details').toLowerCase().includes(format.chargeWord)
    if (isCharge) return { ...common, direction: 'out', amount: nothing(format.currency), fee: movement.amount }
    const [ours, account, fee] = [field('ours'), field('account'), feeOf(field, format)]
    if (ours.length > REFERENCE_MAX) throw new RowFault(`has a name of more than ${REFERENCE_MAX} characters`)
    return {
      ...common,
      ...movement,
      ...(ours !== '' && { ourReference: ours }),
      ...(fee && { fee }),
      ...(account !== '' && { account }),
    }
  }
}

function referenceOf(text: string, { columns }: StatementFormat): string {
  if (text === '') throw new RowFault(`has nothing in the column "${columns.reference}"`)
  if (text.length > REFERENCE_MAX) throw new RowFault(`has a name of more than ${REFERENCE_MAX} characters`)
  return text
}

function checkCurrency(text: string, { currency }: StatementFormat): void {
  if (text !== '' && text.toUpperCase() !== currency)
    throw new RowFault(`is not in ${currency}, the currency of the installation`)
}

type Field = (name: ColumnName) => string

function amountIn(field: Field, name: ColumnName, format: StatementFormat): WrittenAmount | undefined {
  try {
    return readAmount(field(name), format.decimalSign, format.currency)
  } catch (error) {
    throw new RowFault(`has an amount in the column "${format.columns[name]}" that ${(error as Error).message}`)
  }
}

function movementOf(field: Field, format: StatementFormat): Pick<StatementLine, 'direction' | 'amount'> {
  const { columns } = format
  if (columns.amount !== undefined) return ofOneColumn(field, format)
  // Some write what went out with a minus sign, some do not: the column says it already.
  const [paidIn, paidOut] = [amountIn(field, 'in', format), amountIn(field, 'out', format)].map((written) =>
    written && written.amount.amountMinor > 0n ? written.amount : undefined,
  )
  if (paidIn && paidOut) throw new RowFault(`has amounts in both "${columns.in}" and "${columns.out}"`)
  if (paidIn) return { direction: 'in', amount: paidIn }
  if (paidOut) return { direction: 'out', amount: paidOut }
  throw new RowFault(`has no amount in "${columns.in}" nor in "${columns.out}"`)
}

function ofOneColumn(field: Field, format: StatementFormat): Pick<StatementLine, 'direction' | 'amount'> {
  const { columns, directions } = format
  const written = amountIn(field, 'amount', format)
  if (!written || written.amount.amountMinor === 0n)
    throw new RowFault(`has no amount in the column "${columns.amount}"`)
  const { amount, isNegative } = written
  if (columns.direction === undefined) return { direction: isNegative ? 'out' : 'in', amount }
  const named = field('direction').toLowerCase()
  const direction = (['in', 'out'] as const).find((each) => directions[each] === named)
  if (!direction) throw new RowFault(`has neither "${directions.in}" nor "${directions.out}" in "${columns.direction}"`)
  if (isNegative && direction === 'in') throw new RowFault(`came in, and its amount is below zero`)
  return { direction, amount }
}

/** Below zero or above: it is what the operator took. */
function feeOf(field: Field, format: StatementFormat): StatementLine['fee'] {
  const written = format.columns.fee === undefined ? undefined : amountIn(field, 'fee', format)
  return written && money(written.amount.amountMinor, format.currency)
}
