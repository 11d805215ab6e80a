import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../actions/ports/clock.ts'
import type { Figures, LedgerFindings } from '../actions/ports/figures.ts'

export interface LedgerMetrics {
  /**
   * Checks the ledger and caches the result for the scrapes. Called in the background, at most every LEDGER_CHECK_MS,
   * by processes that run jobs; rejects when the check could not be made.
   */
  checkLedger(): Promise<void>
  /** Aborts a running check without an error, and prevents further ones. */
  stopChecks(): void
}

export const LEDGER_CHECK_MS = 5 * 60_000

/** Reports whether the ledger balances: checked in the background, not during a scrape. */
export function ledgerMetrics(registry: Registry, figures: Pick<Figures, 'checkLedger'>, clock: Clock): LedgerMetrics {
  const registers = [registry]
  const failures = new Counter({
    name: 'malipo_ledger_check_failures_total',
    help: 'Ledger checks without a result: the database was away, or they timed out.',
    registers,
  })
  const stopping = new AbortController()
  let last: LedgerCheckResult | undefined
  defineGauges(registers, clock, () => last)
  return {
    async checkLedger() {
      const startedAt = performance.now()
      try {
        const findings = await figures.checkLedger(clock.now(), stopping.signal)
        if (!findings) return
        last = { ...findings, at: clock.now(), seconds: (performance.now() - startedAt) / 1000 }
      } catch (error) {
        if (stopping.signal.aborted) return
        failures.inc()
        throw error
      }
    },
    stopChecks: () => stopping.abort(),
  }
}

type LedgerCheckResult = LedgerFindings & { readonly at: Date; readonly seconds: number }

function defineGauges(registers: Registry[], clock: Clock, last: () => LedgerCheckResult | undefined): void {
  // Before the first check there is no value: a 0 would claim a result that does not exist.
  const gauge = (name: string, help: string, value: (check: LedgerCheckResult) => number | undefined) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const check = last()
        const known = check && value(check)
        if (known === undefined) this.remove()
        else this.set(known)
      },
    })
  const secondsSince = (at: Date): number => Math.max(clock.now().getTime() - at.getTime(), 0) / 1000
  gauge(
    'malipo_ledger_check_age_seconds',
    'Time since the ledger was last checked to the end, by this process.',
    ({ at }) => secondsSince(at),
  )
  gauge(
    'malipo_ledger_recount_age_seconds',
    'Time since all entries were last counted from the first one on, by any process.',
    ({ recountedAt }) => (recountedAt ? secondsSince(recountedAt) : undefined),
  )
  gauge('malipo_ledger_check_duration_seconds', 'How long the last ledger check took.', ({ seconds }) => seconds)
  gauge(
    'malipo_ledger_balanced',
    '1 when at the last check all entries of each currency summed to zero and every balance was the sum of its entries, 0 when not.',
    ({ accountsOff, currenciesOff }) => (accountsOff + currenciesOff === 0 ? 1 : 0),
  )
  gauge(
    'malipo_ledger_accounts_off',
    'Accounts whose balance was not the sum of their entries at the last check.',
    ({ accountsOff }) => accountsOff,
  )
  gauge(
    'malipo_ledger_currencies_off',
    'Currencies whose entries did not sum to zero at the last check.',
    ({ currenciesOff }) => currenciesOff,
  )
}
