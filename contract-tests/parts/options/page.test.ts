import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundleUrl } from '../../../openapi/reading/contract.ts'
import { SANDBOX_PROVIDERS } from '../../../server/local/sandbox/providers.ts'
import { readSandboxPage } from './page.ts'

const contract = readFileSync(bundleUrl, 'utf8')

test('reads all providers and banks of the sandbox page, in minor units', () => {
  const { providers = [], banks = [] } = readSandboxPage(contract) ?? {}
  expect(providers.map(({ code }) => code)).toEqual(SANDBOX_PROVIDERS.map(({ code }) => code))
  expect(banks).toEqual(
    SANDBOX_PROVIDERS.flatMap(({ code: provider, banks: own = [] }) =>
      own.map(([code, name]) => ({ provider, code, name })),
    ),
  )
  expect(providers.filter(({ asksForOtp }) => asksForOtp).map(({ code }) => code)).toEqual(
    SANDBOX_PROVIDERS.filter(({ requiresOtp }) => requiresOtp).map(({ code }) => code),
  )
  expect(providers.find(({ code }) => code === 'bank_za')).toEqual({
    code: 'bank_za',
    name: 'South African Banks',
    method: 'BANK',
    currency: 'ZAR',
    minMinor: 1_000n,
    maxMinor: 10_000_000n,
    dailyMinor: 25_000_000n,
    prefixes: [],
    asksForOtp: false,
    charges: { COLLECTION: { bps: 150n, flatMinor: 150n }, PAYOUT: { bps: 100n, flatMinor: 250n } },
  })
})

test('reads nothing without the page, or from a page of another form', () => {
  expect(readSandboxPage('{}')).toBeUndefined()
  expect(readSandboxPage(contract.replaceAll('## Providers', '## Others'))).toBeUndefined()
})
