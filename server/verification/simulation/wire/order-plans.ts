import type { OrderEffect } from '../../../../openapi/operators/simulator/scenarios/effects.ts'
import type { Choices } from '../choices.ts'
import { HOUR, MINUTE, SECOND } from '../spans.ts'
import type { WiredKind, WiredOrders } from './wired-kinds.ts'

/** Paid within a second, and reported at once. */
export const paid = ({ endsAtOnce }: WiredOrders): readonly OrderEffect[] => [
  { do: 'settle', as: 'succeeded', after_ms: endsAtOnce ? 0 : SECOND },
]

/** The longest time until a verdict. */
export const VERDICT_MAX_MS = 26 * HOUR

/**
 * What happens to an order, and how it is reported: soon or late, once, twice, never, before the reply or the query.
 */
export function drawPlan(
  choices: Choices,
  { reportsTwice }: WiredKind,
  { failures, endsAtOnce }: WiredOrders,
): readonly OrderEffect[] {
  const afterMs = endsAtOnce ? 0 : choices.rarelyOf(0.5, [SECOND, 0, 31 * SECOND, 11 * MINUTE, VERDICT_MAX_MS])
  const hasFailed = choices.rarely(0.3) === 1
  const verdict: OrderEffect = hasFailed
    ? { do: 'settle', as: 'failed', code: choices.of(...failures), after_ms: afterMs }
    : { do: 'settle', as: 'succeeded', after_ms: afterMs }
  const lagMs = choices.rarelyOf(0.2, [0, 5 * SECOND, 4 * MINUTE, 30 * MINUTE])
  return [
    verdict,
    ...(lagMs > 0 ? [{ do: 'lag', ms: lagMs } as const] : []),
    ...drawReports(choices, reportsTwice),
    ...(choices.rarely(0.1) === 1 ? [{ do: 'quirk', name: 'code_as_text' } as const] : []),
  ]
}

function drawReports(choices: Choices, reportsTwice: boolean): readonly OrderEffect[] {
  const way = choices.rarely(0.5, 6)
  if (way === 1) return [{ do: 'callback', times: 0 }]
  if (way === 2 && reportsTwice) return [{ do: 'callback', times: 2, every_ms: 3 * MINUTE }]
  if (way === 3) return [{ do: 'callback', before_reply: true }]
  if (way === 4) return [{ do: 'callback', after_ms: choices.of(20 * SECOND, 5 * MINUTE, 3 * HOUR) }]
  if (way === 5 && reportsTwice) return [{ do: 'callback', method: 'POST' }]
  return []
}
