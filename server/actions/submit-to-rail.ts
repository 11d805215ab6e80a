import { present } from '../domain/present.ts'
import { newOrderId } from '../domain/references.ts'
import {
  gaveUp,
  handToRail,
  neverSent,
  STATUS_MESSAGES,
  TIMED_OUT,
  type RefundDetails,
  type Transaction,
} from '../domain/transaction.ts'
import { allAtOnce, byRailAccount } from './by-rail-account.ts'
import { withoutUnneeded } from './conclude-attempts.ts'
import { heldJobs } from './held-jobs.ts'
import { withoutSuspended } from './suspended-payouts.ts'
import { withoutWaiting } from './waiting-payouts.ts'
import { nextRailAccount, queryOrders, submitOrders } from './rail-order.ts'
import { reservePayerReferences } from './payer-references.ts'
import { namesOf, referencesInAnswer, referencesOf } from './rail-references.ts'
import { raiseSentAfterEnd } from './sent-after-end.ts'
import { settleWithin, reportNotBooked, type SettleDeps } from './settle-results.ts'
import {
  afterQuery,
  afterRefusal,
  canConfirm,
  gaveUpOrder,
  isDoubtfulRefusal,
  isRepeatedUnqueried,
  losesOrderId,
  maySend,
  nextStep,
  type NextStep,
  type Order,
  type RepliedOrder,
} from './submission-rules.ts'
import type { InParts } from './ports/operator-parts.ts'
import type { Rail, RailAnswer } from './ports/rail.ts'
import { OUR_REFERENCE, type OrderNames } from './ports/rail-references.ts'
import type { UnitOfWork } from './ports/store.ts'
import type { Merchants } from './ports/reference-data.ts'
import type { Job } from './ports/jobs.ts'
import { notifyUnmapped, recordUnmapped, type UnmappedResult } from './unmapped-results.ts'
import { untilCovered } from './until-covered.ts'

export interface RailDeps extends SettleDeps {
  readonly rail: Rail
}

/**
 * Sends accepted transactions to their rail.
 *
 * Threat: a crash, a time-out or a lost lease may come between any two steps, so an order may have arrived without any
 * trace of it here. Sent again, it may move the money twice; failed, it may have moved the money all the same. So:
 *
 *  1. PROCESSING and the order id are committed before the rail is called. An order that got its id in this commit was
 *     never sent, and is sent without a query.
 *  2. An order that had its id before may have arrived. The rail is queried first: the order is sent again only if
 *     nothing moved and the rail may get it twice (`repeat: 'safe'`). An order that must not be repeated is only
 *     queried from then on (`resolveUnknownOutcome`).
 *  3. Where only a repeat shows whether an order has arrived (`unanswered: 'repeat'`), it is repeated without a query.
 *     A refusal of the repeat then says nothing about the first try: the order is queried, and fails only if nothing
 *     moved.
 *  4. A day after its acceptance no order is sent: it fails once the rail confirms that nothing moved. One that never
 *     had an id gets one and is queried. Where the rail might never confirm that for an order it did not receive, it
 *     fails at once, without an id.
 *  5. A payout that was never sent waits with its hold while its merchant is suspended, however long (`actions/
 *     suspended-payouts.ts`).
 *  6. So does one that its operator has no float for, or whose operator does not answer, but not for ever
 *     (`actions/waiting-payouts.ts`).
 *  7. Each reply is recorded in one commit with the next step (`nextStep`), for jobs that this worker still holds. Ids
 *     from a reply are stored in any case: another worker may have no other ids to query by.
 *  8. A worker that stood still for minutes sends nothing. If it stood still in the call and the payout has failed
 *     meanwhile, the payout is listed as paid and not booked, and staff are alerted.
 */
export async function submitToRail(deps: RailDeps, items: readonly Job[], inParts: InParts = allAtOnce): Promise<void> {
  const { fresh, again, tooOld } = await markProcessing(deps, items)
  const timedOut = tooOld.map((order): RepliedOrder => ({ order, answer: { answer: 'outcome', outcome: TIMED_OUT } }))
  // Orders that were never sent do not wait for queries about the others.
  await inParts([
    ...(timedOut.length > 0 ? [{ run: () => recordReplies(deps, timedOut) }] : []),
    ...byRailAccount(deps.rail, fresh, async (orders) => recordReplies(deps, await send(deps, orders))),
    ...byRailAccount(deps.rail, again, (orders) => queryAndSend(deps, orders)),
  ])
}

