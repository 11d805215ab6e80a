import { written } from './amount.ts'
import type { StatementFormat } from './format.ts'
import { UnreadableStatement, type StatementReading, type UnclearEntry } from './reading.ts'

/** A row with the running balance after it. */
export interface BalancedRow {
  readonly lineNumber: number
  readonly readings: readonly StatementReading[]
  /** In minor units; absent if it cannot be read: then the rows beside it cannot be compared. */
  readonly balanceMinor?: bigint
  readonly at?: Date
  /** The row is in another currency, and so is its balance. */
  readonly isElsewhere?: true
}

/** The number of rows that determine whether the oldest or the newest comes first. */
const ROWS_FOR_ORDER = 500
/**
 * This many rows that contradict the balance, if they outnumber those that agree, mean a wrong setting rather than odd
 * rows.
 */
const CONTRADICTIONS_MAX = 3

type Order = 'oldest_first' | 'newest_first'

/**
 * Compares each line with the running balance: a line whose sign was misread changes the balance by the right amount
 * in the wrong direction. Other differences prove nothing: exports omit rows, and some write one balance for several
 * rows.
 * @throws UnreadableStatement where most lines contradict the balance: then the settings are wrong, not the rows
 */
export async function* checkedByBalance(
  rows: AsyncIterable<BalancedRow>,
  format: StatementFormat,
): AsyncGenerator<StatementReading> {
  const check = new BalanceCheck(format)
  const first: BalancedRow[] = []
  let order: Order | undefined
  let isDecided = false
  let before: BalancedRow | undefined
  const next = function* (row: BalancedRow): Generator<StatementReading> {
    if (row.isElsewhere || movesNothing(row)) return yield* row.readings
    // With the newest first, the effect of a row is known once the row below it is read.
    if (order === 'newest_first') {
      if (before) yield* check.readingsOf(before, row)
    } else yield* check.readingsOf(row, order && before)
    before = row
  }
  const decide = function* (): Generator<StatementReading> {
    order = orderOf(first)
    isDecided = true
    for (const row of first.splice(0)) yield* next(row)
  }
  for await (const row of rows) {
    if (isDecided) yield* next(row)
    else first.push(row)
    if (first.length >= ROWS_FOR_ORDER) yield* decide()
  }
  if (!isDecided) yield* decide()
  if (order === 'newest_first' && before) yield* check.readingsOf(before, undefined)
  check.end()
}

class BalanceCheck {
  private readonly format: StatementFormat
  private agreeing = 0
  private contradicting: number[] = []

  constructor(format: StatementFormat) {
    this.format = format
  }

  /** @param older the row that holds the balance before it */
  *readingsOf(row: BalancedRow, older: BalancedRow | undefined): Generator<StatementReading> {
    const sign = older && signShown(row, older)
    if (sign === 'agrees') this.agreeing += 1
    if (sign !== 'contradicts' || !older) return yield* row.readings
    this.contradicting.push(row.lineNumber)
    yield* row.readings.map((reading) => this.doubted(reading, older.balanceMinor, row.balanceMinor))
  }

  end(): void {
    const { agreeing, contradicting, format } = this
    if (contradicting.length < CONTRADICTIONS_MAX || contradicting.length <= agreeing) return
    throw new UnreadableStatement(
      `moves the balance the other way, as ${contradicting.length} lines do: statement_columns or statement_directions say the opposite of the column "${format.columns.balance}"`,
      contradicting[0],
    )
  }

  private doubted(reading: StatementReading, from = 0n, to = 0n): StatementReading {
    if (reading.got !== 'line') return reading
    const { reference, ourReference, bookedOn, amount, fee } = reading.line
    const { currency } = this.format
    const entry: UnclearEntry = {
      reference,
      ...(ourReference !== undefined && { ourReference }),
      ...(bookedOn !== undefined && { bookedOn }),
      amount: amount.amountMinor === 0n && fee ? fee : amount,
      why: `moves the balance the other way, from ${written(from, currency)} to ${written(to, currency)}`,
    }
    return { got: 'unclear', lineNumber: reading.lineNumber, entry }
  }
}

/** The row states no balance and does not affect the next one's. */
const movesNothing = ({ readings, balanceMinor }: BalancedRow): boolean =>
  balanceMinor === undefined && readings.every(({ got }) => got === 'passed_over')

/**
 * A fee may be deducted from the balance with its movement or in a row of its own; rows that are not lines prove
 * nothing.
 */
function signShown({ readings: [reading], balanceMinor }: BalancedRow, older: BalancedRow): BalanceVerdict | undefined {
  if (balanceMinor === undefined || older.balanceMinor === undefined || reading?.got !== 'line') return undefined
  const { direction, amount, fee } = reading.line
  const change = balanceMinor - older.balanceMinor
  const feeMinor = fee?.amountMinor ?? 0n
  const moved = direction === 'in' ? amount.amountMinor : -amount.amountMinor
  if (change === 0n) return undefined
  if (change === moved - feeMinor || change === moved) return 'agrees'
  // It would agree with the opposite sign.
  if (moved === 0n) return change === feeMinor ? 'contradicts' : undefined
  return change === -moved || change === -moved - feeMinor ? 'contradicts' : undefined
}

type BalanceVerdict = 'agrees' | 'contradicts'

/** Determines the order by the rows' times; if these do not differ, by which order agrees with more balances. */
function orderOf(rows: readonly BalancedRow[]): Order | undefined {
  const pairs = rows.slice(1).map((row, index) => [rows[index] ?? row, row] as const)
  const byTime = pairs.reduce((sum, [one, other]) => sum + Math.sign(ageOf(other) - ageOf(one) || 0), 0)
  const agreeing = (row: BalancedRow, older: BalancedRow): number => (signShown(row, older) === 'agrees' ? 1 : 0)
  const byBalance = pairs.reduce((sum, [one, other]) => sum + agreeing(other, one) - agreeing(one, other), 0)
  const likely = byTime || byBalance
  if (likely === 0) return undefined
  return likely > 0 ? 'oldest_first' : 'newest_first'
}

const ageOf = ({ at }: BalancedRow): number => at?.getTime() ?? Number.NaN
