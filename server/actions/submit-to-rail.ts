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
import { allAtOnce, byInstallation } from './by-installation.ts'
import { heldWork } from './held-work.ts'
import { isWorthTelling, railOrder, traitsOf } from './rail-order.ts'
import { reservePayerReferences } from './payer-references.ts'
import { namesOf, referencesInAnswer, referencesOf } from './rail-references.ts'
import { settleWithin, tellNotBooked, type SettleDeps } from './settle-results.ts'
import type { InParts } from './ports/operator-parts.ts'
import type { Rail, RailAnswer, RailKnowledge, RailReport } from './ports/rail.ts'
import { OUR_REFERENCE, type OrderNames, type TransactionEvent, type Unit } from './ports/unit.ts'
import type { Merchants } from './ports/reference-data.ts'
import type { WorkItem, WorkKind } from './ports/work.ts'
import { notifyUnmapped, recordUnmapped, type UnmappedResult } from './unmapped-results.ts'
import { untilCovered } from './until-covered.ts'

export interface RailDeps extends SettleDeps {
  readonly rail: Rail
}

interface Order {
  readonly item: WorkItem
  readonly transaction: Transaction
  readonly names?: OrderNames | undefined
  /** It went out before, as far as anybody knows. */
  readonly isAgain: boolean
}
interface Marked {
  readonly fresh: readonly Order[]
  /** The rail may have them already. */
  readonly again: readonly Order[]
  /** Never sent, and nobody waits for them any more. */
  readonly tooOld: readonly Order[]
}

/**
 * Hands accepted transactions to their rail. PROCESSING and the id of the order are committed before the rail is called;
 * what has an id already was perhaps sent before a crash or a time-out, so the rail is asked about it before anything is
 * sent again. Where an order must not be repeated, it is only asked about from then on (`findOrder`).
 */
export async function submitToRail(
  deps: RailDeps,
  items: readonly WorkItem[],
  inParts: InParts = allAtOnce,
): Promise<void> {
  const { fresh, again, tooOld } = await markProcessing(deps, items)
  const timedOut = tooOld.map((order): Answered => ({ order, answer: { answer: 'outcome', outcome: TIMED_OUT } }))
  // What was never sent waits for no question about what was.
  await inParts([
    ...(timedOut.length > 0 ? [{ run: () => recordAnswers(deps, timedOut) }] : []),
    ...byInstallation(deps.rail, fresh, async (orders) => recordAnswers(deps, await send(deps, orders))),
    ...byInstallation(deps.rail, again, (orders) => askAndSend(deps, orders)),
  ])
}

async function askAndSend(deps: RailDeps, orders: readonly Order[]): Promise<void> {
  const { toSend, known } = await askAbout(deps, orders)
  const answered = toSend.length > 0 ? await withSecondThoughts(deps, await send(deps, toSend)) : []
  await recordAnswers(deps, [...known, ...answered])
}

async function send({ rail, reference }: RailDeps, orders: readonly Order[]): Promise<readonly Sent[]> {
  const merchants = await Promise.all(orders.map(({ transaction }) => merchantName(reference, transaction)))
  const answers = await rail.submit(
    orders.map(({ transaction, names }, index) => railOrder(transaction, names, merchants[index])),
  )
  return orders.map((order, index) => ({ order, answer: present(answers[index], "the rail's answer") }))
}

/**
 * What a customer may be shown with the order. Not worth an order: it is marked as sent already, and one that stays
 * behind would have to be asked about for a day.
 */
const merchantName = async (reference: Merchants, { merchantId }: Transaction): Promise<string | undefined> =>
  (await reference.merchantById(merchantId).catch(() => undefined))?.name

function markProcessing({ store, clock, random, rail }: RailDeps, items: readonly WorkItem[]): Promise<Marked> {
  return store.transaction(async (unit) => {
    // Always transactions before work: settling locks them in this order too, so the two never wait for each other in a
    // circle.
    const locked = await unit.lockTransactions({ ids: items.map(({ subjectId }) => subjectId) })
    const held = new Map((await unit.holdWork(items)).map((item) => [item.subjectId, item]))
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
            : { orderId: newOrderId(random), installation: rail.installationOf?.(transaction.providerCode) },
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
    await unit.finishWork([...held.values()].filter(({ subjectId }) => !isOpen.has(subjectId)))
    const names = new Map([...(await namesOf(unit, open.filter(isKnown))), ...payerReferences])
    const toOrder =
      (isAgain: boolean) =>
      (transaction: Transaction): Order => ({
        item: present(held.get(transaction.id), 'the work of a transaction'),
        transaction,
        names: names.get(transaction.id),
        isAgain,
      })
    // One that waited for a day (the gateway was down) is not simply sent: the rail says first that nothing moved, and
    // then it fails. Where the rail might never say that of what it never got, it fails at once: no id was ever given.
    return {
      fresh: processing.filter((transaction) => isKnown(transaction) && !isOld(transaction)).map(toOrder(false)),
      again: [...processing.filter(isOld), ...open].filter(isKnown).map(toOrder(true)),
      tooOld: processing.filter((transaction) => !isKnown(transaction)).map(toOrder(false)),
    }
  })
}

/** Whether the rail, asked, says of what it never got that nothing moved. */
function canConfirm(rail: Rail, transaction: Transaction): boolean {
  const { repeat, unanswered } = traitsOf(rail, transaction)
  return repeat === 'safe' && unanswered !== 'repeat'
}

interface Sent {
  readonly order: Order
  readonly answer: RailAnswer
}

/**
 * A refusal of an order that went out before and was not asked about says nothing of that first try: it may have arrived,
 * under settings that have changed since. So these are asked about now, and are refused only if nothing moved.
 */
