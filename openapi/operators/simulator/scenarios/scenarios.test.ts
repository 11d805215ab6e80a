import { expect, test } from 'vitest'
import type { Exchange } from '../world/exchanges.ts'
import { ANYBODY, mtnCaller } from '../mtn-momo/testing/mtn-caller.ts'
import { advance, receiver, simulatedMtn, reportedBy } from '../testing/simulated.ts'
import type { Effect } from './effects.ts'

const SUBMIT = '/collection/v1_0/requesttopay'
const on = { operation: 'requestToPay' }
const once = (effect: Effect) => [{ on, effect }]

/** An MTN simulator with this effect on the next collection, and a caller that has its token. */
async function mtnThat(effect: Effect, operation = 'requestToPay', auto = false) {
  const simulator = await simulatedMtn({ auto, scenarios: [{ on: { operation }, effect }] })
  return { simulator, mtn: mtnCaller(simulator) }
}

test.each<[Effect, number, unknown]>([
  [{ do: 'refuse', code: 'PAYER_NOT_FOUND' }, 500, { code: 'PAYER_NOT_FOUND', message: expect.any(String) }],
  [{ do: 'refuse', code: 'NEVER_HEARD_OF', status: 503 }, 503, { code: 'NEVER_HEARD_OF', message: 'NEVER_HEARD_OF' }],
  [{ do: 'refuse', code: 'ADDRESS', status: 403, message: 'no' }, 403, { statusCode: 403, message: 'no' }],
  [{ do: 'unauthorized' }, 401, expect.objectContaining({ statusCode: 401 })],
  [{ do: 'empty' }, 200, undefined],
  [{ do: 'html' }, 502, expect.stringContaining('<h1>502 Bad Gateway</h1>')],
  [{ do: 'answer', status: 202, body: { status: 'FINE' } }, 202, { status: 'FINE' }],
])('answers with %j once and accepts no order; then all is as before', async (effect, status, body) => {
  const { simulator, mtn } = await mtnThat(effect)
  expect(await mtn.collect()).toMatchObject({ status, body })
  expect(simulator.world.orders.all()).toEqual([])
  expect((await mtn.collect()).status).toBe(202)
})

test.each<Effect>([
  { do: 'empty', when: 'after', status: 200 },
  { do: 'html', when: 'after' },
])('%j hides that the order was accepted', async (effect) => {
  const { mtn } = await mtnThat(effect)
  const { id } = await mtn.collect()
  expect((await mtn.collect({}, { 'x-reference-id': id })).status).toBe(409)
})

test.each([
  ['before', 0],
  ['after', 1],
] as const)('a connection closed %s the order was accepted leaves %i orders', async (when, orders) => {
  const { simulator, mtn } = await mtnThat({ do: 'close', when })
  await expect(mtn.collect()).rejects.toThrow('fetch failed')
  expect(simulator.world.orders.all()).toHaveLength(orders)
})

test.each([
  ['before', 0],
  ['after', 1],
] as const)('a call that hangs %s the order was accepted ends by the client’s time-out', async (when, orders) => {
  const { simulator, mtn } = await mtnThat({ do: 'hang', when })
  const settled = await Promise.race([mtn.collect().catch(() => 'failed'), seen(simulator.world.exchanges.all)])
  expect(settled).toBe('seen')
  expect(simulator.world.orders.all()).toHaveLength(orders)
})

/** Resolves when the collection was logged: there is no reply to wait for. */
async function seen(all: () => readonly Exchange[]): Promise<'seen'> {
  while (!all().some(({ operation }) => operation === 'requestToPay')) await new Promise(setImmediate)
  return 'seen'
}

test('a truncated reply ends in the middle, a slow drip comes whole', async () => {
  const query = 'getRequestToPayStatus'
  const { simulator, mtn } = await mtnThat({ do: 'truncate', bytes: 10 }, query)
  const { id } = await mtn.collect()
  await expect(mtn.call('GET', `${SUBMIT}/${id}`)).rejects.toThrow('terminated')
  simulator.scenarios.add([{ on: { operation: query }, effect: { do: 'drip', ms_per_byte: 1 } }])
  expect((await mtn.call('GET', `${SUBMIT}/${id}`)).body).toMatchObject({ status: 'PENDING' })
})

test('a lie changes the reply and nothing else', async () => {
  const set = { amount: '1', currency: 'USD', status: 'TIMEOUT', payer: { partyId: '1' }, payeeNote: null }
  const { simulator, mtn } = await mtnThat({ do: 'lie', set }, 'getRequestToPayStatus')
  const { id } = await mtn.collect()
  const { body: lie } = await mtn.call('GET', `${SUBMIT}/${id}`)
  expect(lie).toMatchObject({
    amount: '1',
    currency: 'USD',
    status: 'TIMEOUT',
    payer: { partyIdType: 'MSISDN', partyId: '1' },
  })
  expect(lie).not.toHaveProperty('payeeNote')
  expect((await mtn.call('GET', `${SUBMIT}/${id}`)).body).toMatchObject({ amount: '5000', status: 'PENDING' })
  expect(simulator.world.exchanges.all().map(({ note }) => note)).toContain('scenario: lie')
})

test('settles an order without its phone, as paid or failed', async () => {
  const { simulator, mtn } = await mtnThat({ do: 'settle', as: 'failed', code: 'PAYER_LIMIT_REACHED', after_ms: 500 })
  const { id } = await mtn.collect()
  await advance(simulator, 499)
  expect((await mtn.call('GET', `${SUBMIT}/${id}`)).body).toMatchObject({ status: 'PENDING' })
  await advance(simulator, 1)
  expect((await mtn.call('GET', `${SUBMIT}/${id}`)).body).toMatchObject({ reason: 'PAYER_LIMIT_REACHED' })
})

