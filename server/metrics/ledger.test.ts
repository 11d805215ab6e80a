import { expect, test } from 'vitest'
import type { LedgerFindings } from '../actions/ports/figures.ts'
import { CANARY, figures, given } from './testing/sample-metrics.ts'
import { valueOf } from './testing/test-exposition.ts'

test('a scrape never sums the ledger: no figure before a check; failures keep the last', async () => {
  let sums = 0
  const recountedAt = new Date(0)
  let findings: LedgerFindings | undefined = { accountsOff: 0, currenciesOff: 0, recountedAt }
  const { metrics, clock } = given({
    checkLedger: async () => {
      sums += 1
      if (!findings) throw new Error(CANARY)
      return findings
    },
  })
  const before = await figures(metrics)
  expect(sums).toBe(0)
  expect(before.get('malipo_ledger_balanced')!.samples).toEqual([])
  await metrics.checkLedger()
  clock.advance(90_000)
  const good = await figures(metrics)
  expect([
    valueOf(good, 'malipo_ledger_balanced'),
    valueOf(good, 'malipo_ledger_check_age_seconds'),
    valueOf(good, 'malipo_ledger_accounts_off'),
  ]).toEqual([1, 90, 0])
  findings = undefined
  await expect(metrics.checkLedger()).rejects.toThrow(CANARY)
  const failed = await figures(metrics)
  expect([
    valueOf(failed, 'malipo_ledger_balanced'),
    valueOf(failed, 'malipo_ledger_check_age_seconds'),
    valueOf(failed, 'malipo_ledger_check_failures_total'),
  ]).toEqual([1, 90, 1])
  findings = { accountsOff: 2, currenciesOff: 1, recountedAt }
  await metrics.checkLedger()
  const wrong = await figures(metrics)
  expect(
    ['balanced', 'check_age_seconds', 'accounts_off', 'currencies_off'].map((name) =>
      valueOf(wrong, `malipo_ledger_${name}`),
    ),
  ).toEqual([0, 0, 2, 1])
})
