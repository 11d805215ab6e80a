import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import { collection, operatedGateway, type Merchant } from './testing/operated-gateway.ts'

const gateway = await operatedGateway()
const { api, become, malipo, newMerchant } = gateway

let merchant: Merchant

beforeAll(async () => {
  merchant = await newMerchant()
  const order = { ...collection('FOUND-0001'), msisdn: '256772888001', amount: 1_250_000, description: '=1+1+1+1+1+1' }
  const reply = await api('/collections/initialize', { 'public-key': merchant.public_key }, order)
  expect(reply.status, await reply.text()).toBe(202)
  await gateway.collect(merchant, 'FOUND-0002', '256772888101')
  for (const reference of ['FOUND-0001', 'FOUND-0002']) await become(reference, 'COMPLETED')
})

const list = async (...options: string[]) =>
  (await gateway.json<{ merchant_reference: string }[]>(['transaction', 'list', ...options])).map(
    (row) => row.merchant_reference,
  )

test.each([
  ['--phone', '0772 888 001'],
  ['--phone', '+256-772-888001'],
  ['--amount', '1,250,000'],
  ['--amount', 'UGX 1250000'],
  ['--phone', '256772888001', '--amount', '1 250 000', '--type', 'collection', '--provider', 'mtn_ug'],
])('finds a payment by what its customer says: %j', async (...options) => {
  expect(await list(...options)).toEqual(['FOUND-0001'])
})

test.each([
  ['--phone', '0772 888 003'],
  ['--amount', 'KES 1250000'],
  ['--phone', '0772 888 001', '--until', '1d'],
  ['--phone', '0772 888 001', '--type', 'payout'],
  ['--receipt', 'FOUND-0001'],
])('finds nothing by what no payment has: %j', async (...options) => {
  expect(await list(...options)).toEqual([])
})

test('people read amounts with separators', async () => {
  const { out } = await malipo(['transaction', 'list', '--amount', '1250000'])
  expect(out).toContain(' 1,250,000 UGX ')
  expect(out).not.toContain('256772888001')
})

test.each([
  [['--phone', '-'], 'no account number'],
  [['--amount', 'much'], 'no amount to look for'],
  [['--csv', '--json'], 'either --json or --csv'],
  [['--stuck', '--phone', '0772888001'], '--stuck goes with'],
])('refuses %j', async (options, words) => {
  const { code, err } = await malipo(['transaction', 'list', ...options])
  expect([code, err]).toEqual([2, expect.stringContaining(words)])
})

const csv = async (...options: string[]) => {
  const { code, out, err } = await malipo([
    'transaction',
    'list',
    '--merchant',
    merchant.public_key,
    '--csv',
    ...options,
  ])
  expect(code, err).toBe(0)
  return parse(out, { columns: true })
}

test('prints a CSV file whose formulas are escaped, accounts masked', async () => {
  expect(await csv('--amount', '1250000')).toMatchObject([
    {
      merchant_reference: 'FOUND-0001',
      description: "'=1+1+1+1+1+1",
      transaction_amount: '1250000',
      transaction_account: '*********001',
    },
  ])
})
