import { expect, test } from 'vitest'
import { newTokenKey } from '../../domain/callback-tokens.ts'
import type { TransactionType } from '../../domain/provider.ts'
import { migrate } from '../../storage/migrate.ts'
import { createMerchant, newMerchantKeys } from '../../admin/queries/merchants.ts'
import { leadProvider } from '../../admin/queries/providers.ts'
import { addRailAccount } from '../../admin/queries/rail-accounts.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { LIVE_ENV, seededRandom, MASTER_KEY } from '../testing/gateway.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { databaseTest } from '../testing/database-test.ts'

// A live gateway on a live database whose staff have set up a provider without a rail.
const random = seededRandom('no rail')
const keys = newMerchantKeys(random)
const HEADERS = {
  'public-key': keys.publicKey,
  'secret-key': keys.secretKey,
  'x-api-version': '1',
  'content-type': 'application/json',
}

const database = await databaseTest({ template: 'template0' })
await migrate(database.connection, 'live')
const { gateway, beside } = await gatewayTest({ database, env: LIVE_ENV })
await gateway.pool.query(
  `insert into providers (code, name, method, currency, calling_code, prefixes) values ('mtn_ug', 'MTN Uganda', 'MOBILE_MONEY', 'UGX', '256', '{77}'), ('off_ug', 'Off', 'MOBILE_MONEY', 'UGX', '256', '{77}')`,
)
await gateway.pool
  .query(`insert into payment_options (provider_code, transaction_type, min_amount_minor, max_amount_minor, max_daily_amount_minor, charge_bps, charge_flat_minor, is_active)
  select code, type, 500, 3000000, 7000000, 100, 0, code = 'mtn_ug' from providers, unnest(array['COLLECTION', 'PAYOUT']) type`)
await createMerchant(
  gateway.pool,
  createSecretBox(MASTER_KEY, random),
  { name: 'Duka Langu', keys, sandboxOnly: false, verificationUrl: 'https://shop.example/handshake' },
  new Date(),
)
await gateway.refresh()

const post = async (path: string, body: object) => {
  const reply = await fetch(gateway.listeningUrl + path, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify(body),
  })
  return [reply.status, ((await reply.json()) as { message: string }).message]
}
const collection = {
  transaction_method: 'MOBILE_MONEY',
  provider_code: 'mtn_ug',
  merchant_reference: 'auto',
  msisdn: '256772000123',
  currency: 'UGX',
  amount: 5000,
  description: 'Two coffees please',
}
const payout = {
  transaction_method: 'MOBILE_MONEY',
  provider_code: 'mtn_ug',
  merchant_reference: 'PAYOUT-2026-0001',
  account_number: '256772000123',
  currency: 'UGX',
  amount: 5000,
  customer_name: 'Ada Obi',
  description: 'Salary of March',
}

test('live mode refuses a payment for a provider without a rail and stores nothing', async () => {
  const refused = [400, 'Invalid provider code (mtn_ug): no rail is configured']
  expect(await post('/collections/initialize', collection)).toEqual(refused)
  expect(
    await post('/collections/initialize', {
      ...collection,
      mobile_money_hpp: true,
      redirect_url: 'https://shop.example/paid',
    }),
  ).toEqual(refused)
  expect(await post('/payout/send-funds', payout)).toEqual(refused)
  const { rows } = await gateway.pool.query(
    'select merchant_reference from transactions union all select merchant_reference from transaction_references',
  )
  expect(rows).toEqual([])
})

async function activeProviders(type: TransactionType): Promise<readonly string[]> {
  const reply = await fetch(`${gateway.listeningUrl}/data/payment-providers?currency=UGX&transaction_type=${type}`, {
    headers: HEADERS,
  })
  const { data } = (await reply.json()) as {
    data: { payment_providers: { provider_code: string; is_active: boolean }[] }
  }
  expect(data.payment_providers.map(({ provider_code }) => provider_code)).toEqual(['mtn_ug', 'off_ug'])
  return data.payment_providers.flatMap(({ provider_code, is_active }) => (is_active ? [provider_code] : []))
}

