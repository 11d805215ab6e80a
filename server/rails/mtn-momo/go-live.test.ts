import { describe, expect, test } from 'vitest'
import type { RailOrder } from '../../actions/ports/rail.ts'
import type { FailureCode } from '../../domain/failure-code.ts'
import { PRODUCTS } from './settings.ts'
import { NUMBERS, SIDES, startSimulatedMtn, type SimulatedMtn } from './testing/simulated-mtn.ts'

// MTN's own list of what a product must pass before it goes live, against the simulator: the rail's result, and the
// HTTP status that MTN's list names.

const PAID = { knows: 'outcome', outcome: { status: 'COMPLETED' } }
const failed = (...codes: readonly FailureCode[]) => ({
  knows: 'outcome',
  outcome: { status: 'FAILED', code: expect.toBeOneOf([...codes]) as FailureCode },
})

const WRONG_KEY = 'no-such-key'
const WRONG = {
  'subscription key': { subscriptionKey: WRONG_KEY },
  environment: { settings: { target_environment: 'nowhere' } },
}
/** What MTN refuses a call with, for each of them. */
const REFUSALS = [
  ['subscription key', 401, { answer: 'not_sent' }],
  ['environment', 500, { answer: 'refused', code: 'operator_error' }],
] as const

/** An order that was approved. */
async function sent(mtn: SimulatedMtn): Promise<RailOrder> {
  const order = mtn.order('approves')
  expect(await mtn.endOf(mtn.connected().adapter, order)).toMatchObject(PAID)
  return order
}

describe.each(PRODUCTS)('%s', (product) => {
  const { path, tail } = SIDES[product]
  const balance = `GET /${product}/v1_0/account/balance`
  const ofPayer = product === 'collection'

  test.each([
    ['subscription_key', /^HTTP 401/],
    ['api_key', /^HTTP (401|500)/],
  ])('a token with a wrong %s', async (setting, detail) => {
    const { adapter, seen } = (await startSimulatedMtn(product)).connected({
      settings: { [`${product}_${setting}`]: WRONG_KEY },
    })
    expect((await adapter.check({}))[0]).toMatchObject({ ok: false, detail: expect.stringMatching(detail) as string })
    expect(seen).toEqual([expect.stringMatching(`^POST /${product}/token/ `)])
  })

  test.each([
    ['approved', 'approves', PAID],
    ['rejected', 'rejects', failed('declined')],
    ['not answered in time', 'lets_expire', failed('expired')],
    // The code with it varies: the sandbox has INTERNAL_PROCESSING_ERROR for payers.
    [
      'not enough money',
      'without_money',
      failed('operator_error', ...(ofPayer ? ['insufficient_funds' as const] : [])),
    ],
    [ofPayer ? 'an unknown payer' : 'an unknown payee', 'unknown', failed('account_not_found')],
    ['over the daily limit', 'over_limit', failed('limit_reached')],
  ] as const)('an order that is %s', async (_what, behaviour, end) => {
    const mtn = await startSimulatedMtn(product)
    expect(await mtn.endOf(mtn.connected().adapter, mtn.order(behaviour))).toMatchObject(end)
  })

  test('the same id twice', async () => {
    const mtn = await startSimulatedMtn(product)
    const { adapter, seen } = mtn.connected()
    const order = mtn.order('approves')
    expect(await adapter.submit(order)).toEqual({ answer: 'accepted' })
    expect(await mtn.endOf(adapter, order)).toMatchObject(PAID)
    expect(seen.filter((call) => call.startsWith(`POST ${path}`))).toEqual([`POST ${path} 202`, `POST ${path} 409`])
  })

  test.each(REFUSALS)('POST and GET with a wrong %s', async (what, status, refused) => {
    const mtn = await startSimulatedMtn(product)
    const order = await sent(mtn)
    const { adapter, seen } = mtn.connected(WRONG[what])
    expect(await adapter.submit(mtn.order('approves'))).toMatchObject(refused)
    expect(seen.at(-1)).toBe(`POST ${path} ${status}`)
    expect(await adapter.query(order)).toMatchObject({ knows: 'unreachable' })
    expect(seen.at(-1)).toBe(`GET ${path} ${status}`)
    await expect(adapter.balances()).rejects.toThrow(`HTTP ${status}`)
    expect(seen.at(-1)).toBe(`${balance} ${status}`)
  })

  test('POST and GET with a token that is no longer good', async () => {
    const mtn = await startSimulatedMtn(product)
    const { adapter, seen } = mtn.connected()
    await adapter.balances()
    mtn.spoilTokens()
    const order = mtn.order('approves')
    expect(await mtn.endOf(adapter, order)).toMatchObject(PAID)
    mtn.spoilTokens()
    expect(await adapter.query(order)).toMatchObject(PAID)
    mtn.spoilTokens()
    expect(await adapter.balances()).toHaveLength(1)
    expect(seen.filter((call) => !call.includes('/token/'))).toEqual([
      `${balance} 200`,
      `POST ${path} 401`,
      `POST ${path} 202`,
      `GET ${path} 200`,
      `GET ${path} 401`,
      `GET ${path} 200`,
      `${balance} 401`,
      `${balance} 200`,
    ])
  })

  test('GET with an id that it does not know, or that is none', async () => {
    const mtn = await startSimulatedMtn(product)
    const { adapter, seen } = mtn.connected()
    const order = mtn.order('approves')
    expect(await adapter.query(order)).toEqual({ knows: 'nothing_moved' })
    const notV4 = { ...order, orderId: '3fd0c5b2-7a1e-1c0d-9b77-5c9f6f1f0a11' }
    expect(await adapter.query(notV4)).toMatchObject({ knows: 'unreachable' })
    expect(seen.slice(-2)).toEqual([`GET ${path} 404`, `GET ${path} 400`])
  })

  test.each(['http', 'https'])('a callback by %s', async (scheme) => {
    const mtn = await startSimulatedMtn(product)
    const callbackUrl = (orderId: string, word = '') => `${scheme}://127.0.0.1:1/${orderId}/${word}`
    const { adapter } = mtn.connected({ callbackUrl })
    const order = mtn.order('approves')
    expect(await mtn.endOf(adapter, order)).toMatchObject(PAID)
    const { url, ...callback } = await mtn.callbackOf(order.orderId)
    expect(url).toBe(callbackUrl(order.orderId, tail))
    expect(adapter.readCallback({ ...callback, tail })).toMatchObject({
      outcome: { status: 'COMPLETED' },
      mayQuery: true,
      orderId: order.orderId,
      amount: order.amount,
    })
  })

  test('a holder that is active, one that is not, and one that MTN does not know', async () => {
    const { adapter } = (await startSimulatedMtn(product)).connected()
    const knowledge = []
    for (const number of Object.values(NUMBERS.holder)) knowledge.push((await adapter.holder?.(number))?.knows)
    expect(knowledge).toEqual(['active', 'inactive', 'no_account'])
  })

  test('a balance', async () => {
    const mtn = await startSimulatedMtn(product)
    const { adapter, seen } = mtn.connected()
    expect((await adapter.balances()).map(({ available }) => available.currency)).toEqual([mtn.currency])
    expect(seen.at(-1)).toBe(`${balance} 200`)
  })
})
