import type { Failure, FailureCode } from './failure-code.ts'
import type { Money } from './money.ts'
import type { TransactionMethod, TransactionType } from './provider.ts'

export type TransactionStatus = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'

/**
 * What the gateway knows of a collection or payout. Charge and totals are those of acceptance; `reported…` below is
 * what others are told.
 */
export interface Transaction {
  readonly id: bigint
  readonly merchantId: bigint
  readonly merchantReference: string
  readonly internalReference: string
  readonly type: TransactionType
  readonly method: TransactionMethod
  readonly providerCode: string
  readonly account: string
  readonly request: Money
  /** In the provider's currency; charge and total are in it too. */
  readonly amount: Money
  readonly chargeMinor: bigint
  /** total_credit of a collection, total_debit of a payout. */
  readonly totalMinor: bigint
  readonly chargeCustomer: boolean
  readonly allowFinalStatusChange: boolean
  readonly customerName?: string
  readonly institutionName?: string
  /** Where a bank payout goes. */
  readonly bankCode?: string
  readonly branchCode?: string
  readonly status: TransactionStatus
  readonly statusMessage: string
  /** Of what is FAILED or CANCELLED, where one is known. */
  readonly failureCode?: FailureCode
  readonly createdAt: Date
  readonly finalAt?: Date
  /**
   * Our id for the operator, drawn and committed before the order goes out: while it stands here, the operator may have
   * the order. Absent: nothing was sent, or the only try certainly never arrived.
   */
  readonly railOrderId?: string
  /** Which installation of a rail got that order: it alone may be asked about it. Absent: no installation, as in the sandbox. */
  readonly railInstallation?: string
  /**
   * When the rail said that it had paid what is FAILED here and could not be booked, or a message said so of what is
   * PROCESSING and did not fit it: once it is FAILED, an operator settles it. Only payouts have it.
   */
  readonly railPaidAt?: Date
  /** The span of the request that it was accepted with, as W3C Trace Context writes it. Absent: its trace is not kept. */
  readonly traceparent?: string | undefined
}

/** What a rail says became of an order. `unknown` is not an outcome: unknown is not failed. */
export type RailOutcome = { readonly status: 'COMPLETED' } | ({ readonly status: 'FAILED' } & Failure)

export const STATUS_MESSAGES = {
  pending: 'Transaction Pending',
  awaitingOtp: 'Waiting for the one-time password',
  awaitingApproval: "Waiting for the customer's approval",
  awaitingRail: 'Transaction Processing',
  completed: 'Transaction Completed Successfully',
} as const

/** A rail that gives no result for this long is asked again. */
export const ASK_RAIL_AFTER_MS = 10 * 60 * 1000
/** After this long without a result, and only if the rail confirms that nothing moved, the transaction fails. */
export const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1000
/** How long after FAILED a late result may still turn into COMPLETED. */
export const LATE_RESULT_WINDOW_MS = 72 * 60 * 60 * 1000
const UNREACHABLE_RETRY_MAX_MS = 5 * 60 * 1000
export const UNCOVERED = {
  reason: 'Insufficient balance for the transaction',
  code: 'insufficient_funds',
} as const satisfies Failure
export const TIMED_OUT = {
  status: 'FAILED',
  reason: 'The request timed out without a transfer',
  code: 'expired',
} as const satisfies RailOutcome

/** None of the attempts arrived, and no more are made. */
export const NEVER_SENT = {
  status: 'FAILED',
  reason: 'The payment was never sent: the operator did not take it',
  code: 'operator_error',
} as const satisfies RailOutcome

/**
 * Whether a day has passed since acceptance: then, and only if the rail confirms that nothing moved, the transaction
 * fails.
 */
export const gaveUp = ({ createdAt }: Transaction, now: Date): boolean =>
  now.getTime() - createdAt.getTime() >= GIVE_UP_AFTER_MS

/** How long to wait before an unreachable rail is tried again: 1 s, 2 s, 4 s … 5 min. */
export const unreachableRetryMs = (attempt: number): number =>
  Math.min(1000 * 2 ** Math.min(attempt - 1, 20), UNREACHABLE_RETRY_MAX_MS)

