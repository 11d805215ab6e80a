import type { components } from '../../../generated/sandbox.d.ts'
import type { DueCallback } from '../../actions/ports/callbacks.ts'
import type { OrderType } from '../../domain/provider.ts'
import { durationMs } from './duration.ts'
import { outcomeOf, type Plan, type SimulatedOrder } from './simulator.ts'

// What a scenario means. Its format is in openapi/sandbox.yaml.

export type Scenario = components['schemas']['Scenario']
export type OrderStep = components['schemas']['OrderStep']
type CallbackRule = components['schemas']['CallbackRule']
/** What becomes of one delivery of a callback. */
export type DeliveryStep = CallbackRule['deliveries'][number]

const isAccount = (pattern: string, account: string): boolean =>
  pattern.startsWith('*') ? account.endsWith(pattern.slice(1)) : account === pattern

/** The first rule for this order, by its position; -1 for none. */
export const paymentRuleFor = (
  { payments = [] }: Scenario,
  { account, type }: Pick<SimulatedOrder, 'account' | 'type'>,
): number => payments.findIndex((rule) => isAccount(rule.account, account) && (rule.type ?? type) === type)

/** The entry of the nth order, counted from 1. The last holds for all further ones. */
export const stepOf = (scenario: Scenario, rule: number, number: number): OrderStep | undefined => {
  const { orders = [] } = scenario.payments?.[rule] ?? {}
  return orders[Math.min(number, orders.length) - 1]
}

/** What the operator does with an order of this entry. */
export function planOfStep(
  { outcome, after, reported = 1, unreachable = 0, then }: OrderStep,
  type: OrderType,
  delayMs: number,
): Plan {
  const results =
    outcome === 'open' ? [] : [{ afterMs: durationMs(after) ?? delayMs, outcome: outcomeOf(outcome, type) }]
  const later = then ? [{ afterMs: durationMs(then.after) ?? delayMs, outcome: outcomeOf(then.outcome, type) }] : []
  return {
    unreachableTries: unreachable,
    reports: [...Array.from({ length: reported }, () => results).flat(), ...later],
  }
}

/** What becomes of the next delivery of this callback. */
export function deliveryOf(
  { callbacks = [] }: Scenario,
  {
    account,
    event,
    signed: { merchantReference },
    attempts,
  }: Pick<DueCallback, 'account' | 'event' | 'signed' | 'attempts'>,
): DeliveryStep {
  const rule = callbacks.find(
    (each) =>
      (each.account === undefined || isAccount(each.account, account)) &&
      (each.reference ?? merchantReference) === merchantReference &&
      (each.event ?? event) === event,
  )
  return rule?.deliveries[Math.min(attempts, rule.deliveries.length - 1)] ?? 'delivered'
}
