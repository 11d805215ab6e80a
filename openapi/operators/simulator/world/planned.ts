import type { OrderEffect } from '../scenarios/effects.ts'
import type { Plan, Verdict } from './order.ts'

/** The outcome that scenarios choose for an order. @returns undefined when they leave it to the operator */
export function plannedBy(effects: readonly OrderEffect[]): Plan | undefined {
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
