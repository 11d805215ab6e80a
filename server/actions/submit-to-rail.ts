import { present } from '../domain/present.ts'
import {
  ASK_RAIL_AFTER_MS,
  gaveUp,
  handToRail,
  reachedRail,
  TIMED_OUT,
  unreachableRetryMs,
  type Transaction,
} from '../domain/transaction.ts'
import { heldWork } from './held-work.ts'
import { isWorthTelling, railOrder } from './rail-order.ts'
import { settleWithin, tellNotBooked, type SettleDeps } from './settle-results.ts'
import type { Rail, RailAnswer, RailReport } from './ports/rail.ts'
import type { WorkItem } from './ports/work.ts'
import { untilCovered } from './until-covered.ts'

export interface RailDeps extends SettleDeps {
  readonly rail: Rail
}

interface Order {
  readonly item: WorkItem
  readonly transaction: Transaction
}

/**
 * Hands accepted transactions to their rail. PROCESSING is committed before the rail is called; one that is PROCESSING
 * already was perhaps sent before a crash or a time-out, so the rail is asked about it before anything is sent again.
 */
export async function submitToRail(deps: RailDeps, items: readonly WorkItem[]): Promise<void> {
  const { fresh, again } = await markProcessing(deps, items)
  const { toSend, known } = await askAbout(deps, again)
  const orders = [...fresh, ...toSend]
  const answers =
    orders.length > 0 ? await deps.rail.submit(orders.map(({ transaction }) => railOrder(transaction))) : []
  await recordAnswers(deps, [
    ...known,
    ...orders.map((order, index) => ({ order, answer: present(answers[index], "the rail's answer") })),
  ])
}

function markProcessing(
  { store, clock }: RailDeps,
  items: readonly WorkItem[],
): Promise<{ fresh: Order[]; again: Order[] }> {
  return store.transaction(async (unit) => {
    // Always transactions before work: settling locks them in this order too, so the two never wait for each other in a
    // circle.
    const locked = await unit.lockTransactions({ ids: items.map(({ subjectId }) => subjectId) })
    const held = new Map((await unit.holdWork(items)).map((item) => [item.subjectId, item]))
    const transactions = locked.filter(({ id }) => held.has(id))
    const inState = (status: Transaction['status']) =>
      transactions.filter((transaction) => transaction.status === status)
    const old = (transaction: Transaction): boolean => gaveUp(transaction, clock.now())
    const toOrder = (transaction: Transaction): Order => ({
      item: present(held.get(transaction.id), 'the work of a transaction'),
      transaction,
    })
    const processing = inState('PENDING').map(handToRail)
    await unit.saveStates(processing)
    await unit.addEvents(
      processing.map(({ id, providerCode }) => ({
        transactionId: id,
        kind: 'submitted',
        detail: `Handed to the rail of ${providerCode}`,
      })),
      clock.now(),
    )
    const open = new Set(
      transactions.filter(({ status }) => status === 'PENDING' || status === 'PROCESSING').map(({ id }) => id),
    )
    await unit.finishWork([...held.values()].filter(({ subjectId }) => !open.has(subjectId)))
    // One that waited for a day (the gateway was down) is not simply sent: the rail says first that nothing moved, and
    // then it fails.
    return {
      fresh: processing.filter((transaction) => !old(transaction)).map(toOrder),
      again: [...processing.filter(old), ...inState('PROCESSING')].map(toOrder),
    }
  })
}

type Answer = RailAnswer | { readonly answer: 'outcome'; readonly outcome: RailReport['outcome'] }
interface Answered {
  readonly order: Order
  readonly answer: Answer
}

async function askAbout(
  { rail, clock }: RailDeps,
  orders: readonly Order[],
): Promise<{ toSend: Order[]; known: Answered[] }> {
  const knowledge = orders.length > 0 ? await rail.ask(orders.map(({ transaction }) => railOrder(transaction))) : []
  const toSend: Order[] = []
  const known: Answered[] = []
  orders.forEach((order, index) => {
    const answer = present(knowledge[index], 'what the rail knows')
    if (answer.knows === 'nothing_moved' && gaveUp(order.transaction, clock.now()))
      known.push({ order, answer: { answer: 'outcome', outcome: TIMED_OUT } })
    else if (answer.knows === 'nothing_moved') toSend.push(order)
    else if (answer.knows === 'outcome') known.push({ order, answer: { answer: 'outcome', outcome: answer.outcome } })
    else if (answer.knows === 'in_progress') known.push({ order, answer: { answer: 'accepted' } })
    else known.push({ order, answer: { answer: 'unreachable', error: answer.error } })
  })
  return { toSend, known }
}

async function recordAnswers(deps: RailDeps, answered: readonly Answered[]): Promise<void> {
  const paidNotBooked = await untilCovered(() =>
    deps.store.transaction(async (unit) => {
      const locked = await unit.lockTransactions({ ids: answered.map(({ order }) => order.transaction.id) })
      const isHeld = await heldWork(
        unit,
        answered.map(({ order }) => order.item),
      )
      const ours = answered.filter(({ order }) => isHeld(order.item))
      const now = deps.clock.now().getTime()
      const accepted = ours.filter(({ answer }) => answer.answer === 'accepted')
      const taken = new Set(accepted.map(({ order }) => order.transaction.id))
      await unit.saveStates(
        locked
          .filter(({ id, status, type }) => taken.has(id) && status === 'PROCESSING' && type === 'COLLECTION')
          .map(reachedRail),
      )
      await unit.replaceWork(
        accepted.map(({ order }) => order.item),
        'askRail',
        new Date(now + ASK_RAIL_AFTER_MS),
      )
      for (const { order, answer } of ours) {
        if (answer.answer !== 'unreachable') continue
        await unit.replaceWork([order.item], 'submitToRail', new Date(now + unreachableRetryMs(order.item.attempt)))
        if (isWorthTelling(order.item.attempt))
          await unit.addEvents(
            [{ transactionId: order.transaction.id, kind: 'rail_unreachable', detail: answer.error }],
            deps.clock.now(),
          )
      }
      return settleWithin(unit, deps, ours.flatMap(toReport))
    }),
  )
  tellNotBooked(deps, paidNotBooked)
}

function toReport({ order, answer }: Answered): RailReport[] {
  const { internalReference } = order.transaction
  if (answer.answer === 'outcome') return [{ internalReference, outcome: answer.outcome }]
  if (answer.answer === 'refused') return [{ internalReference, outcome: { status: 'FAILED', reason: answer.reason } }]
  return []
}
