import { expect, test } from 'vitest'
import { figures, given } from './testing/sample-metrics.ts'
import { valueOf } from './testing/test-exposition.ts'

test('shows what waits at each rail account, and nothing of a removed one', async () => {
  let waiting = [
    { railAccount: 'mobile-kenya', unknownOutcomeOrders: 3, openExceptions: 0 },
    { railAccount: 'mtn-uganda', unknownOutcomeOrders: 0, openExceptions: 17 },
  ]
  const { metrics } = given({ atRailAccounts: async () => waiting })
  const families = await figures(metrics)
  const shown = (railAccount: string) =>
    ['malipo_orders_unknown_outcome', 'malipo_reconciliation_exceptions_open'].map((name) =>
      valueOf(families, name, { rail_account: railAccount }),
    )
  expect([shown('mobile-kenya'), shown('mtn-uganda')]).toEqual([
    [3, 0],
    [0, 17],
  ])
  waiting = waiting.slice(1)
  expect(await metrics.scrape()).not.toContain('mobile-kenya')
})
