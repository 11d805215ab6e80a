import type { Failure, FailureCode } from './failure-code.ts'
import type { Money } from './money.ts'
import type { OrderType, TransactionMethod } from './provider.ts'

export type TransactionStatus = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'

/** The gateway's record. Charge and totals are those of acceptance; `reported…` below is what others see. */
export interface Transaction {
  readonly id: bigint
  readonly merchantId: bigint
  readonly merchantReference: string
  readonly internalReference: string
  readonly type: OrderType
  /**
   * Of a COLLECTION: it is one of several attempts to collect on the payment page (attempts.ts). For its rail and for
   * limits it is like any other; its merchant sees the collection that it belongs to.
   */
  readonly isAttempt?: true
  readonly method: TransactionMethod
  readonly providerCode: string
  readonly account: string
  readonly request: Money
  /** In the provider's currency, like charge and total. */
  readonly amount: Money
  readonly chargeMinor: bigint
  /** total_credit of a collection or attempt, total_debit of a payout or refund. */
  readonly totalMinor: bigint
  readonly chargeCustomer: boolean
  readonly allowFinalStatusChange: boolean
  readonly customerName?: string
  readonly institutionName?: string
  /** The destination of a bank payout. */
  readonly bankCode?: string
  readonly branchCode?: string
  readonly status: TransactionStatus
  readonly statusMessage: string
  /** For FAILED or CANCELLED, if a code is known. */
  readonly failureCode?: FailureCode
  readonly createdAt: Date
  readonly finalAt?: Date
  /**
   * Our order id, generated and committed before the order is sent: while it is set, the operator may have the order.
   * Absent: nothing was sent, or the only try certainly never arrived.
   */
  readonly railOrderId?: string
  /**
   * The rail account that got that order: only that account may be queried about it. Absent: none, as in the sandbox.
   */
  readonly railAccount?: string
  /**
   * When the rail reported that it had paid what is FAILED here and could not be booked, or a message that did not
   * match the payout claimed that while it was PROCESSING. Once the payout is FAILED, staff settles it. Collections
   * never have it. Of a completed attempt: its money is on suspense, because its collection had no use for it.
   */
  readonly railPaidAt?: Date
  /** Of a refund only. */
  readonly refund?: RefundDetails
  /** The span of the accepting request, in the format of W3C Trace Context. Absent: its trace is not sampled. */
  readonly traceparent?: string | undefined
}

/** How a refund goes out: by the rail's own refund, or by a payout to the account that paid. */
export type RefundWay = 'refund' | 'payout'

/** What a refund stores of its collection: everything that its order needs, fixed at acceptance. */
export interface RefundDetails {
  readonly way: RefundWay
  readonly reason: string
  /** It gives back what lies on suspense: `collection` is then the attempt that has paid, and no wallet pays. */
  readonly fromSuspense?: true
  /** The collection's references. */
  readonly collection: { readonly internalReference: string; readonly merchantReference: string }
  /** Of the collection's order: absent where it never had one. */
  readonly orderId?: string
  readonly railAccount?: string
  /** What the customer paid, in minor units. */
  readonly paidMinor: string
  /** Absent: stored by an older version. */
  readonly collectionId?: string
  readonly externalIds: Readonly<Record<string, string>>
}

/** Whether it gives back what lies on suspense: its merchant neither pays for it nor hears of it. */
export const isReturn = ({ refund }: Pick<Transaction, 'refund'>): boolean => refund?.fromSuspense === true

/** The outcome of an order as the rail reports it. `unknown` is not an outcome: unknown is not failed. */
export type RailOutcome = { readonly status: 'COMPLETED' } | ({ readonly status: 'FAILED' } & Failure)

export const STATUS_MESSAGES = {
  pending: 'Transaction Pending',
  awaitingOtp: 'Waiting for the one-time password',
  suspended: 'Waiting: the merchant account is suspended',
  awaitingFloat: 'Waiting: the operator has no float for this payout',
  awaitingOperator: 'Waiting: the operator does not answer',
  awaitingReceipt: 'Waiting: the operator has not named the payment that is given back yet',
  awaitingCustomer: 'Waiting for the customer to pay',
  awaitingApproval: "Waiting for the customer's approval",
  awaitingApprover: "Waiting for the merchant's approver",
  awaitingRail: 'Transaction Processing',
  completed: 'Transaction Completed Successfully',
} as const

/** Without a result for this long, the rail is queried again. */
export const POLL_RAIL_AFTER_MS = 10 * 60 * 1000
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

