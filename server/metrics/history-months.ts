import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../actions/ports/clock.ts'
import type { Figures } from '../actions/ports/figures.ts'

/**
 * Whether the database has partitions for the payments of the coming months.
 * @returns a function that refreshes it
 */
export function historyMonthMetrics(
  registry: Registry,
  figures: Pick<Figures, 'monthsAhead' | 'monthsAheadMax'>,
  clock: Clock,
): () => Promise<void> {
  const ahead = new Gauge({
    name: 'malipo_history_months_ahead',
    help: `Months after the current one that have their partitions, counted up to ${figures.monthsAheadMax}; -1 when the current one has none, and payments get 503. Of the whole database, every process shows the same: take the minimum.`,
    registers: [registry],
  })
  return async () => ahead.set(await figures.monthsAhead(clock.now()))
}
