import { expect, test } from 'vitest'
import { soon } from './testing/command-line.ts'
import { collection, operatedGateway } from './testing/operated-gateway.ts'
import { SIMULATORS, startSimulator } from '../../../openapi/operators/simulator/index.ts'
import { railEnv } from '../../../openapi/operators/simulator/rail-command.ts'
import { forFile } from '../../verification/testing/for-file.ts'
import { present } from '../../domain/present.ts'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'

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

test('sets and lists a rate, which a running server accepts requests by', async () => {
  const { public_key } = await newMerchant()
  expect((await malipo(['rate', 'set', 'usd', 'ugx', '3800'])).out).toContain('1 USD is now 3800 UGX')
  const rate = { from: 'USD', to: 'UGX', rate: '3800' }
  expect(await json(['rate', 'list'])).toContainEqual(expect.objectContaining(rate))
  const inDollars = { ...collection('RATE-0001'), currency: 'USD', amount: 100 }
  await soon(
    async () => (await api('/collections/initialize', { 'public-key': public_key }, inDollars)).status === 202,
    'the server knows the rate',
  )
})

test('changes a payment option in amounts of its currency, never inconsistently', async () => {
  const set = (...args: string[]) => malipo(['provider', 'set', 'airtel_zm', '--type', 'collection', ...args])
  const changed = await json([
    'provider',
    'set',
    'airtel_zm',
    '--type',
    'collection',
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
  expect(await set()).toMatchObject({ code: 2, err: expect.stringContaining('nothing to change') as string })
  for (const [args, fault] of [
    [['--type', 'payout', '--clearing-delay', '5d'], 'clearing_delay_seconds is a rule of collections'],
    [['--type', 'collection', '--clearing-delay', '366d'], 'It must be at most 365d.'],
    [['--type', 'collection', '--reserve-for', '30000d'], 'It must be at most 365d.'],
    [['--rail', ' '], 'It must be a name; --no-rail is for none.'],
    [['--banks', 'a_b=\u200b\u200b'], 'It must have 1 to 100 characters'],
  ] as const)
    expect(await malipo(['provider', 'set', 'airtel_zm', ...args])).toMatchObject({
      code: 2,
      err: expect.stringContaining(fault) as string,
    })
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
    `select old, new from audit_log where subject = 'mtn_ug' order by id desc limit 1`,
  )
  expect(JSON.stringify(rows[0])).toContain('prefix_rule')
})

test('refuses a prefix rule of a bank', async () =>
  expect(await malipo(['provider', 'set', 'bank_ng', '--prefix-rule', 'hint'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('bank_ng is no provider of mobile money') as string,
  }))

const mtn = await forFile(startSimulator(present(SIMULATORS['mtn-momo'], 'MTN')({ currency: 'UGX' }), { port: 0 }))

const { written } = temporaryFolder()
const file = written('mtn.env', railEnv(mtn.open))
const addRail = (name: string) =>
  json(['rail', 'add', name, 'mtn-momo', '--currency', 'UGX', '--base-url', mtn.url, '--from', file])
await addRail('mtn-uganda')

const providerOf = (currency: string) =>
  ['--name', 'MTN', '--currency', currency, '--calling-code', '256', '--prefixes', '77,78'] as const
const LIMITS = ['--min', '500', '--max', '3000000', '--daily', '7000000'] as const

test('adds a provider, leads it to an operator and allows it to merchants', async () => {
  const offered = ['--collection-charge', '1.5', '--types', 'collection', '--rail', 'mtn-uganda']
  const { out, code } = await malipo(['provider', 'add', 'mtn_new', ...providerOf('UGX'), ...LIMITS, ...offered])
  expect([code, out]).toEqual([
    0,
    'mtn_new is added, and uses mtn-uganda.\n\nAllow it to a merchant:\n  npx --no -- malipo merchant set <merchant> --enable mtn_new:COLLECTION --reason <text>\n',
  ])
  const { public_key } = await newMerchant()
  await json(['merchant', 'set', public_key, '--enable', 'mtn_new:COLLECTION'])
  const request = { ...collection('ADDED-0001'), provider_code: 'mtn_new' }
  await soon(
    async () => (await api('/collections/initialize', { 'public-key': public_key }, request)).status === 202,
    'the server knows the provider',
  )
})

test('adds a provider of banks, and another bank later', async () => {
  const limits = ['--min', '100', '--max', '250000', '--daily', '500000', '--types', 'PAYOUT']
  const named = ['--name', 'Kenyan banks', '--currency', 'KES', '--banks', 'equity=Equity Bank,kcb=KCB']
  expect((await malipo(['provider', 'add', 'bank_new', ...named, ...limits])).code).toBe(0)
  await json(['provider', 'set', 'bank_new', '--banks', 'kcb=KCB Bank Kenya, ncba=NCBA', '--reason', 'A third bank'])
  const { public_key } = await newMerchant()
  await json(['merchant', 'set', public_key, '--enable', 'bank_new:PAYOUT'])
  const { rows } = await client.query(
    `select method, array_agg(bank_code || ' ' || bank_name order by bank_code) as banks
     from providers join banks on provider_code = code where code = 'bank_new' group by 1`,
  )
  expect(rows).toEqual([{ method: 'BANK', banks: ['equity Equity Bank', 'kcb KCB Bank Kenya', 'ncba NCBA'] }])
})

test.each<[string, readonly string[], number, string]>([
  [
    'numbers and banks',
    ['bank_x', ...providerOf('KES'), ...LIMITS, '--banks', 'kcb=KCB Bank'],
    2,
    'malipo: --calling-code and --prefixes, or --banks\n',
  ],
  [
    'neither',
    ['bank_x', '--name', 'Banks', '--currency', 'KES', ...LIMITS],
    2,
    'malipo: --calling-code and --prefixes, or --banks\n',
  ],
  [
    'one that is there',
    ['mtn_ug', ...providerOf('UGX'), ...LIMITS],
    1,
    'malipo: there is a provider mtn_ug already.\nChange it: npx --no -- malipo provider set\n',
  ],
  [
    'a rail in another currency',
    ['mtn_x', ...providerOf('KES'), ...LIMITS, '--rail', 'mtn-uganda'],
    2,
    'malipo: mtn-uganda moves UGX, and mtn_x pays in KES.\n',
  ],
  [
    'a rail that is not there',
    ['mtn_x', ...providerOf('UGX'), ...LIMITS, '--rail', 'nobody'],
    3,
    'malipo: there is no rail account nobody.\nSee them all: npx --no -- malipo rail list\n',
  ],
  [
    'limits that contradict each other',
    ['mtn_x', ...providerOf('UGX'), '--min', '9', '--max', '8', '--daily', '10'],
    2,
    'malipo: these settings contradict each other: the minimum must be above 0, at most the maximum, and that at most the daily limit.\n',
  ],
])('%s is refused', async (_what, args, code, err) => {
  expect(await malipo(['provider', 'add', ...args])).toEqual({ code, out: '', err })
})

test.each([
  [[], 'strict'],
  [['--prefix-rule', 'hint'], 'hint'],
])('with %j its prefixes are %s', async (options, rule) => {
  const code = `mtn_${rule}`
  await malipo(['provider', 'add', code, ...providerOf('UGX'), ...LIMITS, ...options])
  const listed = await json<{ provider_code: string; prefix_rule: string }[]>(['provider', 'list'])
  const rules = listed.filter(({ provider_code }) => provider_code === code).map(({ prefix_rule }) => prefix_rule)
  expect(rules).toEqual([rule, rule])
})

test('a provider without a rail names the command that leads it to one', async () => {
  const { out } = await malipo(['provider', 'add', 'mtn_lone', ...providerOf('UGX'), ...LIMITS, '--inactive'])
  expect(out).toMatch(
    /^mtn_lone is added, and is not connected yet: npx --no -- malipo provider set mtn_lone --rail <rail-account> --reason <text>\./,
  )
})

test('warns of a rail without payout credentials unless nobody offers payouts', async () => {
  const lines = railEnv(mtn.open).split('\n')
  written('mtn.env', lines.filter((line) => !line.startsWith('disbursement_')).join('\n'))
  await addRail('mtn-collects')
  const lead = async (...more: readonly string[]) => {
    const { code, err } = await malipo(['provider', 'set', 'mtn_ug', '--rail', 'mtn-collects', ...more])
    return [code, err]
  }
  const warned = expect.stringContaining(
    'mtn_ug offers more than mtn-collects supports, and the rest is refused: no payouts, without disbursement_subscription_key, ',
  ) as string
  expect(await lead()).toEqual([0, warned])
  expect(await lead('--type', 'PAYOUT', '--inactive')).toEqual([0, expect.not.stringContaining('offers more than')])
  expect(await lead('--type', 'PAYOUT', '--active')).toEqual([0, warned])
  const added = await malipo(['provider', 'add', 'mtn_two', ...providerOf('UGX'), ...LIMITS, '--rail', 'mtn-collects'])
  expect([added.code, added.err]).toEqual([0, expect.stringContaining('no payouts, without disbursement_')])
  await malipo(['provider', 'set', 'mtn_ug', '--no-rail'])
})

test('removes a rail without providers and open orders only', async () => {
  await addRail('mtn-second')
  const remove = () => malipo(['rail', 'remove', 'mtn-second'])
  const { public_key } = await newMerchant()
  await json(['provider', 'set', 'mtn_ug', '--rail', 'mtn-second'])
  expect(await remove()).toEqual({
    code: 1,
    out: '',
    err: 'malipo: mtn_ug leads to mtn-second: connect them elsewhere first.\nnpx --no -- malipo provider set <provider> --rail <other> --reason <text>, or --no-rail for --rail <other>\n',
  })
  const orders = () => client.query(`select from transactions where rail_account = 'mtn-second'`)
  let tries = 0
  // Running servers see a new rail within a second; until then orders use the previous one.
  await soon(async () => {
    const reference = `REMOVE-${(tries += 1)}-${'0'.repeat(8)}`
    await api('/collections/initialize', { 'public-key': public_key }, collection(reference, '256772000006'))
    await become(reference, 'PROCESSING').catch(() => undefined)
    return (await orders()).rowCount === 1
  }, 'an order goes to the new rail')
  expect((await malipo(['rail', 'list'])).out).toMatch(/^mtn-second .* mtn_ug +- +- +1$/m)
  await json(['provider', 'set', 'mtn_ug', '--no-rail'])
  expect(await remove()).toEqual({
    code: 1,
    out: '',
    err: 'malipo: 1 order of mtn-second waits for a result.\nSee them: npx --no -- malipo transaction list --status PROCESSING\n',
  })
  const { rows } = await client.query<{ rail_order_id: string; merchant_reference: string }>(
    `select rail_order_id, merchant_reference from transactions where rail_account = 'mtn-second'`,
  )
  const { rail_order_id: order, merchant_reference: reference } = present(rows[0], 'the order')
  await fetch(`${mtn.url}/phone/256772000006`, {
    method: 'POST',
    body: new URLSearchParams({ order, pin: '1234', decision: 'approved' }),
    redirect: 'manual',
  })
  await become(reference, 'COMPLETED')
  expect((await remove()).code).toBe(0)
})