/** Whether its order makes the customer's phone ask for approval. */
export const promptsPhone = ({ type, method }: Transaction): boolean =>
  type === 'COLLECTION' && method === 'MOBILE_MONEY'

/** Whether it has ended. A failure may still be followed by a late completion: see `settle`. */
export const isFinal = (status: TransactionStatus): boolean =>
  status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELLED'

/**
 * What a result of the rail does to a transaction: a new state, a payment that is not booked, or nothing but a line in
 * its history.
 */
export type Settlement =
  | { readonly effect: 'settled'; readonly transaction: Transaction }
  | { readonly effect: 'not_booked'; readonly transaction: Transaction; readonly why: string }
  | { readonly effect: 'recorded'; readonly why: string }

export type NotBooked = Extract<Settlement, { effect: 'not_booked' }>

/**
 * Applies a rail's result. A final state stays, except that a late COMPLETED may replace FAILED within 72 hours when
 * the merchant allowed it (decisions: lifecycle). Repeated results have no second effect.
 */
export function settle(transaction: Transaction, outcome: RailOutcome, now: Date): Settlement {
  const { status } = transaction
  if (status === 'PROCESSING') return settled(transaction, outcome, now)
  if (status === 'PENDING')
    return { effect: 'recorded', why: `The rail reported ${outcome.status} for what was never sent to it` }
  if (status === outcome.status) return { effect: 'recorded', why: `The rail repeated ${outcome.status}` }
  if (status === 'FAILED') return lateCompletion(transaction, outcome, now)
  return { effect: 'recorded', why: `The rail reported ${outcome.status} after ${status}: the state stays` }
}

function lateCompletion(transaction: Transaction, outcome: RailOutcome, now: Date): Settlement {
  if (isPaidNotBooked(transaction))
    return { effect: 'recorded', why: 'The rail repeated its late COMPLETED: an operator must settle it' }
  const why = whyNotBooked(transaction, now)
  if (why === undefined) return settled(transaction, outcome, now)
  // A collection's customer has paid: that is to the merchant's good, later. A payout has cost us money that no wallet
  // has paid for.
  return transaction.type === 'PAYOUT'
    ? notBooked(transaction, `${why}, an operator must settle it`, now)
    : { effect: 'recorded', why }
}

function whyNotBooked({ allowFinalStatusChange, finalAt }: Transaction, now: Date): string | undefined {
  if (!allowFinalStatusChange) return 'Late COMPLETED: allow_final_status_change is false, the state stays'
  const lateMs = now.getTime() - (finalAt ?? now).getTime()
  return lateMs > LATE_RESULT_WINDOW_MS ? 'Late COMPLETED after more than 72 hours: the state stays' : undefined
}

/**
 * A message says that a payout was paid, and does not fit it, so nothing is booked. If the payout is FAILED, now or
 * later, the money may be gone all the same: that must not stay quiet.
 * @returns undefined where the claim changes nothing
 */
export function claimedAsPaid(transaction: Transaction, why: string, now: Date): NotBooked | undefined {
  const { type, status, railPaidAt } = transaction
  if (type !== 'PAYOUT' || railPaidAt !== undefined) return undefined
  return status === 'FAILED' || status === 'PROCESSING' ? notBooked(transaction, why, now) : undefined
}

/**
 * The rail has paid a payout that is FAILED here and cannot be booked now: that is a state of its own, which only an
 * operator ends.
 */
export const notBooked = (transaction: Transaction, why: string, now: Date): NotBooked => ({
  effect: 'not_booked',
  transaction: { ...transaction, railPaidAt: now },
  why,
})

/** The rail has paid it after its failure, and that could not be booked: an operator decides. */
export const isPaidNotBooked = ({ status, railPaidAt }: Transaction): boolean =>
  status === 'FAILED' && railPaidAt !== undefined

