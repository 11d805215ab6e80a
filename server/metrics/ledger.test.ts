import { expect, test } from 'vitest'
import type { LedgerFindings } from '../actions/ports/figures.ts'
import { CANARY, given, samples } from './testing/sample-metrics.ts'

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
  expect(await samples(metrics)).not.toHaveProperty('malipo_ledger_balanced')
  expect(sums).toBe(0)
  await metrics.checkLedger()
  clock.advance(90_000)
  const good = { malipo_ledger_balanced: 1, malipo_ledger_check_age_seconds: 90, malipo_ledger_accounts_off: 0 }
  expect(await samples(metrics)).toMatchObject(good)
  findings = undefined
  await expect(metrics.checkLedger()).rejects.toThrow(CANARY)
  expect(await samples(metrics)).toMatchObject({ ...good, malipo_ledger_check_failures_total: 1 })
  findings = { accountsOff: 2, currenciesOff: 1, recountedAt }
  await metrics.checkLedger()
  expect(await samples(metrics)).toMatchObject({
    malipo_ledger_balanced: 0,
    malipo_ledger_check_age_seconds: 0,
    malipo_ledger_accounts_off: 2,
    malipo_ledger_currencies_off: 1,
  })
})