async function withSecondThoughts({ rail }: RailDeps, sent: readonly Sent[]): Promise<readonly Answered[]> {
  const isDoubtful = ({ order: { isAgain, transaction }, answer }: Sent): boolean =>
    isAgain && answer.answer === 'refused' && isRepeatedUnasked(rail, transaction)
  const doubtful = sent.filter(isDoubtful)
  if (doubtful.length === 0) return sent
  const knowledge = await rail.ask(doubtful.map(({ order: { transaction, names } }) => railOrder(transaction, names)))
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

/** By which operators, callbacks and statements find it. */
const ownReferences = (transaction: Transaction, { theirs }: OrderNames = { theirs: {} }) =>
  transaction.railOrderId === undefined
    ? []
    : referencesOf(transaction, { [OUR_REFERENCE]: transaction.railOrderId, ...theirs }, 'own')

/** To an order, or to a query about it. */
type OrderReply = (RailAnswer | ({ readonly answer: 'outcome' } & Omit<Known<'outcome'>, 'knows'>)) &
  Partial<Pick<Known<'unreachable'>, 'question' | 'unmappedCode'>>
type Known<Knows extends RailKnowledge['knows']> = Extract<RailKnowledge, { readonly knows: Knows }>

interface Answered {
  readonly order: Order
  readonly answer: OrderReply
}

async function askAbout(
  { rail, clock }: RailDeps,
  orders: readonly Order[],
): Promise<{ toSend: Order[]; known: Answered[] }> {
  const now = clock.now()
  const isRepeated = ({ transaction }: Order): boolean =>
    isRepeatedUnasked(rail, transaction) && !gaveUp(transaction, now)
  const toSend = orders.filter(isRepeated)
  const asked = orders.filter((order) => !isRepeated(order))
  const knowledge =
    asked.length > 0 ? await rail.ask(asked.map(({ transaction, names }) => railOrder(transaction, names))) : []
  const known: Answered[] = []
  asked.forEach((order, index) => {
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

/** Nothing but the same order again tells whether it has arrived; after a day that is no longer tried. */
function isRepeatedUnasked(rail: Rail, transaction: Transaction): boolean {
  const { repeat, unanswered } = traitsOf(rail, transaction)
  return repeat === 'safe' && unanswered === 'repeat'
}

async function recordAnswers(deps: RailDeps, all: readonly Answered[]): Promise<void> {
  const answered = all.filter((one) => !isOnlyAccepted(one))
  let unmapped: readonly UnmappedResult[] = []
  const paidNotBooked = await untilCovered(() =>
    deps.store.transaction(async (unit) => {
      const locked = await unit.lockTransactions({ ids: answered.map(({ order }) => order.transaction.id) })
      const isHeld = await heldWork(
        unit,
        answered.map(({ order }) => order.item),
      )
      const ours = answered.filter(({ order }) => isHeld(order.item))
      const answers = new Map(ours.map((one) => [one.order.transaction.id, one]))
      await unit.saveStates(
        locked.flatMap((transaction) => afterAnswer(deps.rail, transaction, answers.get(transaction.id))),
      )
      // Also of those that others have taken up meanwhile: they may have nothing else to ask by.
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
  tellNotBooked(deps, paidNotBooked)
}

/**
 * What is next stands in its work, and nothing in the transaction: so that is not locked. Of work that others have taken
 * up or ended meanwhile nothing is replaced.
 */
const isOnlyAccepted = ({ answer }: Answered): boolean =>
  answer.answer === 'accepted' && answer.theirs === undefined && answer.question === undefined

const unmappedIn = ({ order: { transaction }, answer: { unmappedCode } }: Answered): UnmappedResult[] =>
  unmappedCode === undefined ? [] : [{ transaction, code: unmappedCode }]

/** The transaction as it is now, where the answer changes it: a report may have ended it meanwhile. */
function afterAnswer(rail: Rail, transaction: Transaction, one: Answered | undefined): Transaction[] {
  if (transaction.status !== 'PROCESSING' || !one) return []
  const { order, answer } = one
  // An order that may be repeated keeps its id: others may have sent it too, or a worker that was paused may yet. So does
  // one that went out before, whatever is said of its way now: its connection may have gone since.
  const onlyOurs = !order.isAgain && traitsOf(rail, transaction).repeat === 'never'
  return answer.answer === 'not_sent' && onlyOurs ? [neverSent(transaction)] : []
}

/** What is to be done next with each order that has no outcome yet, and the history's lines about it. */
async function goOn(unit: Unit, { rail, clock }: RailDeps, ours: readonly Answered[]): Promise<void> {
  const now = clock.now()
  const open = ours.flatMap(({ order, answer }) => {
    const next = nextWork(rail, order, answer)
    return next ? [{ order, next }] : []
  })
  for (const alike of Map.groupBy(open, ({ next: { kind, afterMs } }) => `${kind} ${afterMs}`).values()) {
    const { kind, afterMs } = present(alike[0], 'the first of a group').next
    await unit.replaceWork(
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

interface NextWork {
  readonly kind: WorkKind
  readonly afterMs: number
  readonly event?: Pick<TransactionEvent, 'kind' | 'detail'>
}

function nextWork(rail: Rail, order: Order, answer: OrderReply): NextWork | undefined {
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
 * Whether no attempt is left, and none arrived. Where nothing but the same order again tells whether an earlier one did,
 * nobody knows: time is the bound then.
 */
function isLastAttempt(rail: Rail, { item, transaction, isAgain }: Order, answer: OrderReply): boolean {
  if (answer.answer !== 'not_sent' || answer.attemptsMax === undefined || item.attempt < answer.attemptsMax)
    return false
  return !(isAgain && isRepeatedUnasked(rail, transaction))
}

function toReport(rail: Rail, { order, answer }: Answered): RailReport[] {
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
