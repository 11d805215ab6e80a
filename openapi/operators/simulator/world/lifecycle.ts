import type { Operator } from '../operator.ts'
import type { OrderEffect } from '../scenarios/effects.ts'
import type { Decision, NewOrder, Order, Plan, Verdict } from './order.ts'
import { createOrderBook, type Settled } from './order-book.ts'
import { isToldFirst, plannedBy } from './planned.ts'
import type { World } from './world.ts'

export { isToldFirst } from './planned.ts'

/** What happens to orders: taken, decided at the phone or by time, settled once, told. */
export interface Lifecycle {
  accept(order: NewOrder, effects: readonly OrderEffect[]): Order
  /** What somebody did at the phone. @returns false when the order no longer waits */
  decide(order: Order, decision: Decision): boolean
  /** Takes the journal's book up: what fell due since then happens, and what nobody was told is told. */
  restore(): void
}

export interface LifecycleDeps {
  readonly operator: Operator
  readonly world: World
  /** Called for every verdict, when it is there. */
  readonly tell: (order: Order) => void
  /** Every order that would wait for a phone is approved after this time instead. */
  readonly autoAfterMs: number | undefined
}

// What needs nobody's approval is done soon, not at once: a query in between sees it waiting.
const WITHOUT_PROMPT_MS = 2_000

export function createLifecycle({ operator, world, tell, autoAfterMs }: LifecycleDeps): Lifecycle {
  const { clock, orders } = world
  const book = createOrderBook(operator, world)

  /** Keeps and enters a verdict; money that is not there does not move. */
  function conclude(order: Order, verdict: Verdict): void {
    const isPaid = verdict.state === 'succeeded' && world.accounts.move(order)
    const code = verdict.state === 'failed' ? verdict.code : operator.codeWithoutFunds
    const settled: Settled = {
      entry: 'settled',
      at: clock.now().toISOString(),
      kind: order.kind,
      id: order.id,
      ...(isPaid ? { movement: book.nextMovement() } : { code }),
    }
    world.journal.append(settled)
    book.settle(order, settled)
  }

  function settle(order: Order, verdict: Verdict): void {
    if (order.state !== 'waiting') return
    conclude(order, verdict)
    tell(order)
    awaitLatePayment(order)
  }

  /** Scenarios have customers who pay what the operator has given up. */
  function awaitLatePayment(order: Order): void {
    const late = latePaymentOf(order)
    if (order.state !== 'failed' || !late || !order.settledAt) return
    clock.after(left(order.settledAt, late.after_ms ?? 0), () => {
      conclude(order, { state: 'succeeded' })
      if (!late.untold) tell(order)
    })
  }

  const left = (from: Date, ms: number): number => Math.max(0, from.getTime() + ms - clock.now().getTime())

  function decide(order: Order, decision: Decision): boolean {
    if (order.state !== 'waiting') return false
    if (decision === 'wrong_pin') order.wrongPins += 1
    order.history.push({ at: clock.now(), text: `the customer: ${decision.replaceAll('_', ' ')}` })
    const verdict = operator.decided(order, decision)
    if (verdict) settle(order, verdict)
    return true
  }

  /** Lets time bring what it brings to an order that waits. */
  function schedule(order: Order): void {
    const plan = planFor(operator, order, autoAfterMs)
    if (plan === undefined) {
      clock.after(left(order.acceptedAt, operator.windowMs), () => void decide(order, 'expired'))
      return
    }
    const { verdict, afterMs } = plan
    if (verdict === undefined) return
    if (isToldFirst(order.effects)) settle(order, verdict)
    else clock.after(left(order.acceptedAt, afterMs), () => settle(order, verdict))
  }

  return {
    decide,
    accept(taken, effects) {
      const order = book.take(taken, effects, clock.now())
      world.journal.append({ entry: 'taken', at: order.acceptedAt.toISOString(), order: { ...taken, effects } })
      schedule(order)
      return order
    },
    restore() {
      const untold = book.restore()
      for (const order of orders.all()) {
        if (order.state === 'waiting') schedule(order)
        else awaitLatePayment(order)
        if (untold.has(order) && !(order.state === 'succeeded' && latePaymentOf(order)?.untold)) tell(order)
      }
    },
  }
}

const latePaymentOf = ({ effects }: Order) => effects.find((effect) => effect.do === 'pay_after_all')

function planFor(operator: Operator, order: Order, autoAfterMs: number | undefined): Plan | undefined {
  const planned = plannedBy(order.effects) ?? order.plan ?? operator.planOf(order)
  if (planned) return planned
  if (!order.asks) return { verdict: { state: 'succeeded' }, afterMs: WITHOUT_PROMPT_MS }
  if (autoAfterMs !== undefined) return { verdict: { state: 'succeeded' }, afterMs: autoAfterMs }
  return undefined
}

/** Whether queries may tell the verdict already. */
export function isVerdictTold({ state, settledAt, effects }: Order, now: Date): boolean {
  if (state === 'waiting' || settledAt === undefined) return false
  const lag = effects.find((effect) => effect.do === 'lag')
  return lag === undefined || now.getTime() - settledAt.getTime() >= lag.ms
}
