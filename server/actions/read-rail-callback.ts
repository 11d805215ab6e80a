import { allAtOnce, allEnded } from './by-rail-account.ts'
import { confirmWithOperator, type Confirmation } from './confirm-with-operator.ts'
import { heldJobs } from './held-jobs.ts'
import { disagreement, isAnswerToUs, type MessageOrder } from './message-fits-order.ts'
import { externalIdsIn, referencesInAnswer, referencesOf } from './rail-references.ts'
import { concludeWithin, settleWithin, reportNotBooked } from './settle-results.ts'
import type { RailDeps } from './submit-to-rail.ts'
import { notifyUnmapped, recordUnmapped, type UnmappedResult } from './unmapped-results.ts'
import type { InParts } from './ports/operator-parts.ts'
import type {
  CallbackResult,
  KeepMessage,
  MessageConclusion,
  RailCallbackStore,
  StoredRailCallback,
} from './ports/rail-callbacks.ts'
import type { CallbackReading, RailKnowledge, RailReferences, RailReport } from './ports/rail.ts'
import type { RailReference, UnitOfWork } from './ports/unit-of-work.ts'
import type { Job } from './ports/jobs.ts'
import { untilCovered } from './until-covered.ts'
import { claimedAsPaid, isFinal, LATE_RESULT_WINDOW_MS, type Transaction } from '../domain/transaction.ts'

export interface ReadCallbackDeps extends RailDeps {
  readonly railCallbacks: RailCallbackStore
  /** Receives each message once it is fully processed: then the stored text is deleted. */
  readonly keepMessage: KeepMessage
}

/**
 * The operator's own books may lag behind its message: a message triggers queries after these delays, the last of
 * which repeats.
 */
const POLL_AGAIN_AFTER_MS = [2_000, 10_000, 60_000, 300_000, 1_800_000, 7_200_000] as const
const POLL_AGAIN_MS_MAX = 7_200_000
/** After this many queries an order without a final state is left to the ordinary polling. */
const QUERIED_BY_OTHERS_AFTER = 4
/** Retries for an answer to an unknown query: the answer may overtake the commit that stores the query's id. */
const UNKNOWN_QUESTION_RETRIES = 3

/**
 * Processes unsolicited operator messages. A message is a hint: where the operator can be queried, only its answer
 * counts. Where it cannot, the message must match the order in id, amount, account and every stored id. The messages
 * of one operator are a part of their own: while an operator does not answer, the messages of others are processed.
 */
export const createCallbackReading =
  (deps: ReadCallbackDeps): ((items: readonly Job[], inParts?: InParts) => readonly Promise<void>[]) =>
  (items, inParts = allAtOnce) => {
    const messages = items.map((item): Message => ({ item, read: Promise.withResolvers() }))
    readAll(deps, messages, inParts).catch((error: unknown) => {
      for (const { read } of messages) read.reject(error)
    })
    return messages.map(({ read }) => read.promise)
  }

/** Each message fails alone: the others are not processed again because of it. */
interface Message {
  readonly item: Job
  readonly read: PromiseWithResolvers<void>
}

async function readAll(deps: ReadCallbackDeps, messages: readonly Message[], inParts: InParts): Promise<void> {
  const stored = new Map((await deps.railCallbacks.load(messages.map(({ item }) => item))).map((one) => [one.id, one]))
  const byRailAccount = Map.groupBy(messages, ({ item }) => stored.get(item.subjectId)?.railAccount)
  await inParts(
    [...byRailAccount].map(([railAccount, own]) => ({
      ...(railAccount !== undefined && { operator: { railAccount, providers: [] } }),
      run: () =>
        allEnded(
          own.map(({ item, read }) => readOne(deps, item, stored.get(item.subjectId)).then(read.resolve, read.reject)),
        ),
    })),
  )
}

async function readOne(deps: ReadCallbackDeps, item: Job, callback: StoredRailCallback | undefined): Promise<void> {
  if (!callback) return deps.store.transaction((unit) => unit.finishJobs([item]))
  const order = await orderOf(deps, callback)
  if (order) await conclude(deps, item, callback, await judge(deps, item, callback, order))
}

