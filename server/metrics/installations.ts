import { Gauge, type Registry } from 'prom-client'
import type { Figures } from '../actions/ports/figures.ts'

const OF_DATABASE = 'Of the whole database, every process shows the same: take the maximum, not the sum.'

/** What waits at each connection to an operator, until its operator or a person ends it. @returns what reads it anew */
export function installationMetrics(
  registry: Registry,
  figures: Pick<Figures, 'atInstallations' | 'backlogCountedMax'>,
): () => Promise<void> {
  const labelled = { labelNames: ['installation' as const], registers: [registry] }
  const unresolved = new Gauge({
    ...labelled,
    name: 'malipo_orders_unresolved',
    help: `Orders that had no answer and must not be sent twice; at most ${figures.backlogCountedMax} are counted. A result, a line of the operator's statement or an operator of the gateway ends each. ${OF_DATABASE}`,
  })
  const exceptions = new Gauge({
    ...labelled,
    name: 'malipo_reconciliation_exceptions_open',
    help: `What the operator's statements say differently and nothing has explained yet; at most ${figures.backlogCountedMax} are counted. ${OF_DATABASE}`,
  })
  return async () => {
    const waiting = await figures.atInstallations()
    for (const gauge of [unresolved, exceptions]) gauge.reset()
    for (const { installation, unresolvedOrders, openExceptions } of waiting) {
      unresolved.set({ installation }, unresolvedOrders)
      exceptions.set({ installation }, openExceptions)
    }
  }
}
