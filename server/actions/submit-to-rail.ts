import type { Failure } from '../domain/failure-code.ts'
import { present } from '../domain/present.ts'
import { newOrderId } from '../domain/references.ts'
import {
  gaveUp,
  handToRail,
  NEVER_SENT,
  neverSent,
  TIMED_OUT,
  unreachableRetryMs,
  type Transaction,
} from '../domain/transaction.ts'
import { allAtOnce, byRailAccount } from './by-rail-account.ts'
import { heldJobs } from './held-jobs.ts'
import { isWorthTelling, railOrder, traitsOf } from './rail-order.ts'
import { reservePayerReferences } from './payer-references.ts'
import { namesOf, referencesInAnswer, referencesOf } from './rail-references.ts'
import { settleWithin, reportNotBooked, type SettleDeps } from './settle-results.ts'
import type { InParts } from './ports/operator-parts.ts'
import type { Rail, RailAnswer, RailKnowledge, RailReport } from './ports/rail.ts'
import { OUR_REFERENCE, type OrderNames, type TransactionEvent, type UnitOfWork } from './ports/unit-of-work.ts'
import type { Merchants } from './ports/reference-data.ts'
import type { Job, JobKind } from './ports/jobs.ts'
import { notifyUnmapped, recordUnmapped, type UnmappedResult } from './unmapped-results.ts'
import { untilCovered } from './until-covered.ts'

export interface RailDeps extends SettleDeps {
  readonly rail: Rail
}

interface Order {
  readonly item: Job
  readonly transaction: Transaction
  readonly names?: OrderNames | undefined
  /** It was sent before, as far as is known. */
  readonly isAgain: boolean
}
interface SubmissionPlan {
  readonly fresh: readonly Order[]
  /** The rail may have them already. */
  readonly again: readonly Order[]
  /** Never sent, and too old to be sent now. */
  readonly tooOld: readonly Order[]
}

/**
 * Sends accepted transactions to their rail. PROCESSING and the order id are committed before the rail is called. An
 * order that already has an id may have been sent before a crash or a time-out, so the rail is queried before anything
 * is sent again. An order that must not be repeated is only queried from then on (`findOrder`).
 */
export async function submitToRail(deps: RailDeps, items: readonly Job[], inParts: InParts = allAtOnce): Promise<void> {
  const { fresh, again, tooOld } = await markProcessing(deps, items)
  const timedOut = tooOld.map((order): RepliedOrder => ({ order, answer: { answer: 'outcome', outcome: TIMED_OUT } }))
  // Orders that were never sent do not wait for queries about the others.
  await inParts([
    ...(timedOut.length > 0 ? [{ run: () => recordAnswers(deps, timedOut) }] : []),
    ...byRailAccount(deps.rail, fresh, async (orders) => recordAnswers(deps, await send(deps, orders))),
    ...byRailAccount(deps.rail, again, (orders) => queryAndSend(deps, orders)),
  ])
}

async function queryAndSend(deps: RailDeps, orders: readonly Order[]): Promise<void> {
  const { toSend, known } = await queryAbout(deps, orders)
  const answered = toSend.length > 0 ? await withSecondThoughts(deps, await send(deps, toSend)) : []
  await recordAnswers(deps, [...known, ...answered])
}

async function send({ rail, reference }: RailDeps, orders: readonly Order[]): Promise<readonly Submission[]> {
  const merchants = await Promise.all(orders.map(({ transaction }) => merchantName(reference, transaction)))
  const answers = await rail.submit(
    orders.map(({ transaction, names }, index) => railOrder(transaction, names, merchants[index])),
  )
  return orders.map((order, index) => ({ order, answer: present(answers[index], "the rail's answer") }))
}

/**
 * The merchant name that a customer may see with the order. The order does not depend on it: it is already marked as
 * sent, and if it were not sent now, it would have to be queried for a day.
 */
const merchantName = async (reference: Merchants, { merchantId }: Transaction): Promise<string | undefined> =>
  (await reference.merchantById(merchantId).catch(() => undefined))?.name

