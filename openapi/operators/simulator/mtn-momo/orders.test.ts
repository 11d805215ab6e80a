import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { ANYBODY, collectionOf, mtnCaller } from './testing/mtn-caller.ts'
import { advance, postForm, receiver, simulatedMtn, reportedBy } from '../testing/simulated.ts'

const SUBMIT = '/collection/v1_0/requesttopay'
const payer = (partyId: string) => ({ partyIdType: 'MSISDN', partyId })

test('a collection waits for its phone, and pays when the customer approves', async () => {
  const simulator = await simulatedMtn()
  const mtn = mtnCaller(simulator)
  const { id, status, body } = await mtn.collect()
  expect({ status, body }).toEqual({ status: 202, body: undefined })
  expect((await mtn.call('GET', `${SUBMIT}/${id}`)).body).toEqual({ ...collectionOf(), status: 'PENDING' })

  await postForm(`${simulator.url}/phone/${ANYBODY}`, { order: id, decision: 'approved', pin: '1234' })
  expect((await mtn.call('GET', `${SUBMIT}/${id.toUpperCase()}`)).body).toEqual({
    ...collectionOf(),
    status: 'SUCCESSFUL',
    financialTransactionId: expect.stringMatching(/^\d+$/),
  })
  const { body: balance } = await mtn.call('GET', '/collection/v1_0/account/balance')
  expect(balance).toEqual({ availableBalance: '6000', currency: 'EUR' })
})

test('a customer who does nothing for five minutes has not paid', async () => {
  const simulator = await simulatedMtn()
  const mtn = mtnCaller(simulator)
  const { id } = await mtn.collect()
  await advance(simulator, 5 * 60_000 - 1)
  expect((await mtn.call('GET', `${SUBMIT}/${id}`)).body).toMatchObject({ status: 'PENDING' })
  await advance(simulator, 1)
  expect((await mtn.call('GET', `${SUBMIT}/${id}`)).body).toMatchObject({ status: 'FAILED', reason: 'EXPIRED' })
})

test('an approved payment does not expire afterwards', async () => {
  const simulator = await simulatedMtn()
  const { id } = await mtnCaller(simulator).collect()
  await postForm(`${simulator.url}/phone/${ANYBODY}`, { order: id, decision: 'approved', pin: '1234' })
  await advance(simulator, 10 * 60_000)
  const { orders } = await reportedBy<{ orders: { state: string; history: { text: string }[] }[] }>(
    simulator,
    '/simulator/orders',
  )
  expect(orders).toMatchObject([{ state: 'succeeded' }])
  expect(orders[0]?.history.map(({ text }) => text)).toEqual([
    'taken',
    'the customer: approved',
    expect.stringMatching(/^money moved/),
  ])
})

test('a repeated id is 409, in any case, and money moves once', async () => {
  const simulator = await simulatedMtn({ auto: true })
  const mtn = mtnCaller(simulator)
  const { id } = await mtn.collect()
  const again = await mtn.collect({}, { 'x-reference-id': id.toUpperCase() })
  expect(again).toMatchObject({ status: 409, body: { code: 'RESOURCE_ALREADY_EXIST' } })
  await advance(simulator, 10_000)
  expect(await reportedBy(simulator, '/simulator/orders')).toMatchObject({ moved: 1, moved_more_than_once: [] })
})

test('two orders for one reference of the merchant are listed as a double charge', async () => {
  const simulator = await simulatedMtn({ auto: true })
  const mtn = mtnCaller(simulator)
  await mtn.collect({ externalId: 'twice' })
  await mtn.collect({ externalId: 'twice' })
  await mtn.collect({ externalId: 'once' })
  await advance(simulator, 10_000)
  expect(await reportedBy(simulator, '/simulator/orders')).toMatchObject({ moved: 3, moved_more_than_once: ['twice'] })
})

test.each([
  ['an id that is no UUID of version 4', {}, { 'x-reference-id': '3fd0c5b2-7a1e-1c0d-9b77-5c9f6f1f0a11' }, 400],
  ['an apostrophe', { payerMessage: "Grandma's tea" }, {}, 400],
  ['a text of 161 characters', { payeeNote: 'x'.repeat(161) }, {}, 400],
  ['no currency', { currency: undefined }, {}, 400],
  ['a field that there is not', { reference: 'x' }, {}, 400],
  ['an amount that is no text', { amount: 5000 }, {}, 400],
  ['an empty X-Callback-Url', {}, { 'x-callback-url': '' }, 400],
  ['another currency than EUR in the sandbox', { currency: 'UGX' }, {}, 500, 'INVALID_CURRENCY'],
  ['another environment', {}, { 'x-target-environment': 'mtnuganda' }, 500, 'NOT_ALLOWED_TARGET_ENVIRONMENT'],
  [
    'a callback to another host',
    {},
    { 'x-callback-url': 'http://elsewhere.example/x' },
    500,
    'INVALID_CALLBACK_URL_HOST',
  ],
  ['a wrong subscription key', {}, { 'ocp-apim-subscription-key': 'wrong' }, 401],
  ['no subscription key', {}, { 'ocp-apim-subscription-key': undefined }, 401],
  ['a wrong token', {}, { authorization: 'Bearer wrong' }, 401],
])('refuses %s, and accepts nothing', async (_what, order, headers, status, code?: string) => {
  const simulator = await simulatedMtn()
  const answer = await mtnCaller(simulator).collect(order, headers)
  expect(answer.status).toBe(status)
  if (code !== undefined) expect(answer.body).toMatchObject({ code })
  else expect(answer.body).toMatchObject({ statusCode: status })
  expect(simulator.world.orders.all()).toEqual([])
})

