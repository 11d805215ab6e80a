import { allAtOnce, allEnded } from './by-installation.ts'
import { confirmWithOperator, type Confirmation } from './confirm-with-operator.ts'
import { heldWork } from './held-work.ts'
import { disagreement, isAnswerToUs, type MessageOrder } from './message-fits-order.ts'
import { externalIdsIn, referencesInAnswer, referencesOf } from './rail-references.ts'
import { concludeWithin, settleWithin, tellNotBooked } from './settle-results.ts'
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
import type { RailReference, Unit } from './ports/unit.ts'
import type { WorkItem } from './ports/work.ts'
import { untilCovered } from './until-covered.ts'
import { claimedAsPaid, isFinal, LATE_RESULT_WINDOW_MS, type Transaction } from '../domain/transaction.ts'

export interface ReadCallbackDeps extends RailDeps {
  readonly railCallbacks: RailCallbackStore
  /** Gets each message that was looked at to the end: its own text goes with that. */
  readonly keepMessage: KeepMessage
}

/**
 * The operator's own books may come after its message: it is asked again because of one, at these distances, the last of
 * which repeats.
 */
const ASK_AGAIN_AFTER_MS = [2_000, 10_000, 60_000, 300_000, 1_800_000, 7_200_000] as const
const ASK_AGAIN_MS_MAX = 7_200_000
/** From then on an order that is not at its end is asked about as any other. */
const ASKED_BY_OTHERS_AFTER = 4
/** The answer to a query of ours may overtake the commit that has its id: so often it is looked at again. */
const UNKNOWN_QUESTION_RETRIES = 3

/**
 * Looks at what operators told by themselves. It is a hint: where the operator can be asked, its answer alone counts;
 * where it cannot, the message must agree with the order in id, amount, account and every name that is known. What one
 * operator told is a part of its own: while one that is asked says nothing, what others told is looked at.
 */
export const createCallbackReading =
  (deps: ReadCallbackDeps): ((items: readonly WorkItem[], inParts?: InParts) => readonly Promise<void>[]) =>
  (items, inParts = allAtOnce) => {
    const messages = items.map((item): Message => ({ item, read: Promise.withResolvers() }))
    readAll(deps, messages, inParts).catch((error: unknown) => {
      for (const { read } of messages) read.reject(error)
    })
    return messages.map(({ read }) => read.promise)
  }

/** One of them that fails fails alone: the others are not looked at again because of it. */
interface Message {
  readonly item: WorkItem
  readonly read: PromiseWithResolvers<void>
}

async function readAll(deps: ReadCallbackDeps, messages: readonly Message[], inParts: InParts): Promise<void> {
  const stored = new Map((await deps.railCallbacks.load(messages.map(({ item }) => item))).map((one) => [one.id, one]))
  const byInstallation = Map.groupBy(messages, ({ item }) => stored.get(item.subjectId)?.installation)
  await inParts(
    [...byInstallation].map(([installation, own]) => ({
      ...(installation !== undefined && { operator: { installation, providers: [] } }),
      run: () =>
        allEnded(
          own.map(({ item, read }) => readOne(deps, item, stored.get(item.subjectId)).then(read.resolve, read.reject)),
        ),
    })),
  )
}

async function readOne(
  deps: ReadCallbackDeps,
  item: WorkItem,
  callback: StoredRailCallback | undefined,
): Promise<void> {
  if (!callback) return deps.store.transaction((unit) => unit.finishWork([item]))
  const order = await orderOf(deps, callback)
  if (order) await conclude(deps, item, callback, await judge(deps, item, callback, order))
}

/**
 * As it was when it went out. Since then it may have got another id, or lost its own: the names that are stored are those
 * of the other one then.
 */
const orderOf = ({ store }: ReadCallbackDeps, callback: StoredRailCallback): Promise<MessageOrder | undefined> =>
  store.transaction(async (unit) => {
    const { transactionId } = callback
    const [transaction] = await unit.lockTransactions({ ids: [transactionId] })
    if (!transaction) return undefined
    const names = transaction.railOrderId === callback.orderId && (await unit.railReferences([transactionId]))
    return {
      transaction: asSent(transaction, callback),
      names: (names && names.get(transactionId)) || { theirs: {} },
    }
  })

interface Verdict {
  readonly result: CallbackResult | 'ask_again'
  readonly detail: string
  readonly report?: RailReport
  /** Of an agreed verdict: what the message alone gives, and what the operator's answer does. */
  readonly idsOfMessage?: RailReferences
  readonly idsOfAnswer?: RailReferences
  /** The operator's id of a query that was sent because of the message. */
  readonly question?: string | undefined
  readonly unmappedCode?: string | undefined
  /** It says that money moved, and is not believed. `unasked`: nor can the operator be asked. */
  readonly claimsPaid?: 'unasked' | 'unconfirmed'
}

