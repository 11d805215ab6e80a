import type { Failure } from '../domain/failure-code.ts'
import { gaveUp, NEVER_SENT, TIMED_OUT, unreachableRetryMs, type Transaction } from '../domain/transaction.ts'
import { isWorthReporting, traitsOf } from './rail-order.ts'
import { jobKindFor, type Job, type JobKind } from './ports/jobs.ts'
import type { Rail, RailAnswer, RailKnowledge, RailReport } from './ports/rail.ts'
import type { OrderNames } from './ports/rail-references.ts'
import type { TransactionEvent } from './ports/transactions.ts'

// The decisions of `submitToRail` about one order. They read nothing and write nothing.

export interface Order {
  readonly item: Job
  readonly transaction: Transaction
  readonly names?: OrderNames | undefined
  /** Of a refund: what is known of its collection's order by now. */
  readonly collection?: OrderNames | undefined
  /** It was sent before, as far as is known. */
  readonly isAgain: boolean
  /** When the worker last proved that it holds the job. */
  readonly heldAt: Date
}

/** Reply to an order, or to a query about it. */
type OrderReply = RailAnswer &
  Partial<Pick<Extract<RailKnowledge, { readonly knows: 'unreachable' }>, 'question' | 'unmappedCode'>>

export interface RepliedOrder {
  readonly order: Order
  readonly answer: OrderReply
  /** It was sent, or may have been; absent: it was queried, or it was not sent. */
  readonly isSent?: boolean
}

/** Whether a query to the rail confirms that nothing moved for an order that it never received. */
export function canConfirm(rail: Rail, transaction: Transaction): boolean {
  const { repeat, unanswered } = traitsOf(rail, transaction)
  return repeat === 'safe' && unanswered !== 'repeat'
}

/** Whether only a repeat of the order shows if it has arrived: see rule 3 of `submitToRail`. */
export function isRepeatedUnqueried(rail: Rail, transaction: Transaction): boolean {
  const { repeat, unanswered } = traitsOf(rail, transaction)
  return repeat === 'safe' && unanswered === 'repeat'
}

/**
 * For how long a worker that stood still after it committed an order may still send it, as far as others count on it.
 * It sends nothing after a twelfth of that: only one that stands still in the middle of the call exceeds the hour.
 */
const STILL_SENT_MS = 3_600_000
const SENDS_WITHIN_MS = STILL_SENT_MS / 12

/** Whether the worker did not stand still for so long that others may have failed the order meanwhile. */
export const maySend = ({ heldAt }: Pick<Order, 'heldAt'>, now: Date): boolean =>
  now.getTime() - heldAt.getTime() < SENDS_WITHIN_MS

/**
 * Whether an order that the rail does not know has failed: a day after its acceptance, and an hour after it was handed
 * over. A payout that waited, for an approval or while its merchant was suspended, is handed over late.
 */
export const gaveUpOrder = ({ transaction, names }: Pick<Order, 'transaction' | 'names'>, now: Date): boolean =>
  gaveUp(transaction, now) && now.getTime() - (names?.orderedAt?.getTime() ?? 0) >= STILL_SENT_MS

/**
 * What a query means for an order that may have arrived: rules 2 and 4 of `submitToRail`.
 * @returns undefined: the order is sent again
 */
export function afterQuery(rail: Rail, order: Order, knowledge: RailKnowledge, now: Date): OrderReply | undefined {
  if (knowledge.knows !== 'nothing_moved') return asReply(knowledge)
  if (traitsOf(rail, order.transaction).repeat === 'never')
    return { answer: 'unreachable', error: 'the rail does not know it' }
  return gaveUpOrder(order, now) ? { answer: 'outcome', outcome: TIMED_OUT } : undefined
}

/**
 * Whether a refusal says nothing about an earlier try, because that was not queried: it may have arrived, under
 * settings that have changed since.
 */
export const isDoubtfulRefusal = (rail: Rail, { isAgain, transaction }: Order, answer: RailAnswer): boolean =>
  isAgain && answer.answer === 'refused' && isRepeatedUnqueried(rail, transaction)

