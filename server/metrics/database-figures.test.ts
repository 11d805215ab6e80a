import { expect, test } from 'vitest'
import { figures, given, samples } from './testing/sample-metrics.ts'

test('shows what operators hold in major units: difference, float, age', async () => {
  const reported = { railAccount: 'mobile-kenya', currency: 'KES', differenceMinor: -12_350n, unexplainedMinor: -350n }
  const float = { floatMinor: 500_000n, lowMinor: 500_001n, daysLeft: 1.5 }
  let balances = [{ ...reported, ...float, checkedAt: new Date('2026-03-01T07:59:00Z') }]
  const waits = [{ railAccount: 'mobile-uganda', reason: 'float' as const, payouts: 3 }]
  const { metrics } = given({ railBalances: async () => balances, waitingPayouts: async () => waits })
  const text = await metrics.scrape()
  const labels = '{rail_account="mobile-kenya",currency="KES"}'
  expect(text).toContain(`malipo_rail_balance_difference${labels} -123.5\n`)
  expect(text).toContain(`malipo_rail_balance_unexplained${labels} -3.5\n`)
  expect(text).toContain(`malipo_rail_balance_age_seconds${labels} 60\n`)
  expect(text).toContain(`malipo_rail_float${labels} 5000\n`)
  expect(text).toContain(`malipo_rail_float_low${labels} 1\n`)
  expect(text).toContain(`malipo_rail_float_days_left${labels} 1.5\n`)
  expect(text).toContain('malipo_payouts_waiting{rail_account="mobile-uganda",reason="float"} 3\n')
  balances = []
  expect(await metrics.scrape()).not.toContain('mobile-kenya')
  await figures(metrics) // the exposition must parse
})

test('shows what waits at each rail account, and nothing of a removed one', async () => {
  let waiting = [
    { railAccount: 'mobile-kenya', unknownOutcomeOrders: 3, openExceptions: 0 },
    { railAccount: 'mtn-uganda', unknownOutcomeOrders: 0, openExceptions: 17 },
  ]
  const { metrics } = given({ atRailAccounts: async () => waiting })
  expect(await samples(metrics)).toMatchObject({
    'malipo_orders_unknown_outcome{rail_account="mobile-kenya"}': 3,
    'malipo_orders_unknown_outcome{rail_account="mtn-uganda"}': 0,
    'malipo_reconciliation_exceptions_open{rail_account="mobile-kenya"}': 0,
    'malipo_reconciliation_exceptions_open{rail_account="mtn-uganda"}': 17,
  })
  waiting = waiting.slice(1)
  expect(await metrics.scrape()).not.toContain('mobile-kenya')
})

test('the oldest transfer outside the hash chain has age 0 when all are in it', async () => {
  const { clock, metrics } = given({ oldestUnchained: async () => new Date(clock.now().getTime() - 90_000) })
  expect(await samples(metrics)).toMatchObject({ malipo_ledger_unchained_seconds: 90 })
  expect(await samples(given().metrics)).toMatchObject({ malipo_ledger_unchained_seconds: 0 })
})
