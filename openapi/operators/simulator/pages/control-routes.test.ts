import { expect, test } from 'vitest'
import type { Effect } from '../scenarios/effects.ts'
import { BUILT_IN_CREDENTIALS } from '../mtn-momo/credentials.ts'
import { mtnCaller } from '../mtn-momo/testing/mtn-caller.ts'
import { advance, receiver, simulatedMtn, reportedBy } from '../testing/simulated.ts'

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

const errorsOf = async (response: Response) => ((await response.json()) as { errors: string[] }).errors

test('adds scenarios, lists their remaining calls, and removes them', async () => {
  const simulator = await simulatedMtn()
  const path = `${simulator.url}/simulator/scenarios`
  const scenario = { on: { operation: 'requestToPay' }, times: 2, effect: { do: 'refuse', code: 'NOT_ALLOWED' } }
  const added = await post(path, scenario)
  expect([added.status, await added.json()]).toEqual([201, { scenarios: [{ id: 1, left: 2, skips: 0, scenario }] }])
  await mtnCaller(simulator).collect()
  expect(await reportedBy(simulator, '/simulator/scenarios')).toMatchObject({ scenarios: [{ id: 1, left: 1 }] })
  expect((await fetch(`${path}/1`, { method: 'DELETE' })).status).toBe(204)
  expect((await fetch(`${path}/1`, { method: 'DELETE' })).status).toBe(404)
  const wrong = await post(path, { effect: { do: 'refuse', code: 'X' }, on: { operation: 'collect' } })
  expect([wrong.status, await errorsOf(wrong)]).toEqual([
    400,
    [expect.stringMatching(/^scenarios\[0]\.on\.operation is none of createApiUser, /)],
  ])
})

test('serves the schema of scenarios', async () => {
  const simulator = await simulatedMtn()
  expect(await reportedBy(simulator, '/simulator/scenarios/schema')).toMatchObject({ required: ['scenarios'] })
})

test('the clock moves by whole milliseconds only', async () => {
  const { url } = await simulatedMtn()
  for (const body of [{}, { advance_ms: -1 }, { advance_ms: '5' }, { advance_ms: 1.5 }, null])
    expect(await errorsOf(await post(`${url}/simulator/clock`, body))).toEqual([
      'advance_ms is a whole number of milliseconds, 0 or more',
    ])
})

test('the log shows requests and callbacks, and only the beginning of secrets', async () => {
  const simulator = await simulatedMtn({ auto: true })
  const merchant = await receiver(500)
  const { id } = await mtnCaller(simulator).collect({}, { 'x-callback-url': `${merchant.url}/x` })
  await advance(simulator, 10_000)
  const text = await (await fetch(`${simulator.url}/simulator/exchanges`)).text()
  const { exchanges } = JSON.parse(text) as { exchanges: Record<string, unknown>[] }
  expect(exchanges.map(({ direction, operation, status }) => [direction, operation, status])).toEqual([
    ['out', 'requestToPayCallbackByPut', 500],
    ['in', 'requestToPay', 202],
    ['in', 'createCollectionToken', 200],
  ])
  expect(exchanges[1]).toMatchObject({ request_headers: { 'x-reference-id': id }, faults: [] })
  const { subscriptionKey, apiUser, apiKey } = BUILT_IN_CREDENTIALS.collection
  const basic = Buffer.from(`${apiUser}:${apiKey}`).toString('base64')
  for (const secret of [subscriptionKey, apiKey, basic]) expect(text).not.toContain(secret)
  expect(exchanges[2]).toMatchObject({ response_body: { access_token: expect.stringMatching(/^.{4}…$/) } })
})

test('logs a callback that nobody accepts, with its cause', async () => {
  const simulator = await simulatedMtn({ auto: true })
  await mtnCaller(simulator).collect({}, { 'x-callback-url': 'http://127.0.0.1:9/x' })
  await advance(simulator, 10_000)
  expect(simulator.world.exchanges.all()[0]).toMatchObject({
    direction: 'out',
    status: undefined,
    note: expect.stringContaining('not delivered'),
  })
})

