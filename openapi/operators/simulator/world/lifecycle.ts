import type { Operator } from '../operator.ts'
import type { OrderEffect } from '../scenarios/effects.ts'
import type { Clock } from './clock.ts'
import type { Decision, NewOrder, Order, Plan, Verdict } from './order.ts'
import { createOrderBook, type OrderBook, type SettledEntry } from './order-book.ts'
import type { OperatorState } from './world.ts'

/** The lifecycle of orders: accepted, decided at the phone or by time, settled once, reported. */
export interface Lifecycle {
  accept(order: NewOrder, effects: readonly OrderEffect[]): Order
  /** Applies an action at the phone. @returns false when the order no longer waits */
  decide(order: Order, decision: Decision): boolean
  /** Restores the journal's book: runs what fell due since then, and reports what was not reported. */
  restore(): void
}

interface LifecycleDeps {
  readonly operator: Operator
  readonly world: OperatorState
  /** Called for every verdict. */
  readonly report: (order: Order) => void
  /** Every order that would wait for a phone is approved after this time instead. */
  readonly autoAfterMs: number | undefined
}

// An order without approval is settled soon, not at once: a query in between finds it pending.
const WITHOUT_PROMPT_MS = 2_000

/** Write ahead: every verdict is in the journal before it is entered and reported. */
export function createLifecycle(deps: LifecycleDeps): Lifecycle {
  const { operator, world, report } = deps
  const parts: LifecycleParts = { ...deps, book: createOrderBook(operator, world) }
  return {
    decide: (order, decision) => decide(parts, order, decision),
    accept(taken, effects) {
      const order = parts.book.take(taken, effects, world.clock.now())
      world.journal.append({ entry: 'taken', at: order.acceptedAt.toISOString(), order: { ...taken, effects } })
      schedule(parts, order)
      return order
    },
    restore() {
      const unreported = parts.book.restore()
      for (const order of world.orders.all()) {
        if (order.state === 'waiting') schedule(parts, order)
        else awaitLatePayment(parts, order)
        if (unreported.has(order) && !(order.state === 'succeeded' && latePaymentOf(order)?.untold)) report(order)
      }
    },
  }
}

interface LifecycleParts extends LifecycleDeps {
  readonly book: OrderBook
}

/** Stores and enters a verdict; money moves only if it is there. */
function conclude({ operator, world, book }: LifecycleParts, order: Order, verdict: Verdict): void {
  const isPaid = verdict.state === 'succeeded' && world.accounts.move(order)
  const code = verdict.state === 'failed' ? verdict.code : operator.codeWithoutFunds
  const settled: SettledEntry = {
    entry: 'settled',
    at: world.clock.now().toISOString(),
    kind: order.kind,
    id: order.id,
    ...(isPaid ? { movement: book.nextMovement() } : { code }),
  }
  world.journal.append(settled)
  book.settle(order, settled)
}

function settle(parts: LifecycleParts, order: Order, verdict: Verdict): void {
  if (order.state !== 'waiting') return
  conclude(parts, order, verdict)
  parts.report(order)
  awaitLatePayment(parts, order)
}

/** In scenarios customers may pay what the operator has given up. */
function awaitLatePayment(parts: LifecycleParts, order: Order): void {
  const late = latePaymentOf(order)
  if (order.state !== 'failed' || !late || !order.settledAt) return
  const { clock } = parts.world
  clock.after(left(clock, order.settledAt, late.after_ms ?? 0), () => {
    conclude(parts, order, { state: 'succeeded' })
    if (!late.untold) parts.report(order)
  })
}

const left = (clock: Clock, from: Date, ms: number): number => Math.max(0, from.getTime() + ms - clock.now().getTime())

function decide(parts: LifecycleParts, order: Order, decision: Decision): boolean {
  if (order.state !== 'waiting') return false
  if (decision === 'wrong_pin') order.wrongPins += 1
  order.history.push({ at: parts.world.clock.now(), text: `the customer: ${decision.replaceAll('_', ' ')}` })
  const verdict = parts.operator.decided(order, decision)
  if (verdict) settle(parts, order, verdict)
  return true
}

/** Schedules the timed outcomes of a waiting order. */
function schedule(parts: LifecycleParts, order: Order): void {
  const { clock } = parts.world
  const plan = planFor(parts.operator, order, parts.autoAfterMs)
  if (plan === undefined) {
    clock.after(left(clock, order.acceptedAt, parts.operator.windowMs), () => void decide(parts, order, 'expired'))
    return
  }
  const { verdict, afterMs } = plan
  if (verdict === undefined) return
  if (isReportedFirst(order.effects) || (order.endsAtOnce && afterMs === 0)) settle(parts, order, verdict)
  else clock.after(left(clock, order.acceptedAt, afterMs), () => settle(parts, order, verdict))
}

const latePaymentOf = ({ effects }: Order) => effects.find((effect) => effect.do === 'pay_after_all')

function planFor(operator: Operator, order: Order, autoAfterMs: number | undefined): Plan | undefined {
  const planned = plannedBy(order.effects) ?? order.plan ?? operator.planOf(order)
  if (planned) return planned
  if (!order.asks) return { verdict: { state: 'succeeded' }, afterMs: order.endsAtOnce ? 0 : WITHOUT_PROMPT_MS }
  if (autoAfterMs !== undefined) return { verdict: { state: 'succeeded' }, afterMs: autoAfterMs }
  return undefined
}

/** The outcome that scenarios choose for an order. @returns undefined when they leave it to the operator */
function plannedBy(effects: readonly OrderEffect[]): Plan | undefined {
  if (effects.some((effect) => effect.do === 'stay')) return { verdict: undefined, afterMs: 0 }
  const settled = effects.find((effect) => effect.do === 'settle')
  if (settled) {
    const verdict: Verdict =
      settled.as === 'succeeded' ? { state: 'succeeded' } : { state: 'failed', code: settled.code }
    return { verdict, afterMs: settled.after_ms ?? 0 }
  }
  return isReportedFirst(effects) ? { verdict: { state: 'succeeded' }, afterMs: 0 } : undefined
}

/** Whether the callback is sent before the reply to the order: then the verdict exists at once. */
export const isReportedFirst = (effects: readonly OrderEffect[]): boolean =>
  effects.some((effect) => effect.do === 'callback' && effect.before_reply === true)

/** Whether queries may return the verdict already. */
export function isVerdictReported({ state, settledAt, effects }: Order, now: Date): boolean {
  if (state === 'waiting' || settledAt === undefined) return false
  const lag = effects.find((effect) => effect.do === 'lag')
  return lag === undefined || now.getTime() - settledAt.getTime() >= lag.ms
}