test('a rail account of a country has its environment and currency', async () => {
  const simulator = await simulatedMtn({ environment: 'mtnuganda', currency: 'UGX', auto: true })
  const mtn = mtnCaller(simulator, 'mtnuganda')
  expect((await mtn.collect({ currency: 'UGX' })).status).toBe(202)
  expect((await mtn.collect({ currency: 'EUR' })).body).toMatchObject({ code: 'INVALID_CURRENCY' })
})

test('puts the verdict to the address of the order, as in the status query', async () => {
  const simulator = await simulatedMtn({ auto: true })
  const merchant = await receiver()
  const mtn = mtnCaller(simulator)
  const { id } = await mtn.collect({}, { 'x-callback-url': `${merchant.url}/rails/some-id` })
  await advance(simulator, 10_000)
  const { body } = await mtn.call('GET', `${SUBMIT}/${id}`)
  expect(merchant.received).toEqual([{ method: 'PUT', path: '/rails/some-id', body }])
})

test('sends nothing when no address was given', async () => {
  const simulator = await simulatedMtn({ auto: true })
  await mtnCaller(simulator).collect()
  await advance(simulator, 10_000)
  expect(simulator.world.exchanges.all().filter(({ direction }) => direction === 'out')).toEqual([])
})

test('a transfer pays out without a phone, until the account is empty', async () => {
  const simulator = await simulatedMtn()
  const mtn = mtnCaller(simulator)
  const { id } = await mtn.payOut({ amount: '999999.5' })
  const second = await mtn.payOut({ amount: '1' })
  await advance(simulator, 10_000)
  const { body } = await mtn.call('GET', `/disbursement/v1_0/transfer/${id}`)
  expect(body).toMatchObject({ status: 'SUCCESSFUL', payee: payer(ANYBODY) })
  const { body: refused } = await mtn.call('GET', `/disbursement/v1_0/transfer/${second.id}`)
  expect(refused).toMatchObject({ status: 'FAILED', reason: 'NOT_ENOUGH_FUNDS' })
  const { body: balance } = await mtn.call('GET', '/disbursement/v1_0/account/balance')
  expect(balance).toEqual({ availableBalance: '0.5', currency: 'EUR' })
})

test('a deposit pays out like a transfer, under paths of its own', async () => {
  const simulator = await simulatedMtn()
  const mtn = mtnCaller(simulator)
  const body = { amount: '5', currency: 'EUR', externalId: 'x', payee: payer(ANYBODY) }
  const headers = { 'x-reference-id': randomUUID() }
  expect(await mtn.call('POST', '/disbursement/v1_0/deposit', { body, headers })).toMatchObject({ status: 202 })
  await advance(simulator, 10_000)
  const { body: found } = await mtn.call('GET', `/disbursement/v1_0/deposit/${headers['x-reference-id']}`)
  expect(found).toMatchObject({ status: 'SUCCESSFUL', payee: payer(ANYBODY) })
})

test('a refund goes back to the payer, once', async () => {
  const simulator = await simulatedMtn({ auto: true })
  const mtn = mtnCaller(simulator)
  const { id } = await mtn.collect({ payer: payer('256770000001') })
  await advance(simulator, 10_000)
  const refund = (amount: string) => {
    const order = { amount, currency: 'EUR', externalId: `refund ${amount}`, referenceIdToRefund: id }
    const reference = randomUUID()
    const headers = { 'x-reference-id': reference }
    return mtn
      .call('POST', '/disbursement/v1_0/refund', { body: order, headers })
      .then(({ status }) => ({ status, reference }))
  }
  const [first, second] = [await refund('4000'), await refund('1001')]
  expect([first.status, second.status]).toEqual([202, 202])
  await advance(simulator, 10_000)
  const { body } = await mtn.call('GET', `/disbursement/v1_0/refund/${first.reference}`)
  expect(body).toMatchObject({ status: 'SUCCESSFUL', amount: '4000' })
  // More than the payment cannot be refunded.
  const { body: tooMuch } = await mtn.call('GET', `/disbursement/v1_0/refund/${second.reference}`)
  expect(tooMuch).toMatchObject({ status: 'FAILED', reason: 'NOT_ALLOWED' })
  expect(simulator.world.phones.messages('256770000001')).toHaveLength(3)
})

test('an unknown id is RESOURCE_NOT_FOUND, and so is one of another kind', async () => {
  const mtn = mtnCaller(await simulatedMtn())
  const { id } = await mtn.collect()
  for (const path of [
    `${SUBMIT}/${randomUUID()}`,
    `/disbursement/v1_0/transfer/${id}`,
    `/disbursement/v1_0/refund/${id}`,
  ])
    expect(await mtn.call('GET', path)).toMatchObject({ status: 404, body: { code: 'RESOURCE_NOT_FOUND' } })
  expect((await mtn.call('GET', `${SUBMIT}/not-a-uuid`)).status).toBe(400)
})

test('the payer gets a text of at most 160 characters', async () => {
  const simulator = await simulatedMtn()
  const mtn = mtnCaller(simulator)
  const { id } = await mtn.collect()
  const notify = (notificationMessage: string) =>
    mtn.call('POST', `${SUBMIT}/${id}/deliverynotification`, { body: { notificationMessage } })
  expect((await notify('Your invoice 1042 is paid')).status).toBe(200)
  expect((await notify('x'.repeat(161))).status).toBe(400)
  expect(simulator.world.phones.messages(ANYBODY).map(({ text }) => text)).toEqual(['Your invoice 1042 is paid'])
})
