import type { OrderType } from './provider.ts'
import type { TransactionStatus } from './transaction.ts'

/**
 * Differences between our ledger and an operator's statement.
 * - `missing_at_operator`: we have booked it, and the statement does not have it although its window has passed.
 * - `missing_with_us`: the statement has it, and we have not booked it: no order is known for it, or its order failed
 *   here.
 * - `amount_differs`, `fee_differs`: both have it with different values.
 * - `duplicate`: the operator has moved the money of one order more than once.
 * - `late`: everything agrees, but it was booked later than the window allows.
 * - `unclear`: an entry of the statement that can be read only in part.
 * - `maybe_repeated`: a line that another statement has too: the same movement, or a second one.
 */
export const EXCEPTION_KINDS = [
  'missing_at_operator',
  'missing_with_us',
  'amount_differs',
  'fee_differs',
  'duplicate',
  'late',
  'unclear',
  'maybe_repeated',
] as const
export type ExceptionKind = (typeof EXCEPTION_KINDS)[number]

/** The part of a statement's line that is judged. Amounts in minor units of the rail account's currency. */
export interface MovedLine {
  readonly id: bigint
  readonly reference: string
  readonly occurrence: number
  readonly at: Date
  readonly direction: 'in' | 'out'
  /** Zero: the line has only a fee. */
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  /** Absent: no fee counts as a difference. */
  readonly expectedFeeMinor?: bigint
}

/** A line that does not count as a movement until staff decides, with the data that is known. */
export interface DoubtfulLine {
  readonly id: bigint
  readonly doubt: 'unclear' | 'maybe_repeated'
  readonly direction?: 'in' | 'out'
  readonly amountMinor?: bigint
}

/** An order that was sent to the rail account. */
export interface HandedOrder {
  readonly transactionId: bigint
  readonly type: OrderType
  readonly status: TransactionStatus
  /** The ordered amount. */
  readonly amountMinor: bigint
  readonly finalAt?: Date
}

/** An order with its statement lines, or lines without a known order. */
export interface Subject {
  readonly order?: HandedOrder
  readonly lines: readonly MovedLine[]
  readonly doubtful?: readonly DoubtfulLine[]
}

export interface Rules {
  /** How much later than our result the operator may book a line, in milliseconds. */
  readonly windowMs: number
  /** The statements are complete for this period. */
  readonly from: Date
  readonly until: Date
}

export interface Difference {
  readonly kind: ExceptionKind
  readonly line?: MovedLine | DoubtfulLine
  readonly expectedMinor?: bigint
  readonly foundMinor?: bigint
  /** The amount for the suspense account: above zero there is more money than we have booked. */
  readonly suspenseMinor: bigint
  /** The account that this corrects. */
  readonly corrected: 'rail' | 'fee'
}

const DIRECTIONS = { COLLECTION: 'in', PAYOUT: 'out', REFUND: 'out' } as const satisfies Record<OrderType, 'in' | 'out'>

/** The effect of a movement on our money at the operator. */
const effectOf = (direction: 'in' | 'out', amountMinor: bigint): bigint =>
  direction === 'in' ? amountMinor : -amountMinor

/**
 * All current differences of a subject. In sum, the suspense account holds what the operator has moved less what we
 * have booked. The result does not depend on the order of arrival: the same lines and orders give the same
 * differences.
 */
export function judge(subject: Subject, rules: Rules): readonly Difference[] {
  const payments = inOrder(subject)
  const differences = subject.order
    ? ofOrder(subject.order, payments, rules)
    : payments.filter((line) => isOver(line.at, rules)).map(unknown)
  return [...differences, ...ofFees(subject, payments, rules), ...(subject.doubtful ?? []).map(inDoubt)]
}

/** Whether a movement of that time must be on a statement by now, if it ever will be. */
const isOver = (at: Date, { windowMs, until }: Rules): boolean => at.getTime() + windowMs <= until.getTime()
/** Whether any statement can have it: bookings from before the first statement are not expected on any. */
const isCovered = (at: Date, { windowMs, from }: Rules): boolean => at.getTime() - windowMs >= from.getTime()

/**
 * Lines that move money, the order's own line first. The order depends on the content of the lines, not on when they
 * were read.
 */