function markProcessing({ store, clock, random, rail }: RailDeps, items: readonly Job[]): Promise<SubmissionPlan> {
  return store.transaction(async (unit) => {
    // Lock order: always transactions before jobs, as in settling, so that the two never deadlock.
    const locked = await unit.lockTransactions({ ids: items.map(({ subjectId }) => subjectId) })
    const held = new Map((await unit.holdJobs(items)).map((item) => [item.subjectId, item]))
    const open = locked.filter(({ id, status }) => held.has(id) && (status === 'PENDING' || status === 'PROCESSING'))
    const isOld = (transaction: Transaction): boolean => gaveUp(transaction, clock.now())
    const isKnown = ({ railOrderId }: Transaction): boolean => railOrderId !== undefined
    const isLost = (transaction: Transaction): boolean => isOld(transaction) && !canConfirm(rail, transaction)
    const processing = open
      .filter((transaction) => !isKnown(transaction))
      .map((transaction) =>
        handToRail(
          transaction,
          isLost(transaction)
            ? undefined
            : { orderId: newOrderId(random), railAccount: rail.railAccountOf?.(transaction.providerCode) },
        ),
      )
    await unit.saveStates(processing)
    const payerReferences = await reservePayerReferences(unit, rail, processing, clock.now())
    await unit.addRailReferences(
      processing.flatMap((transaction) => ownReferences(transaction, payerReferences.get(transaction.id))),
      clock.now(),
    )
    await unit.addEvents(
      open
        .filter(({ status }) => status === 'PENDING')
        .map(({ id, providerCode }) => ({
          transactionId: id,
          kind: 'submitted',
          detail: `Handed to the rail of ${providerCode}`,
        })),
      clock.now(),
    )
    const isOpen = new Set(open.map(({ id }) => id))
    await unit.finishJobs([...held.values()].filter(({ subjectId }) => !isOpen.has(subjectId)))
    const names = new Map([...(await namesOf(unit, open.filter(isKnown))), ...payerReferences])
    const toOrder =
      (isAgain: boolean) =>
      (transaction: Transaction): Order => ({
        item: present(held.get(transaction.id), 'the work of a transaction'),
        transaction,
        names: names.get(transaction.id),
        isAgain,
      })
    // An order that waited for a day (the gateway was down) is not simply sent: it fails once the rail confirms that
    // nothing moved. Where the rail might never confirm that for an order it did not receive, it fails at once: it
    // never had an id.
    return {
      fresh: processing.filter((transaction) => isKnown(transaction) && !isOld(transaction)).map(toOrder(false)),
      again: [...processing.filter(isOld), ...open].filter(isKnown).map(toOrder(true)),
      tooOld: processing.filter((transaction) => !isKnown(transaction)).map(toOrder(false)),
    }
  })
}

/** Whether a query to the rail confirms that nothing moved for an order that it never received. */
function canConfirm(rail: Rail, transaction: Transaction): boolean {
  const { repeat, unanswered } = traitsOf(rail, transaction)
  return repeat === 'safe' && unanswered !== 'repeat'
}

interface Submission {
  readonly order: Order
  readonly answer: RailAnswer
}

/**
 * A refusal of a repeated order says nothing about its first try, if that was not queried: it may have arrived, under
 * settings that have changed since. So these orders are queried now, and are refused only if nothing moved.
 */
async function withSecondThoughts({ rail }: RailDeps, sent: readonly Submission[]): Promise<readonly RepliedOrder[]> {
  const isDoubtful = ({ order: { isAgain, transaction }, answer }: Submission): boolean =>
    isAgain && answer.answer === 'refused' && isRepeatedUnasked(rail, transaction)
  const doubtful = sent.filter(isDoubtful)
  if (doubtful.length === 0) return sent
  const knowledge = await rail.query(doubtful.map(({ order: { transaction, names } }) => railOrder(transaction, names)))
  return [
    ...sent.filter((one) => !isDoubtful(one)),
    ...doubtful.map((one, index) => ({
      ...one,
      answer: afterRefusal(one.answer, present(knowledge[index], 'what the rail knows')),
    })),
  ]
}

function afterRefusal(refusal: RailAnswer, knowledge: RailKnowledge): OrderReply {
  if (knowledge.knows === 'nothing_moved') return refusal
  if (knowledge.knows === 'outcome') return { ...knowledge, answer: 'outcome' }
  if (knowledge.knows === 'in_progress') return { ...knowledge, answer: 'accepted' }
  return { ...knowledge, answer: 'unreachable', error: 'refused now, and an earlier try may have arrived' }
}