/**
 * The order as it was when it was sent. Since then it may have got another id, or lost its own; then the stored
 * external ids belong to the other one.
 */
const orderOf = ({ store }: ReadCallbackDeps, callback: StoredRailCallback): Promise<MessageOrder | undefined> =>
  store.transaction(async (unit) => {
    const { transactionId } = callback
    const [transaction] = await unit.lockTransactions({ ids: [transactionId] })
    if (!transaction) return undefined
    const names = transaction.railOrderId === callback.orderId && (await unit.railReferences([transactionId]))
    return {
      transaction: asSent(transaction, callback),
      names: (names && names.get(transactionId)) || { externalIds: {} },
    }
  })

interface Verdict {
  readonly result: CallbackResult | 'ask_again'
  readonly detail: string
  readonly report?: RailReport
  /** Ids of an accepted verdict: those that only the message gives, and those from the operator's answer. */
  readonly idsOfMessage?: RailReferences
  readonly idsOfAnswer?: RailReferences
  /** The operator's id of a query that was sent because of this message. */
  readonly question?: string | undefined
  readonly unmappedCode?: string | undefined
  /** It claims that money moved, and is not trusted. `unasked`: the operator cannot be queried either. */
  readonly claimsPaid?: 'unasked' | 'unconfirmed'
}

async function judge(
  deps: ReadCallbackDeps,
  item: Job,
  callback: StoredRailCallback,
  order: MessageOrder,
): Promise<Verdict> {
  const reading = deps.rail.readCallback?.(callback.railAccount, callback)
  if (!reading) return { result: 'unreadable', detail: "The operator's message breaks its contract" }
  const fault = await disagreement(deps.railCallbacks, callback, reading, order)
  if (fault !== undefined) return mismatch(reading, `does not fit the order: ${fault}`)
  if (!reading.mayAsk) return withoutQuerying(item, reading, order)
  const confirmation = await confirmWithOperator(deps.rail, reading, order)
  return confirmation.is === 'asked'
    ? afterQuerying(item, order.transaction, reading, confirmation, deps.clock.now())
    : mismatch(reading, SAYS_TOO_LITTLE)
}

const mismatch = (reading: CallbackReading, what: string): Verdict => ({
  result: 'mismatch',
  detail: `The operator's message ${what}`,
  ...(isSaidToBePaid(reading) && { claimsPaid: reading.mayAsk ? 'unconfirmed' : 'unasked' }),
})

const isSaidToBePaid = ({ outcome, claimsPaid }: CallbackReading): boolean =>
  claimsPaid === true || outcome?.status === 'COMPLETED'

const SAYS_TOO_LITTLE = 'says that money moved, and not how much and whose'

/**
 * A message whose order cannot be queried is trusted when it fits the order; an answer to a query, only if we sent
 * that query.
 */
