import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { SIMULATORS, startSimulator } from '../../../openapi/operators/simulator/index.ts'
import { railEnv } from '../../../openapi/operators/simulator/rail-command.ts'
import { forFile } from '../../verification/testing/for-file.ts'
import { present } from '../../domain/present.ts'
import { soon } from './testing/command-line.ts'
import { collection, operatedGateway } from './testing/operated-gateway.ts'

const { api, become, client, json, malipo, newMerchant } = await operatedGateway()
const mtn = await startSimulator(present(SIMULATORS['mtn-momo'], 'MTN')({ currency: 'UGX' }), { port: 0 })
await forFile(Promise.resolve({ end: () => mtn.close() }))

const folder = mkdtempSync(join(tmpdir(), 'malipo-provider-add-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'mtn.env')
writeFileSync(file, railEnv(mtn.open))
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

test.each<[string, readonly string[], number, string]>([
  [
    'one that is there',
    ['mtn_ug', ...providerOf('UGX'), ...LIMITS],
    2,
    'malipo: there is a provider mtn_ug already. Change it: npx --no -- malipo provider set\n',
  ],
  [
    'a rail in another currency',
    ['mtn_x', ...providerOf('KES'), ...LIMITS, '--rail', 'mtn-uganda'],
    2,
    'malipo: mtn-uganda moves UGX, and mtn_x pays in KES\n',
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
    'malipo: the minimum must be above 0, at most the maximum, and that at most the daily limit\n',
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

test.each([
  ['Mtn', 'It must be 2 to 64 lower-case letters'],
  ['mtn-x', 'It must be 2 to 64 lower-case letters'],
])('%s is no provider code', async (code, fault) => {
  const added = await malipo(['provider', 'add', code, ...providerOf('UGX'), ...LIMITS])
  expect([added.code, added.err]).toEqual([2, expect.stringContaining(fault)])
})

test('a provider without a rail names the command that leads it to one', async () => {
  const { out } = await malipo(['provider', 'add', 'mtn_lone', ...providerOf('UGX'), ...LIMITS, '--inactive'])
  expect(out).toMatch(
    /^mtn_lone is added, and is not connected yet: npx --no -- malipo provider set mtn_lone --rail <rail-account> --reason <text>\./,
  )
})

test('leads a provider to a rail of its own currency only', async () => {
  expect(await malipo(['provider', 'set', 'mpesa_ke', '--rail', 'mtn-uganda'])).toEqual({
    code: 2,
    out: '',
    err: 'malipo: mtn-uganda moves UGX, and mpesa_ke pays in KES\n',
  })
  expect((await malipo(['provider', 'set', 'mtn_ug', '--rail', 'nobody'])).code).toBe(3)
})

test('warns of a rail without payout credentials unless nobody offers payouts', async () => {
  const lines = railEnv(mtn.open).split('\n')
  writeFileSync(file, lines.filter((line) => !line.startsWith('disbursement_')).join('\n'))
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
    err: 'malipo: mtn_ug leads to mtn-second. Connect them elsewhere first: npx --no -- malipo provider set <provider> --rail <other> --reason <text>, or --no-rail for --rail <other>\n',
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
  expect((await malipo(['rail', 'list'])).out).toMatch(/^mtn-second .* mtn_ug +- +1$/m)
  await json(['provider', 'set', 'mtn_ug', '--no-rail'])
  expect(await remove()).toEqual({
    code: 1,
    out: '',
    err: 'malipo: 1 order of mtn-second waits for a result. See them: npx --no -- malipo transaction list --status PROCESSING\n',
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
