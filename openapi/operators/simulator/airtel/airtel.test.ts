import { expect, test } from 'vitest'
import type { RailOrder } from '../../../../server/actions/ports/rail.ts'
import { money } from '../../../../server/domain/money.ts'
import { airtel as rail } from '../../../../server/rails/airtel/airtel.ts'
import { adapterAt, worldOf } from '../../../../server/rails/testing/adapter-at.ts'
import type { OperatorOptions } from '../operator.ts'
import type { Scenario } from '../scenarios/effects.ts'
import { advance, receiver, simulated } from '../testing/simulated.ts'
import { airtel } from './airtel.ts'

// The rail and the simulator were written from the same facts: each holds the other to them, and the contract both.

interface TestOptions extends OperatorOptions {
  readonly scenarios?: readonly Scenario[]
  readonly settings?: Readonly<Record<string, string>>
}

async function connected({ scenarios = [], settings = {}, ...options }: TestOptions = {}) {
  const operator = airtel(options)
  const simulator = await simulated(operator, { scenarios, seed: 7 })
  const given = { base_url: simulator.url, ...simulator.open.railSettings, ...settings }
  const { clock } = simulator.world
  const random = { bytes: (size: number) => new Uint8Array(size).fill(7) }
  const { adapter } = adapterAt(rail, given, worldOf(rail, operator.currency, { clock, random }))
  return { simulator, adapter }
}

let orders = 0
const order = (type: RailOrder['type'], given: Partial<RailOrder> = {}): RailOrder => ({
  internalReference: 'MLP0123456789ABCDEFGHJKMN',
  orderId: `3fd0c5b2-7a1e-4c0d-9b77-${String((orders += 1)).padStart(12, '0')}`,
  orderedAt: new Date(0),
  type,
  providerCode: 'airtel_ug',
  account: '256752000123',
  amount: money(5000n, 'UGX'),
  externalIds: {},
  shown: { merchant: 'Duka', reference: 'Order 1042' },
  ...given,
})

test.each([
  ['approved', 'COMPLETED', undefined],
  ['wrong_pin', 'FAILED', 'declined'],
  ['cancelled', 'FAILED', 'declined'],
  ['expired', 'FAILED', 'expired'],
] as const)('a customer who has %s: %s', async (decision, status, code) => {
  const { simulator, adapter } = await connected()
  const collection = order('COLLECTION')
  expect(await adapter.submit(collection)).toEqual({ answer: 'accepted' })
  expect(await adapter.query(collection)).toEqual({ knows: 'in_progress' })
  if (decision === 'expired') await advance(simulator, 120_000)
  else simulator.lifecycle.decide(simulator.world.orders.of('256752000123')[0]!, decision)
  expect(await adapter.query(collection)).toMatchObject({
    knows: 'outcome',
    outcome: { status, ...(code && { code }) },
  })
})

test.each([
  [{}],
  [{ isSigned: true }],
  [{ isSigned: true, pinPadding: 'oaep' }],
  [{ environment: 'ZM' }],
  [{ environment: 'CG' }],
] as const)('pays out, collects and gives back with %o', async (options) => {
  const { simulator, adapter } = await connected(options)
  const { currency } = simulator.operator
  const given = {
    account: { UGX: '256752000123', ZMW: '260972000123', XAF: '242052000123' }[currency] ?? '',
    amount: money(5000n, currency),
  }
  const payout = order('PAYOUT', given)
  expect(await adapter.submit(payout)).toMatchObject({ answer: 'outcome', outcome: { status: 'COMPLETED' } })
  expect(await adapter.submit(payout)).toMatchObject({ answer: currency === 'ZMW' ? 'unreachable' : 'accepted' })
  expect(await adapter.query(payout)).toEqual({ knows: 'outcome', outcome: { status: 'COMPLETED' } })
  const collection = order('COLLECTION', given)
  await adapter.submit(collection)
  await adapter.submit(collection)
  simulator.lifecycle.decide(simulator.world.orders.all().at(-1)!, 'approved')
  const paid = await adapter.query(collection)
  const externalIds = paid.knows === 'outcome' ? (paid.receipts ?? {}) : {}
  const refund = { ...collection, collection: { orderId: collection.orderId, amount: collection.amount, externalIds } }
  expect(await adapter.refund!(refund)).toMatchObject({ answer: 'outcome', outcome: { status: 'COMPLETED' } })
  expect(await adapter.refund!(refund)).toMatchObject({ answer: 'unreachable' })
  expect(simulator.world.orders.all().map(({ moved }) => moved)).toEqual([1, 1, 1])
})

