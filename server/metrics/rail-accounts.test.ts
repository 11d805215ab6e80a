import { expect, test } from 'vitest'
import { given, samples } from './testing/sample-metrics.ts'

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
