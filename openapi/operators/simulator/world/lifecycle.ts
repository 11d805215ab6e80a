import type { Operator } from '../operator.ts'
import type { OrderEffect } from '../scenarios/effects.ts'
import { bookingsOf } from './bookings.ts'
import type { Decision, NewOrder, Order, Plan, Verdict } from './order.ts'
import type { World } from './world.ts'

/** What happens to orders: taken, decided at the phone or by time, settled once, told. */
export interface Lifecycle {
  accept(order: NewOrder, effects: readonly OrderEffect[]): Order
  /** What somebody did at the phone. @returns false when the order no longer waits */
  decide(order: Order, decision: Decision): boolean
}

export interface LifecycleDeps {
  readonly operator: Operator
  readonly world: World
  /** Called once per order, when its verdict is there. */
  readonly tell: (order: Order) => void
  /** Every order that would wait for a phone is approved after this time instead. */
  readonly autoAfterMs: number | undefined
}

// What needs nobody's approval is done soon, not at once: a query in between sees it waiting.
const WITHOUT_PROMPT_MS = 2_000

export function createLifecycle({ operator, world, tell, autoAfterMs }: LifecycleDeps): Lifecycle {
  const { clock, orders, phones } = world
  let movements = 0

  const note = (order: Order, text: string): void => void order.history.push({ at: clock.now(), text })

  const settle = (order: Order, verdict: Verdict): void => {
    if (order.state !== 'waiting') return
    const covered = verdict.state === 'failed' || world.accounts.move(order)
    const code = verdict.state === 'failed' ? verdict.code : operator.codeWithoutFunds
    if (verdict.state === 'succeeded' && covered) {
      order.state = 'succeeded'
      order.moved += 1
      order.receipts.push(operator.receipt(++movements))
      note(order, `money moved, receipt ${order.receipts.at(-1)}`)
    } else {
      order.state = 'failed'
      order.code = code
      note(order, `failed: ${code}`)
    }
    order.settledAt = clock.now()
    for (const booking of bookingsOf(order, world.accounts.balanceOf(order.account))) world.statement.book(booking)
    phones.send(order.msisdn, { at: clock.now(), text: operator.message(order) })
    tell(order)
  }

  const decide = (order: Order, decision: Decision): boolean => {
    if (order.state !== 'waiting') return false
    if (decision === 'wrong_pin') order.wrongPins += 1
    note(order, `the customer: ${decision.replaceAll('_', ' ')}`)
    const verdict = operator.decided(order, decision)
    if (verdict) settle(order, verdict)
    return true
  }

  const planFor = (order: Order): Plan | undefined => {
    const planned = plannedBy(order.effects) ?? order.plan ?? operator.planOf(order)
    if (planned) return planned
    if (!order.asks) return { verdict: { state: 'succeeded' }, afterMs: WITHOUT_PROMPT_MS }
    if (autoAfterMs !== undefined) return { verdict: { state: 'succeeded' }, afterMs: autoAfterMs }
    return undefined
  }

  return {
    decide,
    accept(taken, effects) {
      const acceptedAt = clock.now()
      const order: Order = {
        ...taken,
        acceptedAt,
        expiresAt: new Date(acceptedAt.getTime() + operator.windowMs),
        effects,
        state: 'waiting',
        code: undefined,
        settledAt: undefined,
        moved: 0,
        receipts: [],
        wrongPins: 0,
        history: [],
      }
      orders.add(order)
      note(order, 'taken')
      const plan = planFor(order)
      if (plan === undefined) {
        clock.after(operator.windowMs, () => void decide(order, 'expired'))
        return order
      }
      const { verdict, afterMs } = plan
      if (verdict === undefined) return order
      if (isToldFirst(effects)) settle(order, verdict)
      else clock.after(afterMs, () => settle(order, verdict))
      return order
    },
  }
}

/** Whether the callback goes out before the answer to the order: then the verdict is there at once. */
export const isToldFirst = (effects: readonly OrderEffect[]): boolean =>
  effects.some((effect) => effect.do === 'callback' && effect.before_reply === true)

/** Whether queries may tell the verdict already. */
export function isVerdictTold({ state, settledAt, effects }: Order, now: Date): boolean {
  if (state === 'waiting' || settledAt === undefined) return false
  const lag = effects.find((effect) => effect.do === 'lag')
  return lag === undefined || now.getTime() - settledAt.getTime() >= lag.ms
}

function plannedBy(effects: readonly OrderEffect[]): Plan | undefined {
  if (effects.some((effect) => effect.do === 'stay')) return { verdict: undefined, afterMs: 0 }
  const settled = effects.find((effect) => effect.do === 'settle')
  if (settled) {
    const verdict: Verdict =
      settled.as === 'succeeded' ? { state: 'succeeded' } : { state: 'failed', code: settled.code }
    return { verdict, afterMs: settled.after_ms ?? 0 }
  }
  return isToldFirst(effects) ? { verdict: { state: 'succeeded' }, afterMs: 0 } : undefined
}