test('lists a provider without a rail as one that accepts no transactions now', async () => {
  expect(await activeProviders('COLLECTION')).toEqual([])
})

test('names its operator connections at the start; none of them blocks readiness', async () => {
  const box = createSecretBox(MASTER_KEY, random)
  const added = {
    rail: 'mtn-momo',
    environment: 'production',
    currency: 'UGX',
    baseUrl: 'https://momo.example',
  } as const
  const settings = { target_environment: 'mtnuganda', collection_api_user: '6f1b2c3d-0000-4000-8000-000000000001' }
  const secrets = { collection_subscription_key: 'KEY-1', collection_api_key: 'KEY-2' }
  for (const [name, changes] of [
    ['mtn-uganda', {}],
    ['mtn-trial', { environment: 'trial' }],
    ['mtn-nowhere', { settings: { ...settings, ca_file: '/nowhere/ca.pem' } }],
    ['mtn-unknown', { rail: 'paypal' }],
  ] as const)
    await addRailAccount(
      gateway.pool,
      box,
      { name, callbackKey: newTokenKey(random), settings, secrets, ...added, ...changes },
      new Date(),
    )
  await leadProvider(gateway.pool, 'off_ug', 'mtn-uganda')
  const again = await beside(LIVE_ENV)
  expect(gateway.rails).toEqual({ providersWithRail: [], providersWithoutRail: [] }) // as the database was then
  try {
    expect(again.rails).toEqual({ providersWithRail: ['off_ug'], providersWithoutRail: ['mtn_ug'] })
    expect(again.railAccounts).toMatchObject([
      { name: 'mtn-nowhere', directions: [], fault: expect.stringContaining('ENOENT') as string },
      { name: 'mtn-trial', fault: 'it is for trials, and live mode takes none of those' },
      {
        name: 'mtn-uganda',
        operator: 'MTN MoMo',
        country: 'Uganda',
        directions: ['COLLECTION'],
        providers: ['off_ug'],
        circuit: 'closed',
      },
      { name: 'mtn-unknown', operator: 'paypal', fault: 'this version knows no rail paypal' },
    ])
    expect(again.railAccounts[2]).not.toHaveProperty('fault')
    expect((await fetch(`${again.listeningUrl}/health/ready`)).status).toBe(200)
  } finally {
    await leadProvider(gateway.pool, 'off_ug', undefined)
  }
})

test('a rail account without payout credentials is offered for collections only', async () => {
  await leadProvider(gateway.pool, 'mtn_ug', 'mtn-uganda')
  await gateway.refresh()
  try {
    expect([await activeProviders('COLLECTION'), await activeProviders('PAYOUT')]).toEqual([['mtn_ug'], []])
    expect(await post('/payout/send-funds', payout)).toEqual([
      400,
      'Invalid provider code (mtn_ug): no rail is configured',
    ])
    const again = await beside(LIVE_ENV)
    expect(again.rails).toEqual({ providersWithRail: ['mtn_ug'], providersWithoutRail: ['off_ug'] })
    expect(again.railAccounts.find(({ name }) => name === 'mtn-uganda')?.lacks).toEqual([
      {
        type: 'PAYOUT',
        missing: ['disbursement_subscription_key', 'disbursement_api_user', 'disbursement_api_key'],
      },
    ])
  } finally {
    await leadProvider(gateway.pool, 'mtn_ug', undefined)
    await gateway.refresh()
  }
})

test.each(['', '/handshake', '/1', '/clear', '/stream', '/1/resend'])(
  'live mode has no inbox: /sandbox/inbox%s is 404',
  async (path) => {
    const url = `${gateway.listeningUrl}/sandbox/inbox${path}`
    expect((await fetch(url)).status).toBe(404)
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(404)
  },
)
