import type { Money } from '../domain/money.ts'
import { readAmount, type WrittenAmount } from './amount.ts'
import { RowFault, type Field } from './csv-field.ts'
import type { ColumnName, StatementFormat } from './format.ts'

/** The amount and direction of a row, as far as its columns agree. */
export interface Movement {
  readonly direction?: 'in' | 'out'
  readonly amount?: Money
  /** The amount is in the paid-in column, with either sign. */
  readonly isPaidIn: boolean
  /** Why it is unclear; the text follows "the entry ". */
  readonly doubt?: string
  /** A setting may be wrong rather than the row. */
  readonly isMisfit?: true
}

/** @throws RowFault for a row without a readable amount */
export function movementOf(field: Field, format: StatementFormat): Movement {
  return format.columns.amount === undefined ? ofTwoColumns(field, format) : ofOneColumn(field, format)
}

function amountIn(field: Field, name: ColumnName, format: StatementFormat): WrittenAmount | undefined {
  try {
    return readAmount(field(name), format.decimalSign, format.currency)
  } catch (error) {
    throw new RowFault(`has an amount in the column "${format.columns[name]}" that ${(error as Error).message}`)
  }
}

const isMoved = (written: WrittenAmount | undefined): written is WrittenAmount =>
  written !== undefined && written.amount.amountMinor > 0n

/**
 * Some exports write money out with a minus sign, some do not: the column already gives the direction. Money in has no
 * minus sign.
 */
function ofTwoColumns(field: Field, format: StatementFormat): Movement {
  const { columns } = format
  const [paidIn, paidOut] = [amountIn(field, 'in', format), amountIn(field, 'out', format)]
  if (isMoved(paidIn) && isMoved(paidOut))
    return { isPaidIn: true, doubt: `has amounts in both "${columns.in}" and "${columns.out}"` }
  if (isMoved(paidIn)) return { direction: paidIn.isNegative ? 'out' : 'in', amount: paidIn.amount, isPaidIn: true }
  const other = paidOut ?? paidIn
  if (!other) throw new RowFault(`has no amount in "${columns.in}" nor in "${columns.out}"`)
  return { direction: 'out', amount: other.amount, isPaidIn: false }
}

function ofOneColumn(field: Field, format: StatementFormat): Movement {
  const { columns, directions } = format
  const written = amountIn(field, 'amount', format)
  if (!written) throw new RowFault(`has no amount in the column "${columns.amount}"`)
  const { amount, isNegative } = written
  const common = { amount, isPaidIn: false }
  if (columns.direction === undefined) return { ...common, direction: isNegative ? 'out' : 'in' }
  const named = field('direction').toLowerCase()
  const direction = (['in', 'out'] as const).find((each) => directions[each] === named)
  if (!direction && !isMoved(written)) return { ...common, direction: 'out' }
  if (!direction)
    return {
      ...common,
      doubt: `has neither "${directions.in}" nor "${directions.out}" in "${columns.direction}"`,
      isMisfit: true,
    }
  if (isNegative && direction === 'in') return { ...common, doubt: 'came in, and its amount is below zero' }
  return { ...common, direction }
}
