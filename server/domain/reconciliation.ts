import type { TransactionType } from './provider.ts'
import type { TransactionStatus } from './transaction.ts'

/**
 * What can be wrong between our book and an operator's statement.
 * - `missing_at_operator`: we have booked it, and the statement does not have it though its time is over.
 * - `missing_with_us`: the statement has it, and we have not booked it: nobody knows it, or its order failed here.
 * - `amount_differs`, `fee_differs`: both have it, and do not say the same.
 * - `duplicate`: the operator has moved the money of one order more than once.
 * - `late`: all agrees, and it was booked later than the window allows.
 * - `unclear`: an entry of the statement of which only a part can be read.
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

/** A line of a statement, as far as it is judged. Amounts in minor units of the installation's currency. */
export interface MovedLine {
  readonly id: bigint
  readonly reference: string
  readonly occurrence: number
  readonly at: Date
  readonly direction: 'in' | 'out'
  /** Zero: it tells a fee and nothing else. */
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  /** Absent: no fee is surprising. */
  readonly expectedFeeMinor?: bigint
}

/** A line that counts for no movement until somebody decides, as far as it is known. */
export interface DoubtfulLine {
  readonly id: bigint
  readonly doubt: 'unclear' | 'maybe_repeated'
  readonly direction?: 'in' | 'out'
  readonly amountMinor?: bigint
}

/** An order that went to the installation. */
export interface HandedOrder {
  readonly transactionId: bigint
  readonly type: TransactionType
  readonly status: TransactionStatus
  /** What the operator was asked to move. */
  readonly amountMinor: bigint
  readonly finalAt?: Date
}

/** An order with the lines that are about it, or lines that are about no order that we know. */
export interface Subject {
  readonly order?: HandedOrder
  readonly lines: readonly MovedLine[]
  readonly doubtful?: readonly DoubtfulLine[]
}

export interface Rules {
  /** How much later a line may be booked than we heard of it, in milliseconds. */
  readonly windowMs: number
  /** The statements are complete between these. */
  readonly from: Date
  readonly until: Date
}

export interface Difference {
  readonly kind: ExceptionKind
  readonly line?: MovedLine | DoubtfulLine
  readonly expectedMinor?: bigint
  readonly foundMinor?: bigint
  /** What is to wait on the suspense account: above zero there is more money than we have booked. */
  readonly suspenseMinor: bigint
  /** Which account is put right by that. */
  readonly corrected: 'rail' | 'fee'
}

const DIRECTIONS = { COLLECTION: 'in', PAYOUT: 'out' } as const satisfies Record<TransactionType, 'in' | 'out'>

/** What a movement adds to our money at the operator. */
const effectOf = (direction: 'in' | 'out', amountMinor: bigint): bigint =>
  direction === 'in' ? amountMinor : -amountMinor

/**
 * Everything that is wrong with a subject now. What the suspense account holds for them is, in sum, what the operator
 * moved less what we have booked: whatever comes in which order, the same lines and orders give the same.
 */
export function judge(subject: Subject, rules: Rules): readonly Difference[] {
  const payments = inOrder(subject)
  const differences = subject.order
    ? ofOrder(subject.order, payments, rules)
    : payments.filter((line) => isOver(line.at, rules)).map(unknown)
  return [...differences, ...ofFees(subject, payments, rules), ...(subject.doubtful ?? []).map(inDoubt)]
}

/** Whether what happened then must be on a statement by now, if it ever will. */
const isOver = (at: Date, { windowMs, until }: Rules): boolean => at.getTime() + windowMs <= until.getTime()
/** Whether a statement could have it: what was booked before the first one counts for none of them. */
const isCovered = (at: Date, { windowMs, from }: Rules): boolean => at.getTime() - windowMs >= from.getTime()

/** Lines that move money: the one that is the order's own first. What decides is in the lines, not when they were read. */
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
 * What an unclear entry moved has moved, whatever part of it is a fee. Whether a line that may be a repetition has moved
 * anything is the question itself.
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
  // It is ended by its line: until that is done, nothing is wrong with it.
  return order.status === 'PROCESSING' ? [] : [unknown(line)]
}

/** A fee may stand in the line of its movement or in one of its own: all that a subject cost counts. */
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