interface SubmissionPlan {
  /** Never sent before: rule 1. */
  readonly fresh: readonly Order[]
  /** The rail may have them already, or can confirm that it has not: rules 2 to 4. */
  readonly again: readonly Order[]
  /** Never sent, and too old to be sent now: rule 4. */
  readonly tooOld: readonly Order[]
}

function markProcessing(deps: RailDeps, items: readonly Job[]): Promise<SubmissionPlan> {
  const { store, clock, random, rail } = deps
  return store.transaction(async (unit) => {
    // Lock order: always transactions before jobs, as in settling, so that the two never deadlock.
    const ids = items.map(({ subjectId }) => subjectId)
    const locked = await withoutUnneeded(unit, await unit.lockTransactions({ ids }), clock.now())
    const held = new Map((await unit.holdJobs(items)).map((item) => [item.subjectId, item]))
    const unfinished = locked.filter(
      ({ id, status }) => held.has(id) && (status === 'PENDING' || status === 'PROCESSING'),
    )
    const unsuspended = await withoutSuspended(unit, unfinished, held, clock)
    const open = await withoutWaiting(unit, deps, unsuspended, held)
    const { resumedAt } = unsuspended
    const now = clock.now()
    const hasId = ({ railOrderId }: Transaction): boolean => railOrderId !== undefined
    const isOld = (transaction: Transaction): boolean => gaveUp(transaction, now, resumedAt.get(transaction.id))
    const processing = open
      .filter((transaction) => !hasId(transaction))
      .map((transaction) =>
        isOld(transaction) && !canConfirm(rail, transaction)
          ? handToRail(transaction, undefined)
          : handToRail(transaction, {
              orderId: newOrderId(random),
              railAccount: nextRailAccount(rail, transaction),
            }),
      )
    await unit.saveStates(processing)
    const payerReferences = await reservePayerReferences(unit, rail, processing, now)
    await unit.addRailReferences(
      processing.flatMap((transaction) => ownReferences(transaction, payerReferences.get(transaction.id))),
      now,
    )
    await recordSubmitted(unit, open, now)
    const isOpen = new Set(unfinished.map(({ id }) => id))
    await unit.finishJobs([...held.values()].filter(({ subjectId }) => !isOpen.has(subjectId)))
    const names = new Map([...(await namesOf(unit, open.filter(hasId))), ...payerReferences])
    const collections = await unit.railReferences(open.flatMap(({ refund }) => collectionIn(refund)))
    const toOrder =
      (isAgain: boolean) =>
      (transaction: Transaction): Order => ({
        item: present(held.get(transaction.id), 'the work of a transaction'),
        transaction,
        names: names.get(transaction.id),
        collection: collections.get(collectionIn(transaction.refund)[0] ?? 0n),
        isAgain,
        heldAt: now,
      })
    return {
      fresh: processing.filter((transaction) => hasId(transaction) && !isOld(transaction)).map(toOrder(false)),
      again: [...processing.filter(isOld), ...open].filter(hasId).map(toOrder(true)),
      tooOld: processing.filter((transaction) => !hasId(transaction)).map(toOrder(false)),
    }
  })
}

const collectionIn = (refund: RefundDetails | undefined): readonly bigint[] =>
  refund?.way === 'refund' && refund.collectionId !== undefined ? [BigInt(refund.collectionId)] : []

/** References by which staff, callbacks and statements find the order. */
const ownReferences = (transaction: Transaction, { externalIds }: OrderNames = { externalIds: {} }) =>
  transaction.railOrderId === undefined
    ? []
    : referencesOf(transaction, { [OUR_REFERENCE]: transaction.railOrderId, ...externalIds }, 'own')