/** An operator settles what the rail has paid and nobody booked: it is completed after all. */
export function bookAfterAll(transaction: Transaction, now: Date): Transaction {
  if (!isPaidNotBooked(transaction))
    throw new Error(`${transaction.internalReference} is no payment that waits to be booked`)
  return completed(transaction, now)
}

/** An operator knows that the rail has taken its payment back: it failed after all. */
export const neverPaid = ({ railPaidAt: _taken, ...transaction }: Transaction): Transaction => transaction

/** Under which id an order goes out, and to which installation of a rail. */
export interface Handover {
  readonly orderId: string
  readonly installation: string | undefined
}

/**
 * PENDING → PROCESSING: stored before the rail hears of it, so that a crash leaves something we can ask the rail about.
 * Whether it got there is not known yet, so nobody is told that the customer was asked: that is `asShown`.
 */
export const handToRail = (transaction: Transaction, handover: Handover | undefined): Transaction => ({
  ...transaction,
  status: 'PROCESSING',
  statusMessage: STATUS_MESSAGES.awaitingRail,
  ...(handover && { railOrderId: handover.orderId }),
  ...(handover?.installation !== undefined && { railInstallation: handover.installation }),
})

/** Its only try certainly never arrived: also a rail that must not get an order twice may get it, under another id. */
export const neverSent = ({
  railOrderId: _unused,
  railInstallation: _unreached,
  ...transaction
}: Transaction): Transaction => transaction

/**
 * As people read it: a collection that its rail has taken waits for its customer. What is to be done next tells that, and
 * no row repeats it. Of a transaction that is not PROCESSING nothing changes.
 */
export const asShown = (transaction: Transaction, isWithRail: boolean): Transaction =>
  isWithRail && transaction.status === 'PROCESSING' && transaction.type === 'COLLECTION'
    ? { ...transaction, statusMessage: STATUS_MESSAGES.awaitingApproval }
    : transaction

/**
 * PENDING → FAILED or CANCELLED before a rail ever heard of it: expired, out of tries, or cancelled by the customer.
 */
export function endPending(
  transaction: Transaction,
  status: 'FAILED' | 'CANCELLED',
  failure: Failure,
  now: Date,
): Transaction {
  if (transaction.status !== 'PENDING')
    throw new Error(`${transaction.internalReference} is ${transaction.status}, not PENDING`)
  return failed(transaction, status, failure, now)
}

const settled = (transaction: Transaction, outcome: RailOutcome, now: Date): Settlement => ({
  effect: 'settled',
  transaction:
    outcome.status === 'COMPLETED' ? completed(transaction, now) : failed(transaction, outcome.status, outcome, now),
})

/** What a failure before it left behind goes: money has moved after all. */
const completed = ({ failureCode: _before, ...transaction }: Transaction, now: Date): Transaction => ({
  ...transaction,
  status: 'COMPLETED',
  statusMessage: STATUS_MESSAGES.completed,
  finalAt: now,
})

const failed = (
  transaction: Transaction,
  status: 'FAILED' | 'CANCELLED',
  { reason, code }: Failure,
  now: Date,
): Transaction => ({
  ...transaction,
  status,
  statusMessage: reason,
  ...(code !== undefined && { failureCode: code }),
  finalAt: now,
})

/** FAILED and CANCELLED: no charge, no total, nothing that counts toward a limit. */
export const nothingMoved = ({ status }: Transaction): boolean => status === 'FAILED' || status === 'CANCELLED'

/** The charge others are told: zero when nothing moved. */
export const reportedChargeMinor = (transaction: Transaction): bigint =>
  nothingMoved(transaction) ? 0n : transaction.chargeMinor

/**
 * The code others are told: none when money moved, also where a process of before codes completed what one of now had
 * failed.
 */
export const reportedFailureCode = (transaction: Transaction): FailureCode | undefined =>
  nothingMoved(transaction) ? transaction.failureCode : undefined

/** The total others are told: zero when nothing moved. */
export const reportedTotalMinor = (transaction: Transaction): bigint =>
  nothingMoved(transaction) ? 0n : transaction.totalMinor
