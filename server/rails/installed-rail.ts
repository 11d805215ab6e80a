import { isDeepStrictEqual } from 'node:util'
import type { HolderQuery, Rail, RailAnswer, RailKnowledge, RailOrder, RefundOrder } from '../actions/ports/rail.ts'
import type { Circuit } from './circuit.ts'
import { NoAnswer, NotSent } from './operator-errors.ts'
import type { Adapter } from './rail-kind.ts'
import type { Timers } from '../actions/ports/timers.ts'

export interface InstalledRailOptions {
  readonly adapter: Pick<
    Adapter,
    'traitsOf' | 'payerReference' | 'submit' | 'query' | 'refund' | 'queryRefund' | 'holder'
  >
  readonly circuit: Pick<Circuit, 'state'>
  readonly timers: Timers
  /** Called with errors that an adapter must not throw: they are bugs of ours. */
  readonly onFault: (error: unknown) => void
  /** Maximum number of orders of one batch that the adapter processes at the same time. */
  readonly concurrency?: number
  /**
   * An order that has not begun within this time is not sent: its reply would come too late, and the external ids in
   * it would be lost.
   */
  readonly beginWithinMs?: number
  /** Timeout of the whole batch: below the 25 s after which the caller stops waiting. */
  readonly answerWithinMs?: number
}

const CONCURRENCY = 16
/** Plus the 15 s of a call, it ends in time. */
const BEGIN_WITHIN_MS = 8_000
const ANSWER_WITHIN_MS = 24_000

/**
 * Wraps an adapter as the gateway's `Rail` port: it adds batches, limits, and what is certain about an order that
 * failed. It never runs more than one call per order: a repeated submit gets the reply of the running one, and so does
 * a repeated query with the same external ids.
 */
export function createInstalledRail(options: InstalledRailOptions): Rail {
  const { adapter } = options
  const holderQuery = holderQueryOf(options)
  const refunds = callsFor<RefundOrder>(
    options,
    async (order) =>
      refusedRefund(order, adapter) ?? (await adapter.refund?.(order)) ?? { answer: 'not_sent', error: NO_REFUNDS },
    async (order) => (await adapter.queryRefund?.(order)) ?? { knows: 'unreachable', error: NO_REFUNDS },
  )
  return {
    traitsOf: ({ type }) => adapter.traitsOf(type),
    payerReference: (order) => adapter.payerReference?.(order),
    ...callsFor<RailOrder>(
      options,
      (order) => adapter.submit(order),
      (order) => adapter.query(order),
    ),
    refund: refunds.submit,
    queryRefund: refunds.query,
    holderQuery: () => holderQuery,
  }
}

/** Of one rail account. More are not sent: they must not take the slots that payments need. */
const HOLDER_QUERIES_MAX = 4

function holderQueryOf({ adapter, circuit, onFault }: InstalledRailOptions): HolderQuery | undefined {
  if (!adapter.holder) return undefined
  let running = 0
  return async (account) => {
    if (circuit.state().state === 'open') return { knows: 'unreachable', error: CIRCUIT_OPEN }
    if (running >= HOLDER_QUERIES_MAX) return { knows: 'unreachable', error: NO_TIME }
    running += 1
    try {
      return (await adapter.holder?.(account)) ?? { knows: 'unreachable', error: LATE }
    } catch (error) {
      onFault(error)
      return { knows: 'unreachable', error: 'the adapter failed' }
    } finally {
      running -= 1
    }
  }
}

/** Both calls about one sort of orders: each order has an id of its own, so the sorts never wait for each other. */
function callsFor<Order extends AnyOrder>(
  options: InstalledRailOptions,
  submitOne: (order: Order) => Promise<RailAnswer>,
  queryOne: (order: Order) => Promise<RailKnowledge>,
) {
  const { circuit, onFault } = options
  const isOpen = () => circuit.state().state === 'open'

  const unanswered = (error: unknown): string => {
    if (error instanceof NoAnswer || error instanceof NotSent) return error.message
    onFault(error)
    return `the adapter failed (${error instanceof Error ? error.name : typeof error})`
  }

  const submits: CallsInFlight<RailAnswer> = new Map()
  const queries: CallsInFlight<RailKnowledge> = new Map()
  const submitted = (order: Order): Promise<RailAnswer> =>
    result(() => submitOne(order)).catch((error: unknown) => ({
      answer: error instanceof NotSent ? 'not_sent' : 'unreachable',
      error: unanswered(error),
    }))
  const queried = (order: Order): Promise<RailKnowledge> =>
    result(() => queryOne(order)).catch((error: unknown) => ({ knows: 'unreachable', error: unanswered(error) }))

  async function submit(order: Order, mayBegin: MayBegin): Promise<RailAnswer> {
    // No await may stand between the last check for a running call and adding this one to the map, or two would begin.
    for (let other = queries.get(order.orderId); other; other = queries.get(order.orderId)) await other.answer
    const running = submits.get(order.orderId)
    if (running) return running.answer
    if (isOpen()) return { answer: 'not_sent', error: CIRCUIT_OPEN }
    if (!mayBegin()) return { answer: 'not_sent', error: NO_TIME }
    return kept(submits, order, submitted(order))
  }

  async function sendQuery(order: Order, mayBegin: MayBegin): Promise<RailKnowledge> {
    const otherCall = () => submits.get(order.orderId) ?? questionByOtherNames(queries, order)
    for (let other = otherCall(); other; other = otherCall()) await other.answer
    const running = queries.get(order.orderId)
    if (running) return running.answer
    if (isOpen()) return { knows: 'unreachable', error: CIRCUIT_OPEN }
    if (!mayBegin()) return { knows: 'unreachable', error: NO_TIME }
    return kept(queries, order, queried(order))
  }

  return {
    submit: (orders: readonly Order[]): Promise<readonly RailAnswer[]> =>
      batch(orders, submit, options, {
        late: { answer: 'unreachable', error: LATE },
        notBegun: { answer: 'not_sent', error: NO_TIME },
      }),
    query: (orders: readonly Order[]): Promise<readonly RailKnowledge[]> =>
      batch(orders, sendQuery, options, {
        late: { knows: 'unreachable', error: LATE },
        notBegun: { knows: 'unreachable', error: NO_TIME },
      }),
  }
}

