import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../actions/ports/clock.ts'
import type { Figures } from '../actions/ports/figures.ts'

/** How far the hash chain is behind the ledger. @returns a function that refreshes it */
export function ledgerChainMetrics(
  registry: Registry,
  figures: Pick<Figures, 'oldestUnchained'>,
  clock: Clock,
): () => Promise<void> {
  const age = new Gauge({
    name: 'malipo_ledger_unchained_seconds',
    help: 'Age of the oldest transfer that is not in the hash chain yet; 0 when every one is. Seconds are usual. Of the whole database, every process shows the same: take the maximum.',
    registers: [registry],
  })
  return async () => {
    const at = await figures.oldestUnchained()
    age.set(at ? Math.max(0, clock.now().getTime() - at.getTime()) / 1000 : 0)
  }
}