function withoutQuerying(item: Job, reading: CallbackReading, { transaction, names }: MessageOrder): Verdict {
  const { outcome, amount, answersQuestion, unmappedCode } = reading
  const saysAnything = outcome !== undefined || unmappedCode !== undefined || isSaidToBePaid(reading)
  if (answersQuestion !== undefined && !isAnswerToUs(answersQuestion, names) && saysAnything)
    return item.attempt <= UNKNOWN_QUESTION_RETRIES
      ? { result: 'ask_again', detail: '' }
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

function afterQuerying(
  item: Job,
  { internalReference, ...transaction }: Transaction,
  { outcome, unmappedCode }: CallbackReading,
  { answer, byMessageIds, trustedIds, onlyThisMessageCanRetry }: Extract<Confirmation, { is: 'asked' }>,
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
  return isWorthQuerying(item, transaction, outcome.status, onlyThisMessageCanRetry, now)
    ? { result: 'ask_again', detail: '', ...open }
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
 * Unconfirmed ids are not stored with the order, so only the message can query by them: it does until the order is
 * final. For an order that failed and was paid after all nothing else polls: the message does as long as a late
 * success counts.
 */
function isWorthQuerying(
  { attempt }: Job,
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

/**
 * The transaction as it was when the order of the message was sent: since then it may have got another order id, or
 * lost its own.
 */
const asSent = (transaction: Transaction, { railAccount, orderId }: StoredRailCallback): Transaction => ({
  ...transaction,
  railOrderId: orderId,
  railAccount: railAccount,
})

/**
 * The order's only try never arrived, so it is sent under another id, or was: the failure of the first says nothing
 * about the other.
 */
const isReplaced = ({ railOrderId }: Transaction, { orderId }: StoredRailCallback, report: RailReport | undefined) =>
  railOrderId !== orderId && report?.outcome.status === 'FAILED'

async function conclude(
  deps: ReadCallbackDeps,
  item: Job,
  callback: StoredRailCallback,
  given: Verdict,
): Promise<void> {
  const now = deps.clock.now()
  let concluded: MessageConclusion | undefined
  let unmapped: readonly UnmappedResult[] = []
  const paidNotBooked = await untilCovered(() =>
    deps.store.transaction(async (unit) => {
      concluded = undefined
      unmapped = []
      const [transaction] = await unit.lockTransactions({ ids: [callback.transactionId] })
      const isHeld = await heldJobs(unit, [item])
      if (!transaction || !isHeld(item)) return []
      const verdict = isReplaced(transaction, callback, given.report) ? REPLACED : given
      const { result, detail, unmappedCode } = verdict
      // Ids from a rail account that the order has left since stay with that account.
      await unit.addRailReferences(referencesIn(verdict, asSent(transaction, callback)), now)
      if (unmappedCode !== undefined) unmapped = await recordUnmapped(unit, [{ transaction, code: unmappedCode }], now)
      if (result === 'ask_again') {
        const afterMs = POLL_AGAIN_AFTER_MS[item.attempt - 1] ?? POLL_AGAIN_MS_MAX
        await unit.replaceJobs([item], item.kind, new Date(now.getTime() + afterMs))
        return []
      }
      await unit.finishJobs([item])
      await unit.endRailCallback(callback.id, result, now)
      await unit.addEvents([{ transactionId: transaction.id, kind: `rail_callback_${result}`, detail }], now)
      concluded = { result, detail }
      return verdict.report
        ? settleWithin(unit, deps, [verdict.report])
        : raiseClaim(unit, deps, transaction, verdict, now)
    }),
  )
  notifyUnmapped(deps.notices, unmapped)
  if (concluded) deps.keepMessage(callback, concluded)
  reportNotBooked(deps, paidNotBooked)
}

const referencesIn = (
  { idsOfMessage, idsOfAnswer, question }: Verdict,
  order: Transaction,
): readonly RailReference[] => [
  ...referencesInAnswer(order, {
    ...(idsOfAnswer && { externalIds: idsOfAnswer }),
    ...(question !== undefined && { question }),
  }),
  ...referencesOf(order, idsOfMessage, 'message'),
]

/**
 * An untrusted success about a payout that is FAILED: the money may be gone all the same, so staff must check. If the
 * payout is PROCESSING, the claim waits until it fails, unless the operator can be queried.
 */
async function raiseClaim(
  unit: UnitOfWork,
  deps: ReadCallbackDeps,
  transaction: Transaction,
  { claimsPaid, detail }: Verdict,
  now: Date,
): Promise<readonly Transaction[]> {
  if (claimsPaid === undefined) return []
  if (transaction.status === 'PROCESSING' && claimsPaid === 'unconfirmed') return []
  const claim = claimedAsPaid(transaction, `${detail}. The money may have moved: an admin must settle it`, now)
  if (!claim) return []
  if (transaction.status === 'PROCESSING') {
    await unit.saveStates([claim.transaction])
    return []
  }
  const events = [{ transactionId: transaction.id, kind: 'paid_not_booked', detail: claim.why }]
  return concludeWithin(unit, deps, { steps: [], notBooked: [claim.transaction], events })
}

const REPLACED: Verdict = {
  result: 'mismatch',
  detail: "The operator's message does not fit the order: it is about an id that never arrived",
}
