import { allAtOnce, allEnded } from './by-installation.ts'
import { railOrder } from './rail-order.ts'
import { heldWork } from './held-work.ts'
import { referencesOf } from './rail-references.ts'
import { settleWithin, tellNotBooked } from './settle-results.ts'
import type { RailDeps } from './submit-to-rail.ts'
import type { InParts } from './ports/operator-parts.ts'
import type {
  CallbackResult,
  KeepMessage,
  MessageConclusion,
  RailCallbackStore,
  StoredRailCallback,
} from './ports/rail-callbacks.ts'
import type { CallbackReading, RailKnowledge, RailReferences, RailReport } from './ports/rail.ts'
import { OUR_REFERENCE, type OrderNames } from './ports/unit.ts'
import type { WorkItem } from './ports/work.ts'
import { untilCovered } from './until-covered.ts'
import { isFinal, LATE_RESULT_WINDOW_MS, type Transaction } from '../domain/transaction.ts'

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
  const about = await orderOf(deps, callback)
  if (about) await conclude(deps, item, callback, await judge(deps, item, callback, about))
}

interface About {
  readonly transaction: Transaction
  readonly names: OrderNames
}

const orderOf = ({ store }: ReadCallbackDeps, { transactionId }: StoredRailCallback): Promise<About | undefined> =>
  store.transaction(async (unit) => {
    const [transaction] = await unit.lockTransactions({ ids: [transactionId] })
    const names = await unit.railReferences([transactionId])
    return transaction && { transaction, names: names.get(transactionId) ?? { theirs: {} } }
  })

interface Verdict {
  readonly result: CallbackResult | 'ask_again'
  readonly detail: string
  readonly report?: RailReport
  readonly theirs?: RailReferences
}

async function judge(
  deps: ReadCallbackDeps,
  item: WorkItem,
  callback: StoredRailCallback,
  { transaction, names }: About,
): Promise<Verdict> {
  const reading = deps.rail.readCallback?.(callback.installation, callback)
  if (!reading) return { result: 'unreadable', detail: "The operator's message breaks its contract" }
  const fault = await disagreement(deps, callback, reading, { transaction, names })
  if (fault !== undefined)
    return { result: 'mismatch', detail: `The operator's message does not fit the order: ${fault}` }
  if (!reading.mayAsk) return withoutAsking(reading, transaction)
  const told = await asked(deps, callback, reading, { transaction, names })
  return told ? afterAsking(item, transaction, { ...reading, theirs: told.theirs }, told, deps.clock.now()) : HOW_MUCH
}

const HOW_MUCH: Verdict = {
  result: 'mismatch',
  detail: "The operator's message says that money moved, and not how much and whose",
}

interface Told {
  readonly knowledge: RailKnowledge | undefined
  /** What of the message's names may be kept. */
  readonly theirs: RailReferences
  /** The order has none of its names: nobody but this message could ask by them again. */
  readonly isByMessageOnly: boolean
}

/**
 * Asks by the order's own names, and by those of the message where they are shown to be the order's. One that the message
 * alone gives may be that of somebody else's payment, which an operator that answers by it would confirm: a success has to
 * say how much came from whom, or be found without that name. A failure, of which operators say neither, is believed when
 * the operator confirms it; a success that is found by its name is not.
 * @returns undefined for a success that nothing shows to be this order's
 */
async function asked(
  { rail }: ReadCallbackDeps,
  callback: StoredRailCallback,
  { outcome, amount, account, theirs }: CallbackReading,
  { transaction, names }: About,
): Promise<Told | undefined> {
  const order = railOrder(asSent(transaction, callback), names)
  const ask = async (called: RailReferences): Promise<RailKnowledge | undefined> =>
    (await rail.ask([{ ...order, theirs: { ...order.theirs, ...called } }]))[0]
  const hasKnownName = Object.keys(theirs).some((name) => names.theirs[name] !== undefined)
  if (hasKnownName || (amount && account !== undefined))
    return { knowledge: await ask(theirs), theirs, isByMessageOnly: !hasKnownName }
  const byOwnNames = await ask({})
  if (byOwnNames?.knows !== 'unreachable' || !outcome)
    return { knowledge: byOwnNames, theirs: {}, isByMessageOnly: false }
  if (outcome.status === 'COMPLETED') return undefined
  const knowledge = await ask(theirs)
  const isFailed = knowledge?.knows === 'outcome' && knowledge.outcome.status === 'FAILED'
  return isFailed
    ? { knowledge, theirs, isByMessageOnly: false }
    : { knowledge: byOwnNames, theirs: {}, isByMessageOnly: true }
}

function withoutAsking({ outcome, amount, theirs }: CallbackReading, { internalReference }: Transaction): Verdict {
  if (!outcome) return { result: 'no_verdict', detail: 'The operator has no result yet', theirs }
  if (outcome.status === 'COMPLETED' && !amount) return HOW_MUCH
  return {
    result: 'agreed',
    detail: `The operator reports ${outcome.status}, and it agrees with the order`,
    report: { internalReference, outcome, theirs },
  }
}