test('an order that stays pending is still there the next day', async () => {
  const { simulator, mtn } = await mtnThat({ do: 'stay' }, 'requestToPay', true)
  const { id } = await mtn.collect()
  await advance(simulator, 86_400_000)
  simulator.scenarios.clear()
  expect(simulator.world.orders.find('collection', id)?.state).toBe('waiting')
})

test('a scenario matches calls of its operation and number only, after those it skips', async () => {
  const simulator = await simulatedMtn({
    scenarios: [{ on: { ...on, msisdn: ANYBODY }, skip: 1, times: 2, effect: { do: 'refuse', code: 'NOT_ALLOWED' } }],
  })
  const mtn = mtnCaller(simulator)
  const other = { payer: { partyIdType: 'MSISDN', partyId: '256770000001' } }
  const statuses = [await mtn.collect(other)]
  for (let call = 0; call < 4; call++) statuses.push(await mtn.collect())
  expect(statuses.map(({ status }) => status)).toEqual([202, 202, 500, 500, 202])
})

test('a scenario about a number also matches queries about its order', async () => {
  const simulator = await simulatedMtn()
  const mtn = mtnCaller(simulator)
  const { id } = await mtn.collect()
  simulator.scenarios.add([{ on: { msisdn: ANYBODY }, times: 'always', effect: { do: 'html' } }])
  expect((await mtn.call('GET', `${SUBMIT}/${id}`)).status).toBe(502)
  expect((await mtn.call('GET', '/collection/v1_0/account/balance')).status).toBe(200)
})

test('callbacks follow a scenario’s number, delay and method', async () => {
  const simulator = await simulatedMtn({
    auto: true,
    scenarios: once({ do: 'callback', times: 2, every_ms: 180_000, after_ms: 1_000, method: 'POST' }),
  })
  const merchant = await receiver()
  await mtnCaller(simulator).collect({}, { 'x-callback-url': `${merchant.url}/x` })
  await advance(simulator, 2_999)
  expect(merchant.received).toEqual([])
  await advance(simulator, 1)
  expect(merchant.received).toMatchObject([{ method: 'POST', body: { status: 'SUCCESSFUL' } }])
  await advance(simulator, 180_000)
  expect(merchant.received).toHaveLength(2)
})

test('a callback can come before the reply, while the query still says PENDING', async () => {
  const simulator = await simulatedMtn({
    scenarios: [...once({ do: 'callback', before_reply: true }), ...once({ do: 'lag', ms: 60_000 })],
  })
  const merchant = await receiver()
  const mtn = mtnCaller(simulator)
  const { id } = await mtn.collect({}, { 'x-callback-url': `${merchant.url}/x` })
  expect(merchant.received).toMatchObject([{ body: { status: 'SUCCESSFUL' } }])
  const query = async () => ((await mtn.call('GET', `${SUBMIT}/${id}`)).body as { status: string }).status
  expect(await query()).toBe('PENDING')
  await advance(simulator, 60_000)
  expect(await query()).toBe('SUCCESSFUL')
})

test('sends no callback, a wrong one, and a forged one before the customer’s reply', async () => {
  const simulator = await simulatedMtn({ auto: true, scenarios: once({ do: 'callback', times: 0 }) })
  const merchant = await receiver()
  const mtn = mtnCaller(simulator)
  await mtn.collect({}, { 'x-callback-url': `${merchant.url}/none` })
  simulator.scenarios.add(once({ do: 'callback', set: { amount: '1' } }))
  await mtn.collect({}, { 'x-callback-url': `${merchant.url}/wrong` })
  simulator.scenarios.add([...once({ do: 'stay' }), ...once({ do: 'forge', set: { status: 'SUCCESSFUL' } })])
  await mtn.collect({}, { 'x-callback-url': `${merchant.url}/forged` })
  await advance(simulator, 10_000)
  expect(merchant.received.map(({ path, body }) => [path, (body as { amount: string }).amount])).toEqual(
    expect.arrayContaining([
      ['/wrong', '1'],
      ['/forged', '5000'],
    ]),
  )
  expect(merchant.received).toHaveLength(2)
  expect(await reportedBy(simulator, '/simulator/orders')).toMatchObject({ moved: 2 })
})

test("MTN's quirks: form of a reason, an invisible order, a refused token", async () => {
  const simulator = await simulatedMtn({
    scenarios: [
      { on: { operation: 'createCollectionToken' }, effect: { do: 'quirk', name: 'login_failed_500' } },
      ...once({ do: 'quirk', name: 'reason_object' }),
      ...once({ do: 'settle', as: 'failed', code: 'EXPIRED' }),
      { on: { operation: 'getRequestToPayStatus' }, effect: { do: 'quirk', name: 'not_visible' } },
      { on: { operation: 'isCollectionHolderActive' }, effect: { do: 'quirk', name: 'holder_active', value: 'text' } },
    ],
  })
  const first = mtnCaller(simulator)
  expect((await first.call('GET', '/collection/v1_0/account/balance')).status).toBe(401)
  const mtn = mtnCaller(simulator)
  const { id } = await mtn.collect()
  await advance(simulator, 1)
  expect((await mtn.call('GET', `${SUBMIT}/${id}`)).body).toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
  const { body } = await mtn.call('GET', `${SUBMIT}/${id}`)
  expect(body).toMatchObject({ reason: { code: 'EXPIRED', message: expect.any(String) } })
  expect((await mtn.call('GET', `/collection/v1_0/accountholder/msisdn/${ANYBODY}/active`)).body).toBe('true')
})
