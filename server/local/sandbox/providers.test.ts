import { expect, test } from 'vitest'
import { pagesWithTables } from '../../../openapi/page-tables.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { MASTER_KEY, seededRandom } from '../../verification/testing/gateway.ts'
import { gatewayTest } from '../../verification/testing/gateway-test.ts'
import { collect, send, verify } from '../../verification/testing/requests.ts'
import { demoBalances, SANDBOX_PROVIDERS, type SandboxProvider } from './providers.ts'
import { seedSandbox } from './seed-sandbox.ts'

// A provider is a row of the table: the gateway, the demo merchant's wallets and the docs follow from it.

const { gateway, clock, after } = await gatewayTest()

const CFA = { currency: 'XOF', min: 100, max: 1_000_000, daily: 2_000_000, demoBalance: 5_000_000 } as const
const CHARGES = { collectionChargeBps: 100, payoutChargeBps: 50 } as const
const NEW: readonly SandboxProvider[] = [
  {
    ...CFA,
    ...CHARGES,
    code: 'kauri_xx',
    name: 'Kauri Senegal',
    method: 'MOBILE_MONEY',
    callingCode: '221',
    prefixes: ['77'],
  },
  {
    ...CFA,
    ...CHARGES,
    code: 'bank_xx',
    name: 'Banks of Senegal',
    method: 'BANK',
    callingCode: '',
    prefixes: [],
    banks: [['teranga_xx', 'Teranga Bank']],
  },
]

test('offers the providers of rows with their limits, banks and test numbers', async () => {
  const box = createSecretBox(MASTER_KEY, seededRandom('providers'))
  await seedSandbox(gateway.pool, box, gateway.url, clock.now(), [...SANDBOX_PROVIDERS, ...NEW])
  // Staff enable a provider for merchants that exist already.
  await gateway.pool.query(
    `insert into merchant_options (merchant_id, provider_code, transaction_type)
     select id, provider_code, transaction_type from merchants, payment_options where provider_code like '%_xx'`,
  )
  await gateway.refresh()
  const listed = await send(gateway.url, 'GET', '/data/payment-providers?currency=XOF&transaction_type=COLLECTION')
  expect(listed.body.data.payment_providers).toMatchObject([
    { provider_code: 'bank_xx', transaction_method: 'BANK' },
    { provider_code: 'kauri_xx', min_amount: 100, max_amount: 1_000_000, max_daily_amount: 2_000_000 },
  ])
  const banks = await send(gateway.url, 'GET', '/data/payout-bank-codes?provider_code=bank_xx')
  expect(banks.body.data.payout_banks).toMatchObject([{ bank_code: 'teranga_xx' }])
  const order = { provider_code: 'kauri_xx', currency: 'XOF', amount: 500, msisdn: '221770000004' }
  const { merchant_reference: reference } = (await collect(gateway.url, order)).body.data
  await after(60_000)
  expect((await verify(gateway.url, String(reference))).body.data).toMatchObject({
    transaction_status: 'FAILED',
    status_message: 'The customer declined the request',
  })
})

test('converts dollars for Tanzania from the first start', async () => {
  const inDollars = { provider_code: 'vodacom_tz', currency: 'USD', amount: 123.45, msisdn: '255740000001' }
  const { merchant_reference: reference } = (await collect(gateway.url, inDollars)).body.data
  expect((await verify(gateway.url, String(reference))).body.data).toMatchObject({
    request_amount: 123.45,
    transaction_currency: 'TZS',
    transaction_amount: 327_235.09,
  })
})

test('fills the demo wallet and the tables of the docs from the rows', () => {
  const providers = [...SANDBOX_PROVIDERS, ...NEW]
  expect(demoBalances(providers).get('XOF')).toBe(5_000_000)
  const page = pagesWithTables({ providers })['openapi/pages/sandbox.md']
  expect(page).toMatch(/^\| `kauri_xx` +\| Kauri Senegal +\| XOF +\| mobile money +\| 100 to 1,000,000 +\|/m)
  expect(page).toMatch(/^\| `teranga_xx` +\| Teranga Bank +\| `bank_xx` +\|$/m)
})

test('no number of a country begins with prefixes of two providers', () => {
  const mobile = SANDBOX_PROVIDERS.flatMap(({ code, callingCode, prefixes }) =>
    prefixes.map((prefix) => ({ code, begins: callingCode + prefix })),
  )
  const shared = mobile.flatMap((one, index) =>
    mobile
      .filter((other, position) => position !== index && other.begins.startsWith(one.begins))
      .map((other) => `${one.code} ${one.begins}, ${other.code} ${other.begins}`),
  )
  expect(shared).toEqual([])
})

test.each([
  ['mpesa_ke', '700 719 728 740 743 745 746 748 749 757 758 759 768 769 799 110 115 116 119 140 146 180 189'],
  ['airtel_ke', '730 739 750 756 760 762 767 780 789 100 108 135 139'],
  ['', '744 747 761 770 779 120 109 134 147 170 190'],
])('Kenyan numbers of "%s" are those of 2026: %s', (code, ranges) => {
  const ofKenya = SANDBOX_PROVIDERS.filter(({ currency }) => currency === 'KES')
  for (const range of ranges.split(' ')) {
    const owners = ofKenya.filter(({ prefixes }) => prefixes.some((prefix) => range.startsWith(prefix)))
    expect([range, ...owners.map((owner) => owner.code)]).toEqual([range, ...(code === '' ? [] : [code])])
  }
})

test('one provider has a flat charge', () =>
  expect(SANDBOX_PROVIDERS.filter(({ payoutChargeFlat = 0 }) => payoutChargeFlat > 0)).toHaveLength(1))

test('providers of a currency agree on the balance of the demo merchant', () => {
  const balances = new Set(SANDBOX_PROVIDERS.map(({ currency, demoBalance }) => `${currency} ${demoBalance}`))
  expect(balances.size).toBe(demoBalances(SANDBOX_PROVIDERS).size)
})

test('each provider of banks has banks, and no other has', () =>
  expect(SANDBOX_PROVIDERS.filter(({ method, banks = [] }) => banks.length > 0 !== (method === 'BANK'))).toEqual([]))
