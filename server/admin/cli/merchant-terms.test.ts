import { expect, test } from 'vitest'
import { operatedGateway } from './testing/operated-gateway.ts'

const { json, malipo, newMerchant } = await operatedGateway()
const OPTION = ['mtn_ug', '--type', 'PAYOUT'] as const

test('sets, lists and removes limits and charges of a merchant', async () => {
  const { public_key } = await newMerchant()
  const terms = (kind: string, what: string, ...more: readonly string[]) =>
    json<Record<string, unknown>[]>(['merchant', kind, what, public_key, ...more, '--reason', 'A contract'])
  await terms('limits', 'set', ...OPTION, '--max', '1000000', '--daily', '2000000')
  const [row] = await terms('charges', 'set', ...OPTION, '--charge', '1.5')
  expect(row).toMatchObject({
    provider_code: 'mtn_ug',
    transaction_type: 'PAYOUT',
    currency: 'UGX',
    min_amount: null,
    max_amount: 1_000_000,
    charge_basis_points: 150,
  })
  expect((await malipo(['merchant', 'limits', 'list', public_key])).out).toMatch(/mtn_ug +PAYOUT +UGX .*1000000/)
  expect(await terms('limits', 'remove', ...OPTION)).toMatchObject([{ max_amount: null, charge_basis_points: 150 }])
  expect(await terms('charges', 'remove', ...OPTION)).toEqual([])
})

test.each([
  [['--max', '3000001'], 'the maximum is wider than the one of mtn_ug, which is 3000000'],
  [['--min', '499'], 'the minimum is wider than the one of mtn_ug, which is 500'],
  [['--min', '2000', '--max', '1000'], 'these settings contradict each other'],
  [[], 'nothing to set'],
])('refuses limits that widen or contradict: %j', async (limits, words) => {
  const { code, err } = await malipo([
    'merchant',
    'limits',
    'set',
    'pub_sandbox_demo',
    ...OPTION,
    '--reason',
    'A test',
    ...limits,
  ])
  expect([code, err]).toEqual([2, expect.stringContaining(words)])
})
