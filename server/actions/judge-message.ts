import { confirmWithOperator, type Confirmation } from './confirm-with-operator.ts'
import { disagreement, isAnswerToUs, type MessageOrder } from './message-fits-order.ts'
import { externalIdsIn } from './rail-references.ts'
import type { Clock } from './ports/clock.ts'
import type { CallbackResult, RailCallbackStore, StoredRailCallback } from './ports/rail-callbacks.ts'
import type { CallbackReading, Rail, RailKnowledge, RailReferences, RailReport } from './ports/rail.ts'
import { isFinal, LATE_RESULT_WINDOW_MS, type Transaction } from '../domain/transaction.ts'

/** After this many queries an order without a final state is left to the ordinary polling. */
const QUERIED_BY_OTHERS_AFTER = 4
/** Retries for a message about an unknown id: it may overtake the commit that stores the id of an order or of a query. */
const UNKNOWN_ID_RETRIES = 3

export interface Verdict {
  /** `query_again`: the message stays open and is judged again later. */
  readonly result: CallbackResult | 'query_again'
  readonly detail: string
  readonly report?: RailReport
  /** Ids of an accepted verdict: those that only the message gives, and those from the operator's answer. */
  readonly idsOfMessage?: RailReferences
  readonly idsOfAnswer?: RailReferences
  /** The operator's id of a query that was sent because of this message. */
  readonly question?: string | undefined
  readonly unmappedCode?: string | undefined
  /** It claims that money moved, and is not trusted. `unqueried`: the operator cannot be queried either. */
  readonly claimsPaid?: 'unqueried' | 'unconfirmed'
}

interface JudgeDeps {
  readonly rail: Rail
  readonly railCallbacks: Pick<RailCallbackStore, 'transactionsCalled'>
  readonly clock: Clock
}

/**
 * Decides what a message about an order means. The message is a hint from somebody who knows the order's address:
 *
 *  1. A message that breaks the operator's contract is `unreadable`, and one that does not fit its order a `mismatch`.
 *  2. Where the operator can be queried, only its answer counts: `confirmed` takes the outcome of the answer, whatever
 *     the message claims.
 *  3. Without an answer, the operator is queried again later (`query_again`), as long as that may still bring one.
 *     After that the claim is `unconfirmed`.
 *  4. Where the operator cannot be queried, a message that fits is trusted (`agreed`). An answer to a query is trusted
 *     only if we sent that query, and a success only if it names the amount.
 *  5. A message without a result, where there is no answer either, has `no_verdict`.
 *
 * A claimed success that is not trusted is passed on as `claimsPaid`: the money may have moved all the same.
 */
export async function judge(
  deps: JudgeDeps,
  attempt: number,
  callback: StoredRailCallback,
  order: MessageOrder,
): Promise<Verdict> {
  const reading = deps.rail.readCallback?.(callback.railAccount, callback)
  if (!reading) return { result: 'unreadable', detail: "The operator's message breaks its contract" }
  const fault = await disagreement(deps.railCallbacks, callback, reading, order)
  if (fault !== undefined) return mismatch(reading, `does not fit the order: ${fault}`)
  if (!reading.mayQuery) return withoutQuerying(attempt, reading, order)
  const confirmation = await confirmWithOperator(deps.rail, reading, order)
  if (confirmation.is === 'queried')
    return afterQuerying(attempt, order.transaction, reading, confirmation, deps.clock.now())
  return attempt <= UNKNOWN_ID_RETRIES ? { result: 'query_again', detail: '' } : mismatch(reading, SAYS_TOO_LITTLE)
}

const SAYS_TOO_LITTLE = 'says that money moved, and not how much and whose'

const mismatch = (reading: CallbackReading, what: string): Verdict => ({
  result: 'mismatch',
  detail: `The operator's message ${what}`,
  ...(isSaidToBePaid(reading) && { claimsPaid: reading.mayQuery ? 'unconfirmed' : 'unqueried' }),
})

const isSaidToBePaid = ({ outcome, claimsPaid }: CallbackReading): boolean =>
  claimsPaid === true || outcome?.status === 'COMPLETED'