/** A last check, whatever ordered it: money that was never paid in does not go out as a refund. */
function refusedRefund(
  { amount, collection }: RefundOrder,
  { traitsOf }: Pick<Adapter, 'traitsOf'>,
): Extract<RailAnswer, { answer: 'refused' }> | undefined {
  const refused = (reason: string) => ({ answer: 'refused', reason, code: 'not_allowed' }) as const
  if (amount.currency !== collection.amount.currency || amount.amountMinor > collection.amount.amountMinor)
    return refused('More than the payment cannot be given back')
  const isPart = amount.amountMinor < collection.amount.amountMinor
  return isPart && !traitsOf('COLLECTION').refund?.partial
    ? refused('The operator gives back whole payments only')
    : undefined
}

type AnyOrder = RailOrder | RefundOrder

const NO_REFUNDS = 'this operator has no refunds'
const CIRCUIT_OPEN = 'the operator has not answered lately: the circuit is open'
const NO_TIME = 'its turn did not come in time'
const LATE = 'no answer in time'

/** Running calls, by order id. */
type CallsInFlight<Outcome> = Map<string, Call<Outcome>>
interface Call<Outcome> {
  /** The external ids of the order, as far as they were known. */
  readonly by: RailOrder['externalIds']
  /** Never rejects. */
  readonly answer: Promise<Outcome>
}

function kept<Outcome>(running: CallsInFlight<Outcome>, order: AnyOrder, answer: Promise<Outcome>): Promise<Outcome> {
  running.set(order.orderId, { by: order.externalIds, answer })
  return answer.finally(() => running.delete(order.orderId))
}

/**
 * A running query by other external ids. Its reply is about those ids: if only a message has supplied them, they may
 * belong to another payment.
 */
function questionByOtherNames(queries: CallsInFlight<RailKnowledge>, { orderId, externalIds }: AnyOrder) {
  const running = queries.get(orderId)
  return running && !isDeepStrictEqual(running.by, externalIds) ? running : undefined
}

/** Whether enough time is left for a call that begins now. */
type MayBegin = () => boolean

/** Turns a synchronous throw of an adapter into a rejected promise. */
const result = async <Value>(run: () => Promise<Value>): Promise<Value> => run()

async function batch<Order, Outcome>(
  orders: readonly Order[],
  one: (order: Order, mayBegin: MayBegin) => Promise<Outcome>,
  options: InstalledRailOptions,
  { late, notBegun }: { readonly late: Outcome; readonly notBegun: Outcome },
): Promise<readonly Outcome[]> {
  const { timers, concurrency = CONCURRENCY, beginWithinMs = BEGIN_WITHIN_MS } = options
  const { answerWithinMs = ANSWER_WITHIN_MS } = options
  const startedMs = timers.elapsedMs()
  const mayBegin = (): boolean => timers.elapsedMs() - startedMs < beginWithinMs
  const waiting = orders.entries()
  const answers = new Map<number, Outcome>()

  async function work(): Promise<void> {
    for (const [index, order] of waiting) {
      answers.set(index, mayBegin() ? late : notBegun)
      if (mayBegin()) answers.set(index, await one(order, mayBegin))
    }
  }

  const { promise: inTime, resolve } = Promise.withResolvers<void>()
  const cancel = timers.after(answerWithinMs, resolve)
  await Promise.race([Promise.all(Array.from({ length: concurrency }, work)), inTime])
  cancel()
  return orders.map((_order, index) => answers.get(index) ?? notBegun)
}