/** References by which staff, callbacks and statements find the order. */
const ownReferences = (transaction: Transaction, { externalIds }: OrderNames = { externalIds: {} }) =>
  transaction.railOrderId === undefined
    ? []
    : referencesOf(transaction, { [OUR_REFERENCE]: transaction.railOrderId, ...externalIds }, 'own')

/** Reply to an order, or to a query about it. */
type OrderReply = (RailAnswer | ({ readonly answer: 'outcome' } & Omit<KnowledgeOf<'outcome'>, 'knows'>)) &
  Partial<Pick<KnowledgeOf<'unreachable'>, 'question' | 'unmappedCode'>>
type KnowledgeOf<Knows extends RailKnowledge['knows']> = Extract<RailKnowledge, { readonly knows: Knows }>

interface RepliedOrder {
  readonly order: Order
  readonly answer: OrderReply
}

async function queryAbout(
  { rail, clock }: RailDeps,
  orders: readonly Order[],
): Promise<{ toSend: Order[]; known: RepliedOrder[] }> {
  const now = clock.now()
  const isRepeated = ({ transaction }: Order): boolean =>
    isRepeatedUnasked(rail, transaction) && !gaveUp(transaction, now)
  const toSend = orders.filter(isRepeated)
  const queried = orders.filter((order) => !isRepeated(order))
  const knowledge =
    queried.length > 0 ? await rail.query(queried.map(({ transaction, names }) => railOrder(transaction, names))) : []
  const known: RepliedOrder[] = []
  queried.forEach((order, index) => {
    const answer = present(knowledge[index], 'what the rail knows')
    const mayRepeat = traitsOf(rail, order.transaction).repeat === 'safe'
    if (answer.knows === 'outcome') known.push({ order, answer: { ...answer, answer: 'outcome' } })
    else if (answer.knows === 'in_progress') known.push({ order, answer: { ...answer, answer: 'accepted' } })
    else if (answer.knows === 'unreachable') known.push({ order, answer: { ...answer, answer: 'unreachable' } })
    else if (!mayRepeat) known.push({ order, answer: { answer: 'unreachable', error: 'the rail does not know it' } })
    else if (gaveUp(order.transaction, clock.now()))
      known.push({ order, answer: { answer: 'outcome', outcome: TIMED_OUT } })
    else toSend.push(order)
  })
  return { toSend, known }
}

/** Only a repeat of the order shows whether it has arrived; after a day it is no longer repeated. */
function isRepeatedUnasked(rail: Rail, transaction: Transaction): boolean {
  const { repeat, unanswered } = traitsOf(rail, transaction)
  return repeat === 'safe' && unanswered === 'repeat'
}

async function recordAnswers(deps: RailDeps, all: readonly RepliedOrder[]): Promise<void> {
  const answered = all.filter((one) => !isOnlyAccepted(one))
  let unmapped: readonly UnmappedResult[] = []
  const paidNotBooked = await untilCovered(() =>
    deps.store.transaction(async (unit) => {
      const locked = await unit.lockTransactions({ ids: answered.map(({ order }) => order.transaction.id) })
      const isHeld = await heldJobs(
        unit,
        answered.map(({ order }) => order.item),
      )
      const ours = answered.filter(({ order }) => isHeld(order.item))
      const answers = new Map(ours.map((one) => [one.order.transaction.id, one]))
      await unit.saveStates(
        locked.flatMap((transaction) => afterAnswer(deps.rail, transaction, answers.get(transaction.id))),
      )
      // Also for jobs that other workers have taken over: they may have no other ids to query by.
      await unit.addRailReferences(
        answered.flatMap(({ order, answer }) => referencesInAnswer(order.transaction, answer)),
        deps.clock.now(),
      )
      unmapped = await recordUnmapped(unit, ours.flatMap(unmappedIn), deps.clock.now())
      await goOn(unit, deps, [...ours, ...all.filter(isOnlyAccepted)])
      return settleWithin(
        unit,
        deps,
        ours.flatMap((one) => toReport(deps.rail, one)),
      )
    }),
  )
  notifyUnmapped(deps.notices, unmapped)
  reportNotBooked(deps, paidNotBooked)
}