function inOrder({ order, lines }: Subject): readonly MovedLine[] {
  const rank = (line: MovedLine): number => {
    if (!order || line.direction !== DIRECTIONS[order.type]) return 2
    return line.amountMinor === order.amountMinor ? 0 : 1
  }
  return lines
    .filter(({ amountMinor }) => amountMinor > 0n)
    .toSorted(
      (one, other) =>
        rank(one) - rank(other) ||
        one.at.getTime() - other.at.getTime() ||
        textOrder(one.reference, other.reference) ||
        one.occurrence - other.occurrence,
    )
}

function textOrder(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

const unknown = (line: MovedLine): Difference => ({
  kind: 'missing_with_us',
  line,
  foundMinor: line.amountMinor,
  suspenseMinor: effectOf(line.direction, line.amountMinor),
  corrected: 'rail',
})

/**
 * The amount of an unclear entry has moved, whatever part of it is a fee. Whether a line that may be a repetition has
 * moved anything is the open question.
 */
function inDoubt(line: DoubtfulLine): Difference {
  const { doubt, direction, amountMinor } = line
  const hasMoved = doubt === 'unclear' && direction !== undefined && amountMinor !== undefined
  return {
    kind: doubt,
    line,
    ...(amountMinor !== undefined && { foundMinor: amountMinor }),
    suspenseMinor: hasMoved ? effectOf(direction, amountMinor) : 0n,
    corrected: 'rail',
  }
}

function ofOrder(order: HandedOrder, payments: readonly MovedLine[], rules: Rules): readonly Difference[] {
  const direction = DIRECTIONS[order.type]
  const [own, ...repeated] = payments.filter((line) => line.direction === direction)
  const backwards = payments.filter((line) => line.direction !== direction).map(unknown)
  const duplicates = repeated.map((line) => ({ ...unknown(line), kind: 'duplicate' as const }))
  return [...(own ? ofOwnLine(order, own, rules) : ofMissing(order, rules)), ...duplicates, ...backwards]
}

const bookedOf = ({ status, type, amountMinor }: HandedOrder): bigint =>
  status === 'COMPLETED' ? effectOf(DIRECTIONS[type], amountMinor) : 0n

function ofMissing(order: HandedOrder, rules: Rules): readonly Difference[] {
  const { status, finalAt, amountMinor } = order
  if (status !== 'COMPLETED' || !finalAt || !isOver(finalAt, rules) || !isCovered(finalAt, rules)) return []
  return [
    {
      kind: 'missing_at_operator',
      expectedMinor: amountMinor,
      suspenseMinor: -bookedOf(order),
      corrected: 'rail',
    },
  ]
}

function ofOwnLine(order: HandedOrder, line: MovedLine, { windowMs }: Rules): readonly Difference[] {
  const found = { line, expectedMinor: order.amountMinor, foundMinor: line.amountMinor, corrected: 'rail' as const }
  if (line.amountMinor !== order.amountMinor)
    return [
      {
        kind: 'amount_differs',
        ...found,
        suspenseMinor: effectOf(line.direction, line.amountMinor) - bookedOf(order),
      },
    ]
  if (order.status === 'COMPLETED') {
    const isLate = order.finalAt !== undefined && line.at.getTime() - order.finalAt.getTime() > windowMs
    return isLate ? [{ kind: 'late', ...found, suspenseMinor: 0n }] : []
  }
  // Its line will complete it: until then there is no difference.
  return order.status === 'PROCESSING' ? [] : [unknown(line)]
}

/** Compares fees per subject: a fee may be in the line of its movement or in one of its own, so all of them count. */
function ofFees({ order, lines }: Subject, payments: readonly MovedLine[], rules: Rules): readonly Difference[] {
  const [line] = payments
  if (!line || (!order && !isOver(line.at, rules))) return []
  let expectedMinor = 0n
  for (const { expectedFeeMinor } of payments) {
    if (expectedFeeMinor === undefined) return []
    expectedMinor += expectedFeeMinor
  }
  const foundMinor = lines.reduce((sum, { feeMinor }) => sum + feeMinor, 0n)
  if (foundMinor === expectedMinor) return []
  return [
    {
      kind: 'fee_differs',
      line,
      expectedMinor,
      foundMinor,
      suspenseMinor: expectedMinor - foundMinor,
      corrected: 'fee',
    },
  ]
}
