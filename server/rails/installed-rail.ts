import { isDeepStrictEqual } from 'node:util'
import type { Rail, RailAnswer, RailKnowledge, RailOrder } from '../actions/ports/rail.ts'
import type { Circuit } from './circuit.ts'
import { NoAnswer, NotSent } from './operator-errors.ts'
import type { Adapter } from './rail-kind.ts'
import type { Timers } from './timers.ts'

export interface InstalledRailOptions {
  readonly adapter: Pick<Adapter, 'traitsOf' | 'payerReference' | 'submit' | 'ask'>
  readonly circuit: Pick<Circuit, 'state'>
  readonly timers: Timers
  /** Hears of what an adapter must not throw: it is a fault of ours. */
  readonly onFault: (error: unknown) => void
  /** Orders of one batch that are with the adapter at the same time. */
  readonly concurrency?: number
  /**
   * An order begins within so long, or not at all: one that begins later could not be answered in time, and what the
   * operator called it would be lost.
   */
  readonly beginWithinMs?: number
  /** The whole batch is answered within so long: below the 25 s after which nobody listens any more. */
  readonly answerWithinMs?: number
}

const CONCURRENCY = 16
/** With the 15 s of a call it is over in time. */
const BEGIN_WITHIN_MS = 8_000
const ANSWER_WITHIN_MS = 24_000

/**
 * An adapter as the gateway's port has it: batches, bounds, and what is certain of an order that failed. Of one order
 * there is never more than one call at a time: the same submit again gets the answer of the one that is running, and so
 * does the same question, by the same names of the operator's.
 */
export function createInstalledRail(options: InstalledRailOptions): Rail {
  const { adapter, circuit, onFault } = options
  const submits: Running<RailAnswer> = new Map()
  const asks: Running<RailKnowledge> = new Map()
  const isOpen = () => circuit.state().state === 'open'

  const unanswered = (error: unknown): string => {
    if (error instanceof NoAnswer || error instanceof NotSent) return error.message
    onFault(error)
    return `the adapter failed (${error instanceof Error ? error.name : typeof error})`
  }
  const submitted = (order: RailOrder): Promise<RailAnswer> =>
    result(() => adapter.submit(order)).catch((error: unknown) => ({
      answer: error instanceof NotSent ? 'not_sent' : 'unreachable',
      error: unanswered(error),
    }))
  const asked = (order: RailOrder): Promise<RailKnowledge> =>
    result(() => adapter.ask(order)).catch((error: unknown) => ({ knows: 'unreachable', error: unanswered(error) }))

  async function submit(order: RailOrder, mayBegin: MayBegin): Promise<RailAnswer> {
    // From the last look at what runs until the call is in the map nothing may wait, or two would begin.
    for (let other = asks.get(order.orderId); other; other = asks.get(order.orderId)) await other.answer
    const running = submits.get(order.orderId)
    if (running) return running.answer
    if (isOpen()) return { answer: 'not_sent', error: CIRCUIT_OPEN }
    if (!mayBegin()) return { answer: 'not_sent', error: NO_TIME }
    return kept(submits, order, submitted(order))
  }

  async function ask(order: RailOrder, mayBegin: MayBegin): Promise<RailKnowledge> {
    const otherCall = () => submits.get(order.orderId) ?? questionByOtherNames(asks, order)
    for (let other = otherCall(); other; other = otherCall()) await other.answer
    const running = asks.get(order.orderId)
    if (running) return running.answer
    if (isOpen()) return { knows: 'unreachable', error: CIRCUIT_OPEN }
    if (!mayBegin()) return { knows: 'unreachable', error: NO_TIME }
    return kept(asks, order, asked(order))
  }

  return {
    traitsOf: ({ type }) => adapter.traitsOf(type),
    payerReference: (order) => adapter.payerReference?.(order),
    submit: (orders) =>
      batch(orders, submit, options, {
        late: { answer: 'unreachable', error: LATE },
        notBegun: { answer: 'not_sent', error: NO_TIME },
      }),
    ask: (orders) =>
      batch(orders, ask, options, {
        late: { knows: 'unreachable', error: LATE },
        notBegun: { knows: 'unreachable', error: NO_TIME },
      }),
  }
}

const CIRCUIT_OPEN = 'the operator has not answered lately: the circuit is open'
const NO_TIME = 'its turn did not come in time'
const LATE = 'no answer in time'

/** What is out, by the id of its order. */
type Running<Answer> = Map<string, Call<Answer>>
interface Call<Answer> {
  /** What the operator calls the order, as far as was known. */
  readonly by: RailOrder['theirs']
  /** Never rejects. */
  readonly answer: Promise<Answer>
}

function kept<Answer>(running: Running<Answer>, order: RailOrder, answer: Promise<Answer>): Promise<Answer> {
  running.set(order.orderId, { by: order.theirs, answer })
  return answer.finally(() => running.delete(order.orderId))
}

/** Its answer is about those names: they may be anybody's, where a message alone has told them. */
function questionByOtherNames(asks: Running<RailKnowledge>, { orderId, theirs }: RailOrder) {
  const running = asks.get(orderId)
  return running && !isDeepStrictEqual(running.by, theirs) ? running : undefined
}

/** Whether there is time enough for a call that begins now. */
type MayBegin = () => boolean

/** Also where an adapter throws instead of returning a promise. */
const result = async <Value>(run: () => Promise<Value>): Promise<Value> => run()

async function batch<Answer>(
  orders: readonly RailOrder[],
  one: (order: RailOrder, mayBegin: MayBegin) => Promise<Answer>,
  options: InstalledRailOptions,
  { late, notBegun }: { readonly late: Answer; readonly notBegun: Answer },
): Promise<readonly Answer[]> {
  const { timers, concurrency = CONCURRENCY, beginWithinMs = BEGIN_WITHIN_MS } = options
  const { answerWithinMs = ANSWER_WITHIN_MS } = options
  const startedMs = timers.elapsedMs()
  const mayBegin = (): boolean => timers.elapsedMs() - startedMs < beginWithinMs
  const waiting = orders.entries()
  const answers = new Map<number, Answer>()

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
