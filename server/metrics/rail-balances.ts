import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../actions/ports/clock.ts'
import type { Figures } from '../actions/ports/figures.ts'
import { amountToWire } from '../domain/money.ts'

const LABELS = ['rail_account', 'currency'] as const
const OF_DATABASE = 'Of the whole database, every process shows the same: take the maximum, not the sum.'

/** Compares our money at operators with the balances that they report. @returns a function that refreshes it */
export function railBalanceMetrics(
  registry: Registry,
  figures: Pick<Figures, 'railBalances'>,
  clock: Clock,
): () => Promise<void> {
  const registers = [registry]
  const difference = new Gauge({
    name: 'malipo_rail_balance_difference',
    help: `What the operator holds more (below zero: less) than the ledger's rail accounts say, in major units, with orders that are on their way. ${OF_DATABASE}`,
    labelNames: LABELS,
    registers,
  })
  const unexplained = new Gauge({
    name: 'malipo_rail_balance_unexplained',
    help: `The part of that difference that neither orders on their way nor the tolerance explain, in major units; 0 is well. ${OF_DATABASE}`,
    labelNames: LABELS,
    registers,
  })
  const age = new Gauge({
    name: 'malipo_rail_balance_age_seconds',
    help: `Time since the operator last reported its balance. ${OF_DATABASE}`,
    labelNames: LABELS,
    registers,
  })
  return async () => {
    const balances = await figures.railBalances()
    for (const gauge of [difference, unexplained, age]) gauge.reset()
    for (const { railAccount, currency, differenceMinor, unexplainedMinor, checkedAt } of balances) {
      difference.set({ rail_account: railAccount, currency }, amountToWire(differenceMinor, currency))
      unexplained.set({ rail_account: railAccount, currency }, amountToWire(unexplainedMinor, currency))
      age.set({ rail_account: railAccount, currency }, Math.max(clock.now().getTime() - checkedAt.getTime(), 0) / 1000)
    }
  }
}
