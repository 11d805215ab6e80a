import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DEMO_PAYOUT_BALANCE, SANDBOX_BANKS, SANDBOX_PROVIDERS } from './providers.ts'

// A provider is a row of the table, in a currency in which the demo merchant can pay out; the docs list the same.

const METHODS = { MOBILE_MONEY: 'mobile money', BANK: 'bank' } as const

test('the page about the sandbox lists exactly the providers, with method and currency', () => {
  const page = readFileSync(new URL('../../openapi/pages/sandbox.md', import.meta.url), 'utf8')
  const [, table = ''] = page.split('\n## Providers\n')
  const listed = [...table.matchAll(/^\| (`.*?) +\| (.+?) +\| ([A-Z]{3}) +\|/gm)].flatMap(
    ([, codes = '', method, currency]) =>
      [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => `${code} ${method} ${currency}`),
  )
  const ours = SANDBOX_PROVIDERS.map(({ code, method, currency }) => `${code} ${METHODS[method]} ${currency}`)
  expect(listed.toSorted()).toEqual(ours.toSorted())
})

test('the demo merchant can pay out in the currency of each provider, and in no other', () =>
  expect(Object.keys(DEMO_PAYOUT_BALANCE).toSorted()).toEqual(
    [...new Set(SANDBOX_PROVIDERS.map(({ currency }) => currency))].toSorted(),
  ))

test('each provider of banks has banks, and no other has', () =>
  expect(Object.keys(SANDBOX_BANKS).toSorted()).toEqual(
    SANDBOX_PROVIDERS.filter(({ method }) => method === 'BANK')
      .map(({ code }) => code)
      .toSorted(),
  ))