test('the statement has the bookings of a period, with planted differences', async () => {
  const simulator = await simulatedMtn({ auto: true })
  const mtn = mtnCaller(simulator)
  const plants: readonly (Effect | undefined)[] = [
    undefined,
    { do: 'plant', difference: 'missing' },
    { do: 'plant', difference: 'doubled' },
    { do: 'plant', difference: 'amount', value: '4999' },
    { do: 'plant', difference: 'fee', value: '12.5' },
    { do: 'plant', difference: 'late' },
  ]
  for (const plant of plants) {
    if (plant) simulator.scenarios.add([{ effect: plant }])
    await mtn.collect({ externalId: plant?.do === 'plant' ? plant.difference : 'plain, "quoted"' })
  }
  await mtn.payOut({ externalId: 'out' })
  const before = simulator.world.clock.now()
  await advance(simulator, 10_000)
  const csv = async (query = '') => {
    const response = await fetch(`${simulator.url}/simulator/statement.csv${query}`)
    const [header = '', ...lines] = (await response.text()).trimEnd().split('\r\n')
    return { status: response.status, header, lines }
  }
  const { header, lines } = await csv()
  expect(header).toBe(
    'Date,Financial Transaction Id,External Id,Reference Id,Type,Direction,MSISDN,Amount,Fee,Currency,Balance',
  )
  expect(
    lines.map((line) =>
      line
        .replace(/^[^,]+,\d+,/, '')
        .replace(/,[0-9a-f-]{36},/, ' ')
        .replace(/,EUR,.*/, ''),
    ),
  ).toEqual([
    '"plain, ""quoted""" collection,IN,46733123499,5000,0',
    'doubled collection,IN,46733123499,5000,0',
    'doubled collection,IN,46733123499,5000,0',
    'amount collection,IN,46733123499,4999,0',
    'fee collection,IN,46733123499,5000,12.5',
    'out transfer,OUT,46733123499,5000,0',
    'late collection,IN,46733123499,5000,0',
  ])
  const nextDay = new Date(before.getTime() + 60_000).toISOString()
  expect((await csv(`?to=${nextDay}`)).lines).toHaveLength(6)
  expect((await csv(`?from=${nextDay}`)).lines).toHaveLength(1)
  expect((await csv(`?account=disbursement`)).lines).toHaveLength(1)
  expect((await csv('?from=yesterday')).status).toBe(400)
  // Only the statement is wrong: the money moved as ordered.
  expect(await reportedBy(simulator, '/simulator/orders')).toMatchObject({ moved: 7, moved_more_than_once: [] })
})

test('sets balances of accounts and of customers', async () => {
  const simulator = await simulatedMtn({ auto: true })
  const set = (body: unknown) => post(`${simulator.url}/simulator/accounts`, body)
  expect((await set({ account: 'collection', balance: '0' })).status).toBe(200)
  expect((await set({ msisdn: '46733123499', balance: '4999.99' })).status).toBe(200)
  expect(await errorsOf(await set({ account: 'savings', balance: '1' }))).toEqual([
    'account is one of collection, disbursement, remittance, or msisdn is there',
  ])
  expect(await errorsOf(await set({ account: 'collection', balance: 1 }))).toEqual([
    'balance is a decimal number in main units, as a text',
  ])
  await mtnCaller(simulator).collect()
  await advance(simulator, 10_000)
  expect(await reportedBy(simulator, '/simulator/orders')).toMatchObject({
    moved: 0,
    orders: [{ code: 'NOT_ENOUGH_FUNDS' }],
  })
})

test('a page of another site cannot move the clock or answer for a customer', async () => {
  const { url } = await simulatedMtn()
  for (const path of ['/simulator/clock', '/phone/46733123499'])
    expect((await post(`${url}${path}`, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
})

test('refuses a path that the operator does not have in its own form', async () => {
  const { url } = await simulatedMtn()
  const response = await fetch(`${url}/collection/token`, { method: 'POST' })
  expect([response.status, await response.json()]).toEqual([404, { statusCode: 404, message: 'Resource not found' }])
  expect((await fetch(`${url}/collection/v1_0/requesttopay`, { method: 'DELETE' })).status).toBe(405)
})