const recordSubmitted = (unit: UnitOfWork, open: readonly Transaction[], now: Date): Promise<void> =>
  unit.addEvents(
    open
      .filter(({ status }) => status === 'PENDING')
      .map(({ id, providerCode }) => ({
        transactionId: id,
        kind: 'submitted',
        detail: `Handed to the rail of ${providerCode}`,
      })),
    now,
  )

interface Submission extends RepliedOrder {
  readonly answer: RailAnswer
}

async function send({ rail, reference, clock }: RailDeps, all: readonly Order[]): Promise<readonly Submission[]> {
  const orders = all.filter((order) => maySend(order, clock.now()))
  const stoodStill = all
    .filter((order) => !orders.includes(order))
    .map((order): Submission => ({ order, answer: { answer: 'not_sent', error: 'the worker stood still' } }))
  if (orders.length === 0) return stoodStill
  const merchants = await Promise.all(orders.map(({ transaction }) => merchantName(reference, transaction)))
  const answers = await submitOrders(
    rail,
    orders.map((order, index) => ({ ...order, merchant: merchants[index] })),
  )
  const sent = orders.map((order, index) => {
    const answer = present(answers[index], "the rail's answer")
    return { order, answer, isSent: true }
  })
  return [...sent, ...stoodStill]
}

/**
 * The merchant name that a customer may see with the order. The order does not depend on it: it is already marked as
 * sent, and if it were not sent now, it would have to be queried for a day.
 */
const merchantName = async (reference: Merchants, { merchantId }: Transaction): Promise<string | undefined> =>
  (await reference.merchantById(merchantId).catch(() => undefined))?.name

/** Rules 2 to 4: queries orders that may have arrived, and sends those that did not. */
async function queryAndSend(deps: RailDeps, orders: readonly Order[]): Promise<void> {
  const { rail, clock } = deps
  const now = clock.now()
  const isRepeated = (order: Order): boolean => isRepeatedUnqueried(rail, order.transaction) && !gaveUpOrder(order, now)
  const toSend = orders.filter(isRepeated)
  const known: RepliedOrder[] = []
  const queried = await query(
    rail,
    orders.filter((order) => !isRepeated(order)),
  )
  for (const { order, knowledge } of queried) {
    const answer = afterQuery(rail, order, knowledge, clock.now())
    if (answer) known.push({ order, answer })
    else toSend.push(order)
  }
  const answered = toSend.length > 0 ? await withRefusalsQueried(rail, await send(deps, toSend)) : []
  await recordReplies(deps, [...known, ...answered])
}

/** Rule 3: queries the refused orders whose first try may have arrived. */
async function withRefusalsQueried(rail: Rail, sent: readonly Submission[]): Promise<readonly RepliedOrder[]> {
  const isDoubtful = ({ order, answer }: Submission): boolean => isDoubtfulRefusal(rail, order, answer)
  const doubtful = sent.filter(isDoubtful)
  const queried = await query(
    rail,
    doubtful.map(({ order }) => order),
  )
  return [
    ...sent.filter((one) => !isDoubtful(one)),
    ...doubtful.map(({ order, answer }, index) => ({
      order,
      answer: afterRefusal(answer, present(queried[index], 'the query of a refused order').knowledge),
    })),
  ]
}

async function query(rail: Rail, orders: readonly Order[]) {
  if (orders.length === 0) return []
  const knowledge = await queryOrders(rail, orders)
  return orders.map((order, index) => ({ order, knowledge: present(knowledge[index], 'what the rail knows') }))
}

