import { expect, test } from 'vitest'
import { soon } from './testing/command-line.ts'
import { collection, operatedGateway } from './testing/operated-gateway.ts'

const gateway = await operatedGateway()
const { api, become, client, json, malipo, newMerchant } = gateway

test('providers are listed by currency and type, amounts in major units', async () => {
  const options = await json<{ provider_code: string; min_amount: number }[]>([
    'provider',
    'list',
    '--currency',
    'ugx',
    '--type',
    'collection',
  ])
  expect(options.map(({ provider_code }) => provider_code)).toEqual(['airtel_ug', 'mtn_ug'])
  expect(options[0]).toMatchObject({
    currency: 'UGX',
    transaction_type: 'COLLECTION',
    min_amount: 500,
    max_amount: 3_000_000,
    charge_basis_points: 100,
    is_active: true,
  })
  expect((await malipo(['provider', 'list'])).out).toMatch(/^PROVIDER +NAME +TYPE/)
})

test('sets and lists a rate and converts a request in the other currency by it', async () => {
  const { public_key } = await newMerchant()
  expect((await malipo(['rate', 'set', 'usd', 'ugx', '3800'])).out).toContain('1 USD is now 3800 UGX')
  expect(await json(['rate', 'list'])).toEqual([expect.objectContaining({ from: 'USD', to: 'UGX', rate: '3800' })])
  const inDollars = { ...collection('RATE-0001'), currency: 'USD', amount: 100 }
  await soon(
    async () => (await api('/collections/initialize', { 'public-key': public_key }, inDollars)).status === 202,
    'the server knows the rate',
  )
  await become('RATE-0001', 'COMPLETED')
  const { data } = (await (await api('/data/transaction/verify/RATE-0001', { 'public-key': public_key })).json()) as {
    data: object
  }
  expect(data).toMatchObject({ transaction_amount: 380_000, transaction_charge: 3_800, total_credit: 376_200 })
})

test('changes a payment option in amounts of its currency, never inconsistently', async () => {
  const set = (...args: string[]) => malipo(['provider', 'set', 'airtel_zm', '--type', 'payout', ...args])
  const changed = await json([
    'provider',
    'set',
    'airtel_zm',
    '--type',
    'payout',
    '--min',
    '2.50',
    '--charge',
    '1.25',
    '--clearing-delay',
    '24h',
    '--reserve',
    '5',
    '--reserve-for',
    '90d',
    '--inactive',
  ])
  expect(changed).toMatchObject({
    min_amount: 2.5,
    charge_basis_points: 125,
    clearing_delay_seconds: 86_400,
    reserve_basis_points: 500,
    reserve_seconds: 7_776_000,
    is_active: false,
  })
  expect(await set('--min', '99999999')).toMatchObject({
    code: 2,
    err: expect.stringContaining('contradict each other') as string,
  })
  expect(await set('--min', '2.505')).toMatchObject({
    code: 2,
    err: expect.stringContaining('at most 2 decimals for ZMW') as string,
  })
  expect(await set()).toMatchObject({ code: 2, err: expect.stringContaining('say what to change') as string })
  expect((await malipo(['provider', 'set', 'nobody', '--type', 'PAYOUT', '--active'])).code).toBe(3)
})

test("changes a provider's prefixes per direction; running servers apply them", async () => {
  const { public_key } = await newMerchant()
  const set = (provider: string, prefixes: string, ...more: string[]) =>
    malipo(['provider', 'set', provider, '--type', 'collection', '--prefixes', prefixes, ...more])
  const changed = await json<{ prefixes: string[] }>([
    'provider',
    'set',
    'airtel_ug',
    '--type',
    'collection',
    '--prefixes',
    '74, 75,70,20',
  ])
  expect(changed.prefixes).toEqual(['74', '75', '70', '20'])
  const [payout] = (
    await json<{ provider_code: string; prefixes: string[] }[]>(['provider', 'list', '--type', 'payout'])
  ).filter(({ provider_code }) => provider_code === 'airtel_ug')
  expect(payout!.prefixes).toEqual(changed.prefixes)
  const fromNewPrefix = { ...collection('PREFIX-0001', '256200000123'), provider_code: 'airtel_ug' }
  await soon(
    async () => (await api('/collections/initialize', { 'public-key': public_key }, fromNewPrefix)).status === 202,
    'the server knows the prefix',
  )
  expect(await set('airtel_ug', '74,75,74')).toMatchObject({
    code: 2,
    err: expect.stringContaining('It has 74 twice') as string,
  })
  for (const wrong of ['', '74,', '74;75', '+74', '1234567', 'abc'])
    expect(await set('airtel_ug', wrong)).toMatchObject({
      code: 2,
      err: expect.stringContaining('1 to 100 prefixes of 1 to 6 digits') as string,
    })
  expect(await set('bank_ng', '12')).toMatchObject({
    code: 2,
    err: expect.stringContaining('bank_ng is no provider of mobile money') as string,
  })
  // Contradictory values change nothing at all.
  expect((await set('airtel_ug', '99', '--min', '99999999')).code).toBe(2)
  expect((await set('airtel_ug', '74,75,70')).out).toContain('airtel_ug COLLECTION is changed')
})

test('running servers accept ported numbers when prefixes are a hint', async () => {
  const { public_key } = await newMerchant()
  const ported = (reference: string) =>
    api(
      '/collections/initialize',
      { 'public-key': public_key },
      { ...collection(reference, '0752 000 123'), provider_code: 'mtn_ug' },
    )
  const set = (provider: string, ...options: string[]) => malipo(['provider', 'set', provider, ...options])
  expect((await ported('PORTED-0001')).status).toBe(400)
  expect(await json(['provider', 'set', 'mtn_ug', '--prefix-rule', 'hint'])).toEqual(
    ['COLLECTION', 'PAYOUT'].map(
      (transaction_type) => expect.objectContaining({ transaction_type, prefix_rule: 'hint' }) as unknown,
    ),
  )
  await soon(async () => (await ported('PORTED-0002')).status === 202, 'the server knows the rule')
  await become('PORTED-0002', 'COMPLETED')
  // Setting other prefixes does not change the rule.
  expect(await json(['provider', 'set', 'mtn_ug', '--type', 'payout', '--prefixes', '77,78,76,39'])).toMatchObject({
    prefix_rule: 'hint',
    prefixes: ['77', '78', '76', '39'],
  })
  expect((await set('mtn_ug', '--prefix-rule', 'strict')).code).toBe(0)
  await soon(async () => (await ported(`PORTED-${Date.now()}`)).status === 400, 'the server knows the old rule again')
  const { rows } = await client.query<{ old: object; new: object }>(
    `select old, new from staff_actions where subject = 'mtn_ug' order by id desc limit 1`,
  )
  expect(JSON.stringify(rows[0])).toContain('prefix_rule')
})

test.each([
  ['mtn_ug', 'loose', 'It must be one of strict, hint.'],
  ['bank_ng', 'hint', 'bank_ng is no provider of mobile money'],
])('provider set %s --prefix-rule %s is refused', async (provider, rule, fault) =>
  expect(await malipo(['provider', 'set', provider, '--prefix-rule', rule])).toMatchObject({
    code: 2,
    err: expect.stringContaining(fault) as string,
  }),
)