export const MERCHANT_CANCELLED = {
  reason: 'Payout cancelled by the merchant',
  code: 'merchant_cancelled',
} as const satisfies Failure

/** No attempt arrived, and no more are made. */
export const NEVER_SENT = {
  status: 'FAILED',
  reason: 'The payment was never sent: the operator did not take it',
  code: 'operator_error',
} as const satisfies RailOutcome

/** How long a payout waits before it looks again whether its merchant is still suspended. Resuming wakes it at once. */
export const SUSPENDED_RETRY_MS = 60_000

/**
 * Whether a day has passed since acceptance: then, and only if the rail confirms that nothing moved, the transaction
 * fails.
 * @param resumedAt for an order that was never sent: when its merchant's suspension ended, from which the day counts
 */
export const gaveUp = ({ createdAt }: Transaction, now: Date, resumedAt: Date = createdAt): boolean =>
  now.getTime() - Math.max(createdAt.getTime(), resumedAt.getTime()) >= GIVE_UP_AFTER_MS

/** Backoff for an unreachable rail: 1 s, 2 s, 4 s … 5 min. */
export const unreachableRetryMs = (attempt: number): number =>
  Math.min(1000 * 2 ** Math.min(attempt - 1, 20), UNREACHABLE_RETRY_MAX_MS)

/** Whether its order causes a prompt on the customer's phone. */
export const promptsPhone = ({ type, method }: Transaction): boolean =>
  type === 'COLLECTION' && method === 'MOBILE_MONEY'

/** Whether the state is final. A late completion may still follow a failure: see `settle`. */
export const isFinal = (status: TransactionStatus): boolean =>
  status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELLED'

/**
 * The effect of a rail's result on a transaction: a new state, a payment that is not booked, or only an event in its
 * history.
 */
export type Settlement =
  | { readonly effect: 'settled'; readonly transaction: Transaction }
  | { readonly effect: 'not_booked'; readonly transaction: Transaction; readonly why: string }
  | { readonly effect: 'recorded'; readonly why: string }

type NotBooked = Extract<Settlement, { effect: 'not_booked' }>

/**
 * Applies a rail's result. A final state stays, except that a late COMPLETED may replace FAILED within 72 hours when
 * the merchant allowed it (decisions: lifecycle). Repeated results have no further effect.
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
    return { effect: 'recorded', why: 'The rail repeated its late COMPLETED: staff must settle it' }
  // The rules below are those of its collection: see `afterAttempt`.
  if (transaction.isAttempt) return settled(transaction, outcome, now)
  const why = whyNotBooked(transaction, now)
  if (why === undefined) return settled(transaction, outcome, now)
  // A collection's customer has paid: that can be credited to the merchant later. A payout has cost us money that no
  // wallet has paid for. So has a refund; it is never booked late, because another one may have taken its place.
  return transaction.type !== 'COLLECTION'
    ? notBooked(transaction, `${why}, staff must settle it`, now)
    : { effect: 'recorded', why }
}

/** Whether a success may still replace the failure. */
export const isLateInTime = (failed: Transaction, now: Date): boolean => whyNotBooked(failed, now) === undefined

function whyNotBooked({ allowFinalStatusChange, finalAt }: Transaction, now: Date): string | undefined {
  if (!allowFinalStatusChange) return 'Late COMPLETED: allow_final_status_change is false, the state stays'
  const lateMs = now.getTime() - (finalAt ?? now).getTime()
  return lateMs > LATE_RESULT_WINDOW_MS ? 'Late COMPLETED after more than 72 hours: the state stays' : undefined
}

/**
 * A message claims that a payout was paid, and does not match it, so nothing is booked. If the payout is FAILED, now
 * or later, the money may be gone all the same: staff must be alerted.
 * @returns undefined if the claim changes nothing
 */
export function claimedAsPaid(transaction: Transaction, why: string, now: Date): NotBooked | undefined {
  const { type, status, railPaidAt } = transaction
  if (type === 'COLLECTION' || railPaidAt !== undefined) return undefined
  return status === 'FAILED' || status === 'PROCESSING' ? notBooked(transaction, why, now) : undefined
}

/**
 * The rail has paid a payout that is FAILED here and cannot be booked now: a state of its own, which only staff ends.
 */
export const notBooked = (transaction: Transaction, why: string, now: Date): NotBooked => ({
  effect: 'not_booked',
  transaction: { ...transaction, railPaidAt: now },
  why,
})

