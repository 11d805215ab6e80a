import { Counter, type Registry } from 'prom-client'

export interface UnmappedResultMetrics {
  /** An operator returned a result code for an order that no table explains. */
  unmappedResult(installation: string): void
}

/**
 * Counts by rail account and not by code: codes are the operator's, and their number is unbounded.
 * @returns also how to start and end the series of a rail account: a counter first seen at 1 has not increased
 */
export function unmappedResultMetrics(
  registry: Registry,
): UnmappedResultMetrics & Readonly<Record<'begin' | 'end', (installation: string) => void>> {
  const results = new Counter({
    name: 'malipo_unmapped_results_total',
    help: "Orders with a result code that no table explains, once per order and code: they stay open. `malipo transaction list --stuck` has them, each order's history its codes.",
    labelNames: ['installation'],
    registers: [registry],
  })
  return {
    unmappedResult: (installation) => results.inc({ installation }),
    begin: (installation) => results.inc({ installation }, 0),
    end: (installation) => results.remove({ installation }),
  }
}