/** Rule 4. */
function withoutQuerying(attempt: number, reading: CallbackReading, { transaction, names }: MessageOrder): Verdict {
  const { outcome, amount, answersQuestion, unmappedCode } = reading
  const saysAnything = outcome !== undefined || unmappedCode !== undefined || isSaidToBePaid(reading)
  if (answersQuestion !== undefined && !isAnswerToUs(answersQuestion, names) && saysAnything)
    return attempt <= UNKNOWN_ID_RETRIES
      ? { result: 'query_again', detail: '' }
      : mismatch(reading, 'answers a question that we did not ask')
  if (isSaidToBePaid(reading) && (!outcome || !amount)) return mismatch(reading, SAYS_TOO_LITTLE)
  if (!outcome) return { result: 'no_verdict', detail: 'The operator has no result yet', unmappedCode }
  return {
    result: 'agreed',
    detail: isPaidAgain(reading, transaction, names)
      ? 'The operator reports COMPLETED again, by another receipt: it may have paid twice'
      : `The operator reports ${outcome.status}, and it agrees with the order`,
    report: { internalReference: transaction.internalReference, outcome },
    idsOfMessage: externalIdsIn(reading),
  }
}

/**
 * A money movement has one receipt, and a repeated message has the same one. A second receipt is stored too, so that
 * statements find both.
 */
const isPaidAgain = (
  { outcome, receipts = {} }: CallbackReading,
  { status }: Transaction,
  { externalIds }: MessageOrder['names'],
): boolean =>
  outcome?.status === 'COMPLETED' &&
  status === 'COMPLETED' &&
  Object.entries(receipts).some(([name, receipt]) => externalIds[name] !== undefined && externalIds[name] !== receipt)

/** Rules 2 and 3. */
function afterQuerying(
  attempt: number,
  { internalReference, ...transaction }: Transaction,
  { outcome, unmappedCode }: CallbackReading,
  { answer, byMessageIds, trustedIds, onlyThisMessageCanRetry }: Extract<Confirmation, { is: 'queried' }>,
  now: Date,
): Verdict {
  if (answer?.knows === 'outcome') {
    // Ids that come with a false claim are just as unreliable, and would keep the genuine ones out.
    const isTrue = outcome?.status === answer.outcome.status
    const idsOfAnswer = externalIdsIn(answer)
    return {
      result: 'confirmed',
      detail: `The operator reported by itself and was asked: ${answer.outcome.status}`,
      report: { internalReference, outcome: answer.outcome },
      idsOfMessage: { ...(isTrue && trustedIds), ...(byMessageIds && idsOfAnswer) },
      ...(!byMessageIds && { idsOfAnswer }),
    }
  }
  const open = { question: questionIn(answer), unmappedCode: codeIn(answer) ?? unmappedCode }
  if (!outcome) return { result: 'no_verdict', detail: 'The operator has no result yet', ...open }
  return isWorthQuerying(attempt, transaction, outcome.status, onlyThisMessageCanRetry, now)
    ? { result: 'query_again', detail: '', ...open }
    : {
        result: 'unconfirmed',
        detail: `The operator reported ${outcome.status} by itself, and asked again and again it gives no result`,
        ...(outcome.status === 'COMPLETED' && { claimsPaid: 'unconfirmed' }),
        ...open,
      }
}

const questionIn = (answer: RailKnowledge | undefined): string | undefined =>
  answer && 'question' in answer ? answer.question : undefined

const codeIn = (answer: RailKnowledge | undefined): string | undefined =>
  answer?.knows === 'unreachable' ? answer.unmappedCode : undefined

/**
 * Whether another query may still bring an answer.
 *
 *  1. An open order is polled anyway, so a few queries are enough. Where the order has no id of its own to query by,
 *     only the message can query: it does until the order is final, because unconfirmed ids are not stored with it.
 *  2. An order that failed and is claimed to be paid after all is polled by nothing else: the message queries as long
 *     as a late success counts.
 *  3. For any other final order a few queries are enough.
 */
function isWorthQuerying(
  attempt: number,
  { status, finalAt }: Pick<Transaction, 'status' | 'finalAt'>,
  claimed: RailReport['outcome']['status'],
  onlyThisMessageCanRetry: boolean,
  now: Date,
): boolean {
  if (!isFinal(status)) return onlyThisMessageCanRetry || attempt <= QUERIED_BY_OTHERS_AFTER
  const isPaidAfterAll = claimed === 'COMPLETED' && status !== 'COMPLETED'
  if (isPaidAfterAll && finalAt) return now.getTime() - finalAt.getTime() <= LATE_RESULT_WINDOW_MS
  return attempt <= QUERIED_BY_OTHERS_AFTER
}
