import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../actions/ports/clock.ts'
import type { Figures } from '../actions/ports/figures.ts'
import { amountToWire } from '../domain/money.ts'

/** Ends the help of what every process reads from the one database. */
export const OF_DATABASE = 'Of the whole database, every process shows the same: take the maximum, not the sum.'

type Refresh = () => Promise<void>

// Gauges are emptied before they are read: while the database does not answer, a last value, or a 0, would claim that
// all is well.

/**
 * What the database says of rail accounts, months and the hash chain.
 * @returns functions that refresh it
 */
export function databaseFigures(registry: Registry, figures: Figures, clock: Clock): readonly Refresh[] {
  return [
    railBalances(registry, figures, clock),
    railAccounts(registry, figures),
    historyMonths(registry, figures, clock),
    ledgerChain(registry, figures, clock),
  ]
}

const secondsSince = (at: Date, clock: Clock): number => Math.max(clock.now().getTime() - at.getTime(), 0) / 1000

/** Compares our money at operators with the balances that they report. */
function railBalances(registry: Registry, figures: Figures, clock: Clock): Refresh {
  const gauge = ({ name, help }: { readonly name: string; readonly help: string }) =>
    new Gauge({
      name,
      help: `${help} ${OF_DATABASE}`,
      labelNames: ['rail_account', 'currency'],
      registers: [registry],
    })
  const difference = gauge({
    name: 'malipo_rail_balance_difference',
    help: "What the operator holds more (below zero: less) than the ledger's rail accounts say, in major units, with orders that are on their way.",
  })
  const unexplained = gauge({
    name: 'malipo_rail_balance_unexplained',
    help: 'The part of that difference that neither orders on their way nor the tolerance explain, in major units; 0 is well.',
  })
  const age = gauge({
    name: 'malipo_rail_balance_age_seconds',
    help: 'Time since the operator last reported its balance.',
  })
  const float = gauge({
    name: 'malipo_rail_float',
    help: 'What the operator can still pay out for us, in major units: its last balance without what it may not have paid by then and what was handed over since.',
  })
  const low = gauge({
    name: 'malipo_rail_float_low',
    help: '1 while the float is below the setting float_low, 0 while it is not.',
  })
  const days = gauge({
    name: 'malipo_rail_float_days_left',
    help: 'For how many days the float lasts at the average spend of the last days.',
  })
  const waiting = new Gauge({
    name: 'malipo_payouts_waiting',
    help: `Payouts that wait with their money held: float (the operator has too little for them), operator (it does not answer); at most ${figures.backlogCountedMax} are counted. ${OF_DATABASE}`,
    labelNames: ['rail_account', 'reason'],
    registers: [registry],
  })
  return async () => {
    for (const each of [difference, unexplained, age, float, low, days]) each.reset()
    waiting.reset()
    const [balances, waits] = await Promise.all([figures.railBalances(), figures.waitingPayouts()])
    for (const { railAccount, reason, payouts } of waits) waiting.set({ rail_account: railAccount, reason }, payouts)
    for (const { railAccount, currency, floatMinor, lowMinor, daysLeft, ...compared } of balances) {
      const labels = { rail_account: railAccount, currency }
      difference.set(labels, amountToWire(compared.differenceMinor, currency))
      unexplained.set(labels, amountToWire(compared.unexplainedMinor, currency))
      age.set(labels, secondsSince(compared.checkedAt, clock))
      if (floatMinor !== null) float.set(labels, amountToWire(floatMinor, currency))
      if (floatMinor !== null && lowMinor !== null) low.set(labels, Number(floatMinor < lowMinor))
      if (daysLeft !== undefined) days.set(labels, daysLeft)
    }
  }
}

/** What waits at each rail account until its operator or staff resolve it. */
function railAccounts(registry: Registry, figures: Figures): Refresh {
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
    for (const gauge of [unknownOutcome, exceptions]) gauge.reset()
    for (const { railAccount, unknownOutcomeOrders, openExceptions } of await figures.atRailAccounts()) {
      unknownOutcome.set({ rail_account: railAccount }, unknownOutcomeOrders)
      exceptions.set({ rail_account: railAccount }, openExceptions)
    }
  }
}

/** Whether the database has partitions for the payments of the coming months. */
function historyMonths(registry: Registry, figures: Figures, clock: Clock): Refresh {
  const ahead = new Gauge({
    name: 'malipo_history_months_ahead',
    help: `Months after the current one that have their partitions, counted up to ${figures.monthsAheadMax}; -1 when the current one has none, and payments get 503. Of the whole database, every process shows the same: take the minimum.`,
    registers: [registry],
  })
  return async () => {
    ahead.remove()
    ahead.set(await figures.monthsAhead(clock.now()))
  }
}

/** How far the hash chain is behind the ledger. */
function ledgerChain(registry: Registry, figures: Figures, clock: Clock): Refresh {
  const age = new Gauge({
    name: 'malipo_ledger_unchained_seconds',
    help: 'Age of the oldest transfer that is not in the hash chain yet; 0 when every one is. Seconds are usual. Of the whole database, every process shows the same: take the maximum.',
    registers: [registry],
  })
  return async () => {
    age.remove()
    const at = await figures.oldestUnchained()
    age.set(at ? secondsSince(at, clock) : 0)
  }
}
