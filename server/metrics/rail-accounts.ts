import { Gauge, type Registry } from 'prom-client'
import type { Figures } from '../actions/ports/figures.ts'

const OF_DATABASE = 'Of the whole database, every process shows the same: take the maximum, not the sum.'

/**
 * What waits at each rail account until its operator or staff resolve it.
 * @returns a function that refreshes it
 */
export function installationMetrics(
  registry: Registry,
  figures: Pick<Figures, 'atInstallations' | 'backlogCountedMax'>,
): () => Promise<void> {
  const labelled = { labelNames: ['installation' as const], registers: [registry] }
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
    const waiting = await figures.atInstallations()
    for (const gauge of [unknownOutcome, exceptions]) gauge.reset()
    for (const { installation, unresolvedOrders: unknownOutcomeOrders, openExceptions } of waiting) {
      unknownOutcome.set({ installation }, unknownOutcomeOrders)
      exceptions.set({ installation }, openExceptions)
    }
  }
}