/**
 * The next step is stored in the job and not in the transaction, so the transaction is not locked. Jobs that others
 * have taken over or finished in the meantime are not replaced.
 */
const isOnlyAccepted = ({ answer }: RepliedOrder): boolean =>
  answer.answer === 'accepted' && answer.externalIds === undefined && answer.question === undefined

const unmappedIn = ({ order: { transaction }, answer: { unmappedCode } }: RepliedOrder): UnmappedResult[] =>
  unmappedCode === undefined ? [] : [{ transaction, code: unmappedCode }]

/** The current transaction, if the reply changes it: a report may have ended it in the meantime. */
function afterAnswer(rail: Rail, transaction: Transaction, one: RepliedOrder | undefined): Transaction[] {
  if (transaction.status !== 'PROCESSING' || !one) return []
  const { order, answer } = one
  // An order that may be repeated keeps its id: other workers may have sent it too, or a paused worker may still send
  // it. So does one that was sent before, whatever its route is now: its rail account may have been removed since.
  const onlyOurs = !order.isAgain && traitsOf(rail, transaction).repeat === 'never'
  return answer.answer === 'not_sent' && onlyOurs ? [neverSent(transaction)] : []
}

/** Schedules the next step of each order without an outcome, and adds the events about it to the history. */
async function goOn(unit: UnitOfWork, { rail, clock }: RailDeps, ours: readonly RepliedOrder[]): Promise<void> {
  const now = clock.now()
  const open = ours.flatMap(({ order, answer }) => {
    const next = nextJob(rail, order, answer)
    return next ? [{ order, next }] : []
  })
  for (const alike of Map.groupBy(open, ({ next: { kind, afterMs } }) => `${kind} ${afterMs}`).values()) {
    const { kind, afterMs } = present(alike[0], 'the first of a group').next
    await unit.replaceJobs(
      alike.map(({ order }) => order.item),
      kind,
      new Date(now.getTime() + afterMs),
    )
  }
  await unit.addEvents(
    open.flatMap(({ order, next: { event } }) => (event ? [{ transactionId: order.transaction.id, ...event }] : [])),
    now,
  )
}

interface NextJob {
  readonly kind: JobKind
  readonly afterMs: number
  readonly event?: Pick<TransactionEvent, 'kind' | 'detail'>
}

function nextJob(rail: Rail, order: Order, answer: OrderReply): NextJob | undefined {
  const { item, transaction } = order
  const { repeat, askAfterMs } = traitsOf(rail, transaction)
  if (answer.answer === 'accepted') return { kind: 'askRail', afterMs: askAfterMs(0) }
  if (answer.answer !== 'not_sent' && answer.answer !== 'unreachable') return undefined
  if (isLastAttempt(rail, order, answer)) return undefined
  if (answer.answer === 'unreachable' && repeat === 'never')
    return {
      kind: 'findOrder',
      afterMs: askAfterMs(0),
      event: { kind: 'unresolved', detail: `No answer, and it must not be sent twice: ${answer.error}` },
    }
  return {
    kind: 'submitToRail',
    afterMs: unreachableRetryMs(item.attempt),
    ...(isWorthTelling(item.attempt) && { event: { kind: 'rail_unreachable', detail: answer.error } }),
  }
}

/**
 * Whether no attempt is left and none arrived. Where only a repeat of the order shows whether an earlier one arrived,
 * that is unknown: then only time limits the attempts.
 */
function isLastAttempt(rail: Rail, { item, transaction, isAgain }: Order, answer: OrderReply): boolean {
  if (answer.answer !== 'not_sent' || answer.attemptsMax === undefined || item.attempt < answer.attemptsMax)
    return false
  return !(isAgain && isRepeatedUnasked(rail, transaction))
}

function toReport(rail: Rail, { order, answer }: RepliedOrder): RailReport[] {
  const { internalReference } = order.transaction
  if (answer.answer === 'outcome') return [{ internalReference, outcome: answer.outcome }]
  if (isLastAttempt(rail, order, answer)) return [{ internalReference, outcome: NEVER_SENT }]
  if (answer.answer === 'refused') return [{ internalReference, outcome: failedAs(answer) }]
  return []
}

const failedAs = ({ reason, code }: Failure): RailReport['outcome'] => ({
  status: 'FAILED',
  reason,
  ...(code !== undefined && { code }),
})