test('a payout without float fails, and TF in the answer is asked about once more', async () => {
  const { adapter } = await connected({ openingBalance: '100' })
  const payout = order('PAYOUT')
  expect(await adapter.submit(payout)).toEqual({ answer: 'accepted' })
  expect(await adapter.query(payout)).toMatchObject({ outcome: { status: 'FAILED', code: 'operator_error' } })
})

test.each([
  ['a PIN that is not ours', { pin: '0000' }],
  ['the wrong padding', { pin_padding: 'oaep' }],
])('%s pays nothing, and says so at once', async (_what, settings) => {
  const { simulator, adapter } = await connected({ settings })
  expect(await adapter.submit(order('PAYOUT'))).toMatchObject({ answer: 'refused', code: 'operator_error' })
  expect(simulator.world.orders.all()).toEqual([])
})

test('what is signed with other bytes, or not at all, is not taken', async () => {
  const { simulator, adapter } = await connected({ isSigned: true, settings: { signed_calls: 'none' } })
  expect(await adapter.submit(order('COLLECTION'))).toMatchObject({ answer: 'unreachable' })
  expect(simulator.world.orders.all()).toEqual([])
})

test('a number with its country code is refused by the operator', async () => {
  const { simulator } = await connected()
  const { access_token: token } = (await (
    await fetch(`${simulator.url}/auth/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: simulator.open.railSettings['client_id'],
        client_secret: simulator.open.railSettings['client_secret'],
        grant_type: 'client_credentials',
      }),
    })
  ).json()) as { readonly access_token: string }
  const country = { country: 'UG', currency: 'UGX' }
  const reply = await fetch(`${simulator.url}/merchant/v1/payments/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-country': 'UG',
      'x-currency': 'UGX',
    },
    body: JSON.stringify({
      reference: 'Order1042',
      subscriber: { ...country, msisdn: '256752000123' },
      transaction: { ...country, amount: 5000, id: 'a1b2c3d4' },
    }),
  })
  expect([reply.status, await reply.json()]).toMatchObject([400, { status: { success: false } }])
})

test.each([[true], [false]])(
  'reports once at the one address of the application, hash: %s',
  async (hashesCallbacks) => {
    const { url, received } = await receiver()
    const { simulator, adapter } = await connected({ hashesCallbacks })
    await fetch(`${simulator.url}/simulator/callback-url`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${url}/account/callback` }),
    })
    const collection = order('COLLECTION')
    await adapter.submit(collection)
    simulator.lifecycle.decide(simulator.world.orders.all()[0]!, 'approved')
    await simulator.callbacks.idle()
    expect(received).toHaveLength(1)
    const body = JSON.stringify(received[0]?.body)
    expect(adapter.readCallback({ method: 'POST', tail: 'callback', body })).toMatchObject({
      orderId: collection.orderId,
      outcome: { status: 'COMPLETED' },
    })
    expect(body.includes('"hash"')).toBe(hashesCallbacks)
  },
)

test('quirks change what an answer says, and no verdict', async () => {
  const quirk = (name: string, operation: string): Scenario => ({ on: { operation }, effect: { do: 'quirk', name } })
  const { simulator, adapter } = await connected()
  simulator.scenarios.add([quirk('says_ts', 'collect'), quirk('ambiguous', 'getCollectionStatus')])
  const collection = order('COLLECTION')
  expect(await adapter.submit(collection)).toEqual({ answer: 'accepted' })
  expect(await adapter.query(collection)).toEqual({ knows: 'in_progress' })
})

test('the list is a statement of what was collected, and the wallet has a balance', async () => {
  const { simulator, adapter } = await connected()
  const [collection, payout] = [order('COLLECTION'), order('PAYOUT')]
  for (const each of [collection, payout]) await adapter.submit(each)
  simulator.lifecycle.decide(
    simulator.world.orders.find('collection', collection.orderId.replaceAll('-', ''))!,
    'approved',
  )
  const now = simulator.world.clock.now()
  const lines = []
  for await (const line of adapter.statement!(new Date(now.getTime() - 60_000), new Date(now.getTime() + 60_000)))
    lines.push(line)
  expect(lines).toMatchObject([{ ourReference: collection.orderId, direction: 'in', amount: collection.amount }])
  expect(await adapter.balances()).toEqual([{ account: 'wallet', isFloat: true, available: money(1_000_000n, 'UGX') }])
  expect(await adapter.holder!('256752000123')).toMatchObject({ knows: 'active', name: expect.any(String) })
})

test('a token lives for three minutes', async () => {
  const { simulator, adapter } = await connected()
  await adapter.balances()
  await advance(simulator, 200_000)
  await adapter.balances()
  expect(simulator.world.exchanges.all().filter(({ operation }) => operation === 'createToken')).toHaveLength(2)
})
