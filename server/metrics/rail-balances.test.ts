import { expect, test } from 'vitest'
import { figures, given } from './testing/sample-metrics.ts'

test("shows the operators' difference from the ledger in major units, and its age", async () => {
  const reported = { railAccount: 'mobile-kenya', currency: 'KES', differenceMinor: -12_350n, unexplainedMinor: -350n }
  let balances = [{ ...reported, checkedAt: new Date('2026-03-01T07:59:00Z') }]
  const { metrics } = given({ railBalances: async () => balances })
  const text = await metrics.scrape()
  const labels = '{rail_account="mobile-kenya",currency="KES"}'
  expect(text).toContain(`malipo_rail_balance_difference${labels} -123.5\n`)
  expect(text).toContain(`malipo_rail_balance_unexplained${labels} -3.5\n`)
  expect(text).toContain(`malipo_rail_balance_age_seconds${labels} 60\n`)
  balances = []
  expect(await metrics.scrape()).not.toContain('mobile-kenya')
  await figures(metrics) // the exposition must parse
})
