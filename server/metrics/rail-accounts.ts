import { Gauge, type Registry } from 'prom-client'
import type { Figures } from '../actions/ports/figures.ts'

const OF_DATABASE = 'Of the whole database, every process shows the same: take the maximum, not the sum.'

/**
 * What waits at each rail account until its operator or staff resolve it.
 * @returns a function that refreshes it
 */
export function railAccountMetrics(
  registry: Registry,
  figures: Pick<Figures, 'atRailAccounts' | 'backlogCountedMax'>,
): () => Promise<void> {
  const labelled = { labelNames: ['rail_account' as const], registers: [registry] }
  const unknownOutcome = new Gauge({
    ...labelled,
    name: 'malipo_orders_unknown_outcome',
    help: `Orders that had no answer and must not be sent twice; at most ${figures.backlogCountedMax} are counted. A result, a line of the operator's statement or an operator of the gateway ends each. ${OF_DATABASE}`,
  })
  const exceptions = new Gauge({
    ...labelled,
    name: 'malipo_reconciliation_exceptions_open',
    help: `What the operator's statements say differently and nothing has explained yet; at most ${figures.backlogCountedMax} are counted. ${OF_DATABASE}`,
  })
  return async () => {
    const waiting = await figures.atRailAccounts()
    for (const gauge of [unknownOutcome, exceptions]) gauge.reset()
    for (const { railAccount, unknownOutcomeOrders, openExceptions } of waiting) {
      unknownOutcome.set({ rail_account: railAccount }, unknownOutcomeOrders)
      exceptions.set({ rail_account: railAccount }, openExceptions)
    }
  }
}
