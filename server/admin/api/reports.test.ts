import { expect, test } from 'vitest'
import { collect } from '../../verification/testing/requests.ts'
import { adminApiTest } from './testing/admin-api-test.ts'

const { gateway, baseUrl, clock, token, client, key } = await adminApiTest()
const financeToken = await token('finance')
const finance = client(financeToken)
const month = clock.now().toISOString().slice(0, 7)

const deposit = (amount: string, reference: string) =>
  finance.POST('/merchants/{merchant}/deposits', {
    params: { path: { merchant: 'pub_sandbox_demo' }, header: key() },
    body: { currency: 'UGX', amount, reference, reason: 'Bank transfer of today' },
  })
const text = async (path: string, url = baseUrl, bearer = financeToken) =>
  (await fetch(`${url}/api${path}`, { headers: { authorization: `Bearer ${bearer}` } })).text()

test('a statement adds up to the unit, and its file says the same', async () => {
  await deposit('900', 'REPORT-1')
  await deposit('50', 'REPORT-2')
  const { data } = await finance.GET('/merchants/{merchant}/statements/{month}', {
    params: { path: { merchant: 'pub_sandbox_demo', month } },
  })
  const wallets = data?.data.wallets ?? []
  for (const { opening_balance: opening, movements, closing_balance: closing } of wallets)
    expect(movements.reduce((sum, { amount }) => sum + amount, opening)).toBe(closing)
  const payout = wallets.find(({ wallet, currency }) => wallet === 'payout' && currency === 'UGX')
  const file = await text(`/merchants/pub_sandbox_demo/statements/${month}/export`)
  const lines = file
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
  expect(lines.filter(([wallet, currency]) => wallet === 'payout' && currency === 'UGX').at(-1)?.[5]).toBe(
    String(payout?.closing_balance),
  )
  expect(lines.filter((line) => line.includes('REPORT-2'))).toHaveLength(1)
})

test('the sums of all merchants are those of their wallets', async () => {
  const { data } = await finance.GET('/reports/balances', { params: { query: { limit: 200 } } })
  const { items = [], totals = [] } = data?.data ?? {}
  expect(totals.length).toBeGreaterThan(0)
  for (const { wallet, currency, available } of totals)
    expect(
      items
        .filter((row) => row.wallet === wallet && row.currency === currency)
        .reduce((sum, row) => sum + row.available, 0),
    ).toBe(available)
  const file = await text('/reports/balances/export')
  expect(file).toMatch(/^merchant_public_key,merchant_name,wallet,currency,available,uncleared,reserve,held\r\n/)
})

test('sums volumes by day, and refuses a period that is too long', async () => {
  const volume = (query: object) => finance.GET('/reports/volume', { params: { query } })
  const since = new Date(clock.now().getTime() - 86_400_000).toISOString()
  for (const no of ['2026-12-31T23:59:60Z', '2026-11-20T24:00:00Z', '2026-02-30T10:00:00Z'])
    expect((await volume({ by: ['day'], since: no })).response.status, no).toBe(400)
  await collect(gateway.url)
  clock.advance(1_000)
  const { data } = await volume({ by: 'status,day', since })
  expect(data?.data.items).toMatchObject([{ day: clock.now().toISOString().slice(0, 10), payments: 1 }])
  expect(await text(`/reports/volume/export?by=day&since=${since}`)).toMatch(/^day,currency,payments,amount,charge\r\n/)
  expect((await volume({ since: '2020-01-01T00:00:00Z' })).error?.message).toBe('the period must have at most 366 days')
  expect((await volume({ by: 'colour' })).error?.message).toMatch(/^by must be one or more of day/)
})