/** Rule 7. */
async function recordReplies(deps: RailDeps, all: readonly RepliedOrder[]): Promise<void> {
  const answered = all.filter((one) => !isOnlyAccepted(one))
  let unmapped: readonly UnmappedResult[] = []
  let isHeldByAll = true
  const paidNotBooked = await untilCovered(() =>
    deps.store.transaction(async (unit) => {
      const locked = await unit.lockTransactions({ ids: answered.map(({ order }) => order.transaction.id) })
      const isHeld = await heldJobs(
        unit,
        answered.map(({ order }) => order.item),
      )
      const ours = answered.filter(({ order }) => isHeld(order.item))
      await unit.saveStates(changedByReplies(deps.rail, locked, ours))
      await unit.addRailReferences(
        answered.flatMap(({ order, answer }) => referencesInAnswer(order.transaction, answer)),
        deps.clock.now(),
      )
      unmapped = await recordUnmapped(unit, ours.flatMap(unmappedIn), deps.clock.now())
      const next = [...ours, ...all.filter((one) => !answered.includes(one))].map(({ order, answer }) => ({
        order,
        ...nextStep(deps.rail, { order, answer }),
      }))
      const open = next.flatMap((one) => (one.step === 'go_on' ? [one] : []))
      isHeldByAll = (await goOn(unit, open, deps.clock.now())) === open.length
      const reports = next.flatMap((one) => (one.step === 'settle' ? [one.report] : []))
      const late = answered.filter((one) => !isHeld(one.order.item))
      return [...(await settleWithin(unit, deps, reports)), ...(await raiseSentAfterEnd(unit, deps, locked, late))]
    }),
  )
  notifyUnmapped(deps.notices, unmapped)
  reportNotBooked(deps, paidNotBooked)
  if (!isHeldByAll) reportNotBooked(deps, await acceptedAfterEnd(deps, all.filter(isOnlyAccepted)))
}

/** Orders that were accepted while somebody else took over or ended their jobs, who may have failed them. */
const acceptedAfterEnd = (deps: RailDeps, accepted: readonly RepliedOrder[]): Promise<readonly Transaction[]> =>
  deps.store.transaction(async (unit) => {
    const locked = await unit.lockTransactions({ ids: accepted.map(({ order }) => order.transaction.id) })
    return raiseSentAfterEnd(unit, deps, locked, accepted)
  })

/**
 * The next step is stored in the job and not in the transaction, so the transaction is not locked. Jobs that others
 * have taken over or finished in the meantime are not replaced.
 */
const isOnlyAccepted = ({ answer }: RepliedOrder): boolean =>
  answer.answer === 'accepted' && answer.externalIds === undefined && answer.question === undefined

/** The transactions whose orders lose their ids, or wait for one. A report may have ended others in the meantime. */
function changedByReplies(rail: Rail, locked: readonly Transaction[], ours: readonly RepliedOrder[]): Transaction[] {
  const replied = new Map(ours.map((one) => [one.order.transaction.id, one]))
  return locked.flatMap((transaction) => {
    const one = replied.get(transaction.id)
    if (transaction.status !== 'PROCESSING' || !one) return []
    const waits = one.answer.answer === 'not_sent' && one.answer.lacksId === true
    const waited = transaction.statusMessage === STATUS_MESSAGES.awaitingReceipt
    const isUnsent = losesOrderId(rail, transaction, one)
    if (!isUnsent && waits === waited) return []
    const message = waits ? STATUS_MESSAGES.awaitingReceipt : STATUS_MESSAGES.awaitingRail
    const changed = waits === waited ? transaction : { ...transaction, statusMessage: message }
    return [isUnsent ? neverSent(changed) : changed]
  })
}

const unmappedIn = ({ order: { transaction }, answer: { unmappedCode } }: RepliedOrder): UnmappedResult[] =>
  unmappedCode === undefined ? [] : [{ transaction, code: unmappedCode }]

/**
 * Schedules the next step of each order without an outcome, and adds the events about it to the history.
 * @returns of how many orders this worker still held the job
 */
async function goOn(
  unit: UnitOfWork,
  open: readonly ({ readonly order: Order } & Extract<NextStep, { readonly step: 'go_on' }>)[],
  now: Date,
): Promise<number> {
  let held = 0
  for (const alike of Map.groupBy(open, ({ kind, afterMs }) => `${kind} ${afterMs}`).values()) {
    const { kind, afterMs } = present(alike[0], 'the first of a group')
    held += await unit.replaceJobs(
      alike.map(({ order }) => order.item),
      kind,
      new Date(now.getTime() + afterMs),
    )
  }
  await unit.addEvents(
    open.flatMap(({ order, event }) => (event ? [{ transactionId: order.transaction.id, ...event }] : [])),
    now,
  )
  return held
}
