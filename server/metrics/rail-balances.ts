import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../actions/ports/clock.ts'
import type { Figures, RailBalanceFigure, WaitingPayoutsFigure } from '../actions/ports/figures.ts'
import { amountToWire } from '../domain/money.ts'

const LABELS = ['rail_account', 'currency'] as const
const OF_DATABASE = 'Of the whole database, every process shows the same: take the maximum, not the sum.'

/** Compares our money at operators with the balances that they report. @returns a function that refreshes it */
export function railBalanceMetrics(
  registry: Registry,
  figures: Pick<Figures, 'railBalances' | 'waitingPayouts' | 'backlogCountedMax'>,
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
  const setFloats = floatGauges(registry, figures.backlogCountedMax)
  return async () => {
    const [balances, waits] = await Promise.all([figures.railBalances(), figures.waitingPayouts()])
    setFloats(balances, waits)
    for (const gauge of [difference, unexplained, age]) gauge.reset()
    for (const { railAccount, currency, differenceMinor, unexplainedMinor, checkedAt } of balances) {
      difference.set({ rail_account: railAccount, currency }, amountToWire(differenceMinor, currency))
      unexplained.set({ rail_account: railAccount, currency }, amountToWire(unexplainedMinor, currency))
      age.set({ rail_account: railAccount, currency }, Math.max(clock.now().getTime() - checkedAt.getTime(), 0) / 1000)
    }
  }
}

/** @returns a function that sets them */
function floatGauges(registry: Registry, countedMax: number) {
  const registers = [registry]
  const float = new Gauge({
    name: 'malipo_rail_float',
    help: `What the operator can still pay out for us, in major units: its last balance without what it may not have paid by then and what was handed over since. ${OF_DATABASE}`,
    labelNames: LABELS,
    registers,
  })
  const low = new Gauge({
    name: 'malipo_rail_float_low',
    help: `1 while the float is below the setting float_low, 0 while it is not. ${OF_DATABASE}`,
    labelNames: LABELS,
    registers,
  })
  const days = new Gauge({
    name: 'malipo_rail_float_days_left',
    help: `For how many days the float lasts at the average spend of the last days. ${OF_DATABASE}`,
    labelNames: LABELS,
    registers,
  })
  const waiting = new Gauge({
    name: 'malipo_payouts_waiting',
    help: `Payouts that wait with their money held: float (the operator has too little for them), operator (it does not answer); at most ${countedMax} are counted. ${OF_DATABASE}`,
    labelNames: ['rail_account', 'reason'],
    registers,
  })
  return (balances: readonly RailBalanceFigure[], waits: readonly WaitingPayoutsFigure[]): void => {
    for (const gauge of [float, low, days, waiting]) gauge.reset()
    for (const { railAccount, reason, payouts } of waits) waiting.set({ rail_account: railAccount, reason }, payouts)
    for (const { railAccount, currency, floatMinor, lowMinor, daysLeft } of balances) {
      const labels = { rail_account: railAccount, currency }
      if (floatMinor !== null) float.set(labels, amountToWire(floatMinor, currency))
      if (floatMinor !== null && lowMinor !== null) low.set(labels, Number(floatMinor < lowMinor))
      if (daysLeft !== undefined) days.set(labels, daysLeft)
    }
  }
}