/** The rail has paid it after its failure, and that could not be booked: staff decides. */
export const isPaidNotBooked = ({ status, railPaidAt }: Transaction): boolean =>
  status === 'FAILED' && railPaidAt !== undefined

/** Staff settles a payout that the rail has paid and that was not booked: it is completed after all. */
export function bookAfterAll(transaction: Transaction, now: Date): Transaction {
  if (!isPaidNotBooked(transaction))
    throw new Error(`${transaction.internalReference} is no payment that waits to be booked`)
  return completed(transaction, now)
}

/** Staff knows that the rail has reversed its payment: the payout failed after all. */
export const neverPaid = ({ railPaidAt: _taken, ...transaction }: Transaction): Transaction => transaction

/** The order id and the rail account of an order that is about to be sent. */
interface Handover {
  readonly orderId: string
  readonly railAccount: string | undefined
}

/**
 * PENDING → PROCESSING: stored before the rail is called, so that after a crash the rail can be queried about the
 * order. Whether the order arrives is not known yet, so the status message does not say that the customer was
 * prompted: that is `asShown`.
 */
export const handToRail = (transaction: Transaction, handover: Handover | undefined): Transaction => ({
  ...transaction,
  status: 'PROCESSING',
  statusMessage: STATUS_MESSAGES.awaitingRail,
  ...(handover && { railOrderId: handover.orderId }),
  ...(handover?.railAccount !== undefined && { railAccount: handover.railAccount }),
})

/** The only try certainly never arrived: even a rail that must not get an order twice gets it, under another id. */
export const neverSent = ({
  railOrderId: _unused,
  railAccount: _unreached,
  ...transaction
}: Transaction): Transaction => transaction

/**
 * The transaction as people read it: a collection that its rail has accepted waits for its customer. The next job
 * shows that, so no row stores it. A transaction that is not PROCESSING stays unchanged.
 */
export const asShown = (transaction: Transaction, isWithRail: boolean): Transaction =>
  isWithRail && transaction.status === 'PROCESSING' && transaction.type === 'COLLECTION'
    ? { ...transaction, statusMessage: STATUS_MESSAGES.awaitingApproval }
    : transaction

/** Whether no operator may have its order: it waits for something, or its only try certainly never arrived. */
export const isUnsent = ({ status, railOrderId }: Transaction): boolean =>
  status === 'PENDING' || (railOrderId === undefined && status === 'PROCESSING')

/** → FAILED or CANCELLED while no order was sent: expired, out of tries, or cancelled. */
export function endPending(
  transaction: Transaction,
  status: 'FAILED' | 'CANCELLED',
  failure: Failure,
  now: Date,
): Transaction {
  if (!isUnsent(transaction)) throw new Error(`${transaction.internalReference} may have been sent`)
  return failed(transaction, status, failure, now)
}

const settled = (transaction: Transaction, outcome: RailOutcome, now: Date): Settlement => ({
  effect: 'settled',
  transaction:
    outcome.status === 'COMPLETED' ? completed(transaction, now) : failed(transaction, outcome.status, outcome, now),
})

/** The collection completed by one of its attempts: provider, account, charge and rail order are those of the attempt. */
export function paidBy(collection: Transaction, attempt: Transaction, now: Date): Transaction {
  const { providerCode, account, institutionName, chargeMinor, totalMinor, railOrderId, railAccount } = attempt
  const { institutionName: _other, ...rest } = collection
  return completed(
    {
      ...rest,
      providerCode,
      account,
      ...(institutionName !== undefined && { institutionName }),
      chargeMinor,
      totalMinor,
      ...(railOrderId !== undefined && { railOrderId }),
      ...(railAccount !== undefined && { railAccount }),
    },
    now,
  )
}

/** The collection failed as its last attempt did. */
export const failedAs = (
  collection: Transaction,
  { statusMessage, failureCode }: Transaction,
  now: Date,
): Transaction =>
  failed(collection, 'FAILED', { reason: statusMessage, ...(failureCode !== undefined && { code: failureCode }) }, now)

/** Drops the failure code of an earlier failure: money has moved after all. */
export const completed = ({ failureCode: _before, ...transaction }: Transaction, now: Date): Transaction => ({
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

/** The reported charge: zero when nothing moved. */
export const reportedChargeMinor = (transaction: Transaction): bigint =>
  nothingMoved(transaction) ? 0n : transaction.chargeMinor

/** The reported total: zero when nothing moved. */
export const reportedTotalMinor = (transaction: Transaction): bigint =>
  nothingMoved(transaction) ? 0n : transaction.totalMinor
