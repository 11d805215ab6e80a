import { written } from './amount.ts'
import type { StatementFormat } from './format.ts'
import { UnreadableStatement, type Reading, type UnclearEntry } from './reading.ts'

/** A row with what the file says of the balance after it. */
export interface BalancedRow {
  readonly lineNumber: number
  readonly readings: readonly Reading[]
  /** In minor units; absent where none can be read: what is beside it cannot be compared. */
  readonly balanceMinor?: bigint
  readonly at?: Date
  /** It is of another currency, and so is its balance. */
  readonly isElsewhere?: true
}

/** From so many rows it is found out whether the oldest or the newest comes first. */
const ROWS_FOR_ORDER = 500
/** So many rows against their balance, and more than those that agree, are no odd rows. */
const CONTRADICTIONS_MAX = 3

type Order = 'oldest_first' | 'newest_first'

/**
 * Holds each line against the running balance: one whose sign was misread changes it by as much as it should, the other
 * way. Other differences say nothing: exports leave rows out, and some write one balance for several rows.
 * @throws UnreadableStatement where most lines go against it: it is not the rows that are wrong
 */
export async function* checkedByBalance(
  rows: AsyncIterable<BalancedRow>,
  format: StatementFormat,
): AsyncGenerator<Reading> {
  const check = new BalanceCheck(format)
  const first: BalancedRow[] = []
  let order: Order | undefined
  let isDecided = false
  let before: BalancedRow | undefined
  const next = function* (row: BalancedRow): Generator<Reading> {
    if (row.isElsewhere || movesNothing(row)) return yield* row.readings
    // The newest first: what a row did shows once the one below it is there.
    if (order === 'newest_first') {
      if (before) yield* check.readingsOf(before, row)
    } else yield* check.readingsOf(row, order && before)
    before = row
  }
  const decide = function* (): Generator<Reading> {
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

  /** @param older the row whose balance was there before it */
  *readingsOf(row: BalancedRow, older: BalancedRow | undefined): Generator<Reading> {
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

  private doubted(reading: Reading, from = 0n, to = 0n): Reading {
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

/** It tells no balance and has no part in the next one's. */
const movesNothing = ({ readings, balanceMinor }: BalancedRow): boolean =>
  balanceMinor === undefined && readings.every(({ got }) => got === 'passed_over')

/** A fee may be taken from the balance with its movement or in a row of its own; of rows that are no lines nothing shows. */
function signShown({ readings: [reading], balanceMinor }: BalancedRow, older: BalancedRow): Sign | undefined {
  if (balanceMinor === undefined || older.balanceMinor === undefined || reading?.got !== 'line') return undefined
  const { direction, amount, fee } = reading.line
  const change = balanceMinor - older.balanceMinor
  const feeMinor = fee?.amountMinor ?? 0n
  const moved = direction === 'in' ? amount.amountMinor : -amount.amountMinor
  if (change === 0n) return undefined
  if (change === moved - feeMinor || change === moved) return 'agrees'
  // Read with the other sign it would agree.
  if (moved === 0n) return change === feeMinor ? 'contradicts' : undefined
  return change === -moved || change === -moved - feeMinor ? 'contradicts' : undefined
}

type Sign = 'agrees' | 'contradicts'

/** By their times; where these are of one day, by which order agrees with more balances. */
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
