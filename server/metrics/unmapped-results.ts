import { Counter, type Registry } from 'prom-client'

export interface UnmappedResultMetrics {
  /** An operator returned a result code for an order that no table explains. */
  unmappedResult(railAccount: string): void
}

/**
 * Counts by rail account and not by code: codes are the operator's, and their number is unbounded.
 * @returns also how to start and end the series of a rail account: a counter first seen at 1 has not increased
 */
export function unmappedResultMetrics(
  registry: Registry,
): UnmappedResultMetrics & Readonly<Record<'begin' | 'end', (railAccount: string) => void>> {
  const results = new Counter({
    name: 'malipo_unmapped_results_total',
    help: "Orders with a result code that no table explains, once per order and code: they stay open. `malipo transaction list --stuck` has them, each order's history its codes.",
    labelNames: ['rail_account'],
    registers: [registry],
  })
  return {
    unmappedResult: (railAccount) => results.inc({ rail_account: railAccount }),
    begin: (railAccount) => results.inc({ rail_account: railAccount }, 0),
    end: (railAccount) => results.remove({ rail_account: railAccount }),
  }
}
