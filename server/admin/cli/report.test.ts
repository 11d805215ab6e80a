import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import { mobileMoneyPayout } from '../../verification/testing/requests.ts'
import { operatedGateway, type Merchant } from './testing/operated-gateway.ts'

const gateway = await operatedGateway()
const { become, client, collect, json, malipo, newMerchant } = gateway

const MONTH = new Date().toISOString().slice(0, 7)
const LAST_MONTH = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 0))
  .toISOString()
  .slice(0, 7)

interface Statement {
  readonly wallets: readonly {
    readonly wallet: string
    readonly currency: string
    readonly opening_balance: number
    readonly closing_balance: number
    readonly movements: readonly { readonly kind: string; readonly count: number; readonly amount: number }[]
  }[]
}

let merchant: Merchant

const payOut = async (reference: string, account: string) => {
  const keys = { 'public-key': merchant.public_key, 'secret-key': merchant.secret_key }
  const body = mobileMoneyPayout({ merchant_reference: reference, account_number: account, amount: 700 })
  const reply = await gateway.api('/payout/send-funds', keys, body)
  expect(reply.status, await reply.text()).toBe(202)
}

beforeAll(async () => {
  merchant = await newMerchant('--verification-url', `${gateway.receiver.url}/verify`)
  for (const n of [1, 2, 3]) await collect(merchant, `REPORT-000${n}`, n === 3 ? '256772000004' : '256772000123')
  for (const n of [1, 2, 3]) await become(`REPORT-000${n}`, n === 3 ? 'FAILED' : 'COMPLETED')
  await json(['wallet', 'deposit', merchant.public_key, 'UGX', '10000', '--reference', '=BANK-1'])
  const move = ['wallet', 'transfer', merchant.public_key, 'UGX', '900', '--from', 'collection', '--to', 'payout']
  await json([...move, '--reference', 'MOVE-1'])
  await payOut('REPORT-PAID', '256772000123')
  await payOut('REPORT-OPEN', '256772000006')
  await become('REPORT-PAID', 'COMPLETED')
  await become('REPORT-OPEN', 'PROCESSING')
  // One collection was booked on the last day of the month before.
  await client.query('alter table transfers disable trigger append_only')
  await client.query(
    `update transfers set created_at = $1::timestamptz from transactions t
     where t.id = transaction_id and t.merchant_reference = 'REPORT-0001'`,
    [`${LAST_MONTH}-28T23:59:59Z`],
  )
  await client.query('alter table transfers enable trigger append_only')
})

const ugxWallets = async (month: string) =>
  (await statement(month)).wallets.filter(({ currency }) => currency === 'UGX')
const statement = (month: string) =>
  json<Statement & Record<string, unknown>>(['report', 'statement', merchant.public_key, month])

test('a statement adds up to the wallets, and to that of the month before', async () => {
  const wallets = await ugxWallets(MONTH)
  const shown = await json<{ wallets: Record<string, number | string>[] }>([
    'wallet',
    'show',
    merchant.public_key,
    '--currency',
    'UGX',
  ])
  expect(wallets.map(({ wallet, closing_balance }) => [wallet, closing_balance])).toEqual(
    shown.wallets.map(({ wallet_type: type, actual_balance: actual, held_balance: held }) => [
      String(type).replace('MERCHANT_', '').toLowerCase(),
      Number(actual) + Number(held),
    ]),
  )
  for (const { opening_balance, movements, closing_balance } of wallets)
    expect(movements.reduce((sum, { amount }) => sum + amount, opening_balance)).toBe(closing_balance)
  expect(wallets.map(({ opening_balance }) => opening_balance)).toEqual([4950, 0])
  const kinds = wallets.map(({ movements }) => movements.map(({ kind, amount }) => [kind, amount]))
  expect(kinds).toEqual([
    [
      ['collection', 4950],
      ['wallet_transfer', -900],
    ],
    [
      ['deposit', 10_000],
      ['payout', expect.any(Number)],
      ['wallet_transfer', 900],
    ],
  ])
  expect((await ugxWallets(LAST_MONTH)).map((one) => [one.opening_balance, one.closing_balance])).toEqual([
    [0, 4950],
    [0, 0],
  ])
})

test('people read a statement with separators, opening and closing', async () => {
  const { out } = await malipo(['report', 'statement', merchant.public_key, MONTH])
  expect(out).toMatch(/\ncollection UGX +opening +4,950 UGX\n/)
  expect(out).toMatch(/\npayout UGX +deposit +1 +10,000 UGX\n/)
})

test('volumes are of today by provider and status, or as asked', async () => {
  const mine = ['report', 'volume', '--merchant', merchant.public_key]
  expect(await json(mine)).toEqual([
    {
      provider_code: 'mtn_ug',
      transaction_type: 'COLLECTION',
      transaction_status: 'COMPLETED',
      currency: 'UGX',
      payments: 2,
      amount: 10_000,
      charge: 100,
    },
    {
      provider_code: 'mtn_ug',
      transaction_type: 'COLLECTION',
      transaction_status: 'FAILED',
      currency: 'UGX',
      payments: 1,
      amount: 5000,
      charge: 0,
    },
    expect.objectContaining({ transaction_type: 'PAYOUT', transaction_status: 'COMPLETED', amount: 700 }),
    expect.objectContaining({ transaction_type: 'PAYOUT', transaction_status: 'PROCESSING', amount: 700 }),
  ])
  const { out } = await malipo(['report', 'volume', '--by', 'merchant', '--csv', '--since', '1h'])
  expect(parse(out, { columns: true })).toContainEqual(
    expect.objectContaining({ merchant_public_key: merchant.public_key, payments: '5', amount: '16400' }),
  )
  expect(await json([...mine, '--until', '1h'])).toEqual([])
  expect((await malipo([...mine, '--by', 'colour'])).err).toContain(
    'one or more of day, provider, merchant, type, status',
  )
})

test.each([
  [['report', 'statement', 'pub_sandbox_demo', '2026-13'], 2, 'is no month'],
  [['report', 'balances', '--csv', '--json'], 2, 'either --json or --csv'],
])('refuses %j', async (args, code, words) => {
  expect(await malipo(args)).toMatchObject({ code, err: expect.stringContaining(words) })
})