function afterAsking(
  item: WorkItem,
  transaction: Transaction,
  { outcome, theirs }: CallbackReading,
  { knowledge, isByMessageOnly }: Told,
  now: Date,
): Verdict {
  const { internalReference } = transaction
  if (knowledge?.knows === 'outcome') {
    // Names that come with a claim which is not true are as little true, and would keep the true ones away.
    const isTrue = outcome === undefined || outcome.status === knowledge.outcome.status
    return {
      result: 'confirmed',
      detail: `The operator reported by itself and was asked: ${knowledge.outcome.status}`,
      report: { internalReference, outcome: knowledge.outcome, theirs: { ...(isTrue && theirs), ...knowledge.theirs } },
    }
  }
  // Names that nobody confirmed may be anybody's: kept, they would keep the true ones away.
  if (!outcome) return { result: 'no_verdict', detail: 'The operator has no result yet' }
  return isWorthAsking(item, transaction, outcome.status, isByMessageOnly, now)
    ? { result: 'ask_again', detail: '' }
    : {
        result: 'unconfirmed',
        detail: `The operator reported ${outcome.status} by itself, and asked again and again it gives no result`,
      }
}

/**
 * Names that nobody has confirmed are not the order's, so by them only the message asks: until the order has come to its
 * end. Of an order that failed and was paid after all nobody else asks: as long as a late success counts.
 */
function isWorthAsking(
  { attempt }: WorkItem,
  { status, finalAt }: Transaction,
  told: RailReport['outcome']['status'],
  isByMessageOnly: boolean,
  now: Date,
): boolean {
  if (!isFinal(status)) return isByMessageOnly || attempt <= ASKED_BY_OTHERS_AFTER
  const isPaidAfterAll = told === 'COMPLETED' && status !== 'COMPLETED'
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
  railOrderId !== orderId && report?.outcome.status !== 'COMPLETED'

/** @returns what does not fit the order that the message came for */
async function disagreement(
  { railCallbacks }: ReadCallbackDeps,
  callback: StoredRailCallback,
  reading: CallbackReading,
  { transaction, names: { theirs } }: About,
): Promise<string | undefined> {
  const { installation, orderId } = callback
  const { amount, account } = railOrder(asSent(transaction, callback))
  if (reading.orderId !== undefined && reading.orderId.toLowerCase() !== orderId) return 'another order id'
  if (
    reading.amount &&
    (reading.amount.currency !== amount.currency || reading.amount.amountMinor !== amount.amountMinor)
  )
    return 'another amount'
  if (reading.account !== undefined && reading.account !== account) return 'another account'
  const other = Object.entries(reading.theirs).find(
    ([name, text]) => theirs[name] !== undefined && theirs[name] !== text,
  )
  if (other) return `another ${other[0]}`
  const called = await railCallbacks.transactionsCalled(installation, Object.values(reading.theirs))
  return called.some((id) => id !== transaction.id) ? 'a name that another order has' : undefined
}

async function conclude(
  deps: ReadCallbackDeps,
  item: WorkItem,
  callback: StoredRailCallback,
  verdict: Verdict,
): Promise<void> {
  const now = deps.clock.now()
  let concluded: MessageConclusion | undefined
  const paidNotBooked = await untilCovered(() =>
    deps.store.transaction(async (unit) => {
      concluded = undefined
      const [transaction] = await unit.lockTransactions({ ids: [callback.transactionId] })
      const isHeld = await heldWork(unit, [item])
      if (!transaction || !isHeld(item)) return []
      const { result, detail, report, theirs } = isReplaced(transaction, callback, verdict.report) ? REPLACED : verdict
      // What came from an installation that the order has left since keeps its own names.
      await unit.addRailReferences(referencesOf(asSent(transaction, callback), withoutOurs(theirs)), now)
      if (result === 'ask_again') {
        const afterMs = ASK_AGAIN_AFTER_MS[item.attempt - 1] ?? ASK_AGAIN_MS_MAX
        await unit.replaceWork([item], item.kind, new Date(now.getTime() + afterMs))
        return []
      }
      await unit.finishWork([item])
      await unit.endRailCallback(callback.id, result, now)
      await unit.addEvents([{ transactionId: transaction.id, kind: `rail_callback_${result}`, detail }], now)
      concluded = { result, detail }
      return report ? settleWithin(unit, deps, [report]) : []
    }),
  )
  if (concluded) deps.keepMessage(callback, concluded)
  tellNotBooked(deps, paidNotBooked)
}

const REPLACED: Verdict = {
  result: 'mismatch',
  detail: "The operator's message does not fit the order: it is about an id that never arrived",
}

/** Our own id is ours to say. */
const withoutOurs = (theirs: RailReferences = {}): RailReferences =>
  Object.fromEntries(Object.entries(theirs).filter(([name]) => name !== OUR_REFERENCE))