/** A doubtful refusal counts only if a query confirms that nothing moved: rule 3 of `submitToRail`. */
export function afterRefusal(refusal: RailAnswer, knowledge: RailKnowledge): OrderReply {
  if (knowledge.knows === 'nothing_moved') return refusal
  if (knowledge.knows !== 'unreachable') return asReply(knowledge)
  return { ...knowledge, answer: 'unreachable', error: 'refused now, and an earlier try may have arrived' }
}

function asReply(knowledge: Exclude<RailKnowledge, { readonly knows: 'nothing_moved' }>): OrderReply {
  switch (knowledge.knows) {
    case 'outcome':
      return { ...knowledge, answer: 'outcome' }
    case 'in_progress':
      return { ...knowledge, answer: 'accepted' }
    case 'unreachable':
      return { ...knowledge, answer: 'unreachable' }
  }
}

export type NextStep =
  | { readonly step: 'settle'; readonly report: RailReport }
  | {
      readonly step: 'go_on'
      readonly kind: JobKind
      readonly afterMs: number
      readonly event?: Pick<TransactionEvent, 'kind' | 'detail'>
    }

/**
 * The next step of an order after the reply to it.
 *
 *  1. An outcome and a refusal are final.
 *  2. `accepted`: the result is polled.
 *  3. `not_sent`: this try certainly never arrived. The order is submitted again with a backoff; after its last attempt
 *     it fails.
 *  4. `unreachable`: this try may have arrived. An order that must not be sent twice has an unknown outcome and is only
 *     polled from then on. Any other is submitted again with a backoff.
 */
export function nextStep(rail: Rail, { order, answer }: RepliedOrder): NextStep {
  const { transaction } = order
  const { internalReference } = transaction
  const { repeat, pollAfterMs } = traitsOf(rail, transaction)
  switch (answer.answer) {
    case 'outcome':
      return { step: 'settle', report: { internalReference, outcome: answer.outcome } }
    case 'refused':
      return { step: 'settle', report: { internalReference, outcome: failedAs(answer) } }
    case 'accepted':
      return { step: 'go_on', kind: jobKindFor(transaction, 'pollRail'), afterMs: pollAfterMs(0) }
    case 'not_sent':
      return isLastAttempt(rail, order, answer.attemptsMax)
        ? { step: 'settle', report: { internalReference, outcome: NEVER_SENT } }
        : submitAgain(order, answer.error)
    case 'unreachable':
      return repeat === 'never'
        ? resolveUnknownOutcome(order, pollAfterMs(0), answer.error)
        : submitAgain(order, answer.error)
  }
}

const submitAgain = ({ item: { attempt }, transaction }: Order, error: string): NextStep => ({
  step: 'go_on',
  kind: jobKindFor(transaction, 'submitToRail'),
  afterMs: unreachableRetryMs(attempt),
  ...(isWorthReporting(attempt) && { event: { kind: 'rail_unreachable', detail: error } }),
})

const resolveUnknownOutcome = ({ transaction }: Order, afterMs: number, error: string): NextStep => ({
  step: 'go_on',
  kind: jobKindFor(transaction, 'resolveUnknownOutcome'),
  afterMs,
  event: { kind: 'unresolved', detail: `No answer, and it must not be sent twice: ${error}` },
})

/**
 * Whether no attempt is left and none arrived. Where only a repeat of the order shows whether an earlier one arrived,
 * that is unknown: then only time limits the attempts.
 */
const isLastAttempt = (rail: Rail, { item, transaction, isAgain }: Order, attemptsMax: number | undefined): boolean =>
  attemptsMax !== undefined && item.attempt >= attemptsMax && !(isAgain && isRepeatedUnqueried(rail, transaction))

const failedAs = ({ reason, code }: Failure): RailReport['outcome'] => ({
  status: 'FAILED',
  reason,
  ...(code !== undefined && { code }),
})

/**
 * Whether the order loses its id, so that the next try is a new order: its only try certainly never arrived.
 *
 * An order that may be repeated keeps its id: other workers may have sent it too, or a paused worker may still send it.
 * So does one that was sent before, whatever its route is now: its rail account may have been removed since.
 */
export const losesOrderId = (rail: Rail, transaction: Transaction, { order, answer }: RepliedOrder): boolean =>
  answer.answer === 'not_sent' && !order.isAgain && traitsOf(rail, transaction).repeat === 'never'