async function judge(
  deps: ReadCallbackDeps,
  item: WorkItem,
  callback: StoredRailCallback,
  order: MessageOrder,
): Promise<Verdict> {
  const reading = deps.rail.readCallback?.(callback.installation, callback)
  if (!reading) return { result: 'unreadable', detail: "The operator's message breaks its contract" }
  const fault = await disagreement(deps.railCallbacks, callback, reading, order)
  if (fault !== undefined) return mismatch(reading, `does not fit the order: ${fault}`)
  if (!reading.mayAsk) return withoutAsking(item, reading, order)
  const confirmation = await confirmWithOperator(deps.rail, reading, order)
  return confirmation.is === 'asked'
    ? afterAsking(item, order.transaction, reading, confirmation, deps.clock.now())
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

/** What cannot be asked about is believed when it fits; as the answer to a query, only if we sent that query. */
function withoutAsking(item: WorkItem, reading: CallbackReading, { transaction, names }: MessageOrder): Verdict {
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

/** A movement of money has one receipt: a repeated message has the same. Both are stored, so that statements find both. */
const isPaidAgain = (
  { outcome, receipts = {} }: CallbackReading,
  { status }: Transaction,
  { theirs }: MessageOrder['names'],
): boolean =>
  outcome?.status === 'COMPLETED' &&
  status === 'COMPLETED' &&
  Object.entries(receipts).some(([name, receipt]) => theirs[name] !== undefined && theirs[name] !== receipt)

function afterAsking(
  item: WorkItem,
  { internalReference, ...transaction }: Transaction,
  { outcome, unmappedCode }: CallbackReading,
  { answer, byMessageIds, trustedIds, onlyThisMessageCanRetry }: Extract<Confirmation, { is: 'asked' }>,
  now: Date,
): Verdict {
  if (answer?.knows === 'outcome') {
    // Ids that come with a claim which is not true are as little true, and would keep the true ones away.
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
  return isWorthAsking(item, transaction, outcome.status, onlyThisMessageCanRetry, now)
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
 * Names that nobody has confirmed are not the order's, so by them only the message asks: until the order has come to its
 * end. Of an order that failed and was paid after all nobody else asks: as long as a late success counts.
 */
function isWorthAsking(
  { attempt }: WorkItem,
  { status, finalAt }: Pick<Transaction, 'status' | 'finalAt'>,
  claimed: RailReport['outcome']['status'],
  onlyThisMessageCanRetry: boolean,
  now: Date,
): boolean {
  if (!isFinal(status)) return onlyThisMessageCanRetry || attempt <= ASKED_BY_OTHERS_AFTER
  const isPaidAfterAll = claimed === 'COMPLETED' && status !== 'COMPLETED'
  if (isPaidAfterAll && finalAt) return now.getTime() - finalAt.getTime() <= LATE_RESULT_WINDOW_MS
  return attempt <= ASKED_BY_OTHERS_AFTER
}

/** As it stood when the order went out that the message is about: since then it may have got another id, or lost its own. */
const asSent = (transaction: Transaction, { installation, orderId }: StoredRailCallback): Transaction => ({
  ...transaction,
  railOrderId: orderId,
  railInstallation: installation,
})

/**
 * Its only try never arrived, so it goes out under another id, or has gone: that the first one failed says nothing of
 * the other.
 */
const isReplaced = ({ railOrderId }: Transaction, { orderId }: StoredRailCallback, report: RailReport | undefined) =>
  railOrderId !== orderId && report?.outcome.status === 'FAILED'

async function conclude(
  deps: ReadCallbackDeps,
  item: WorkItem,
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
      const isHeld = await heldWork(unit, [item])
      if (!transaction || !isHeld(item)) return []
      const verdict = isReplaced(transaction, callback, given.report) ? REPLACED : given
      const { result, detail, unmappedCode } = verdict
      // What came from an installation that the order has left since keeps its own names.
      await unit.addRailReferences(referencesIn(verdict, asSent(transaction, callback)), now)
      if (unmappedCode !== undefined) unmapped = await recordUnmapped(unit, [{ transaction, code: unmappedCode }], now)
      if (result === 'ask_again') {
        const afterMs = ASK_AGAIN_AFTER_MS[item.attempt - 1] ?? ASK_AGAIN_MS_MAX
        await unit.replaceWork([item], item.kind, new Date(now.getTime() + afterMs))
        return []
      }
      await unit.finishWork([item])
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
  tellNotBooked(deps, paidNotBooked)
}

const referencesIn = (
  { idsOfMessage, idsOfAnswer, question }: Verdict,
  order: Transaction,
): readonly RailReference[] => [
  ...referencesInAnswer(order, {
    ...(idsOfAnswer && { theirs: idsOfAnswer }),
    ...(question !== undefined && { question }),
  }),
  ...referencesOf(order, idsOfMessage, 'message'),
]

/**
 * A success that is not believed, about a payout that is FAILED: the money may be gone all the same, so an admin must
 * look. About one that is PROCESSING this waits until the payout fails, unless the operator can be asked itself.
 */
async function raiseClaim(
  unit: Unit,
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
