import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SIMULATORS, startSimulator, type Scenario } from '../../../openapi/operators/simulator/index.ts'
import { present } from '../../domain/present.ts'
import { forFile } from '../testing/for-file.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { installRail } from '../testing/installed-rail.ts'
import { collect, collectionBalance, payOut, uniqueMsisdn, uniqueReference, verify } from '../testing/requests.ts'
import { OWN_RAILS } from '../testing/sandbox-rails.ts'

// MTN MoMo as it goes live: the adapter over HTTP, against a simulator of the operator that calls back over HTTP.

const POLL_AFTER_MS = 5 * 60_000
/** The operator calls back in real time, on a machine that may be busy. */
const WITHIN = { timeout: 60_000 }
const { gateway, clock, after, receiver } = await gatewayTest({
  toReceiver: ['collection_callback_url', 'payout_callback_url', 'verification_url'],
  env: OWN_RAILS,
})
const operator = present(SIMULATORS['mtn-momo'], 'the simulator of MTN')({ currency: 'UGX' })
const mtn = await forFile(startSimulator(operator))
await installRail(gateway, mtn, {
  name: 'mtn-uganda',
  providers: ['mtn_ug'],
  settings: { target_environment: 'sandbox', failures_until_open: '1000', retry_after_ms: '100' },
})

const during = (effect: Scenario['effect'], on: Scenario['on'] = {}) => mtn.scenarios.add([{ on, effect }])
afterEach(() => mtn.scenarios.clear())
beforeEach(() => clock.advance(60_000))

const ordersOf = (msisdn: string) => mtn.world.orders.of(msisdn)
const orderOf = (msisdn: string) => present(ordersOf(msisdn)[0], 'the order at the operator')
const movedFor = (msisdn: string) => ordersOf(msisdn).reduce((sum, { moved }) => sum + moved, 0)
const recordOf = async (reference: string) => (await verify(gateway.url, reference)).body.data
/** The results of the operator's messages about an order, once there is one and all of them have been read. */
async function readMessages(msisdn: string): Promise<readonly string[]> {
  const read = async () => {
    await gateway.runDue()
    const { rows } = await gateway.pool.query<{ result: string | null }>(
      'select result from rail_callbacks where order_id = $1 order by id',
      [orderOf(msisdn).id],
    )
    expect(rows).not.toEqual([])
    expect(rows).not.toContainEqual({ result: null })
    return rows.map(({ result }) => String(result))
  }
  return vi.waitFor(read, WITHIN)
}

async function collected(msisdn = uniqueMsisdn()) {
  const merchant_reference = uniqueReference()
  expect((await collect(gateway.url, { merchant_reference, msisdn })).status).toBe(202)
  await gateway.runDue()
  return { merchant_reference, msisdn }
}

test('a customer approves on the phone: MTN reports, is polled, and money arrives', async () => {
  const before = await collectionBalance(gateway.url)
  const { merchant_reference, msisdn } = await collected()
  expect(orderOf(msisdn)).toMatchObject({ amount: '5000', currency: 'UGX', state: 'waiting' })
  expect(await recordOf(merchant_reference)).toMatchObject({
    transaction_status: 'PROCESSING',
    status_message: "Waiting for the customer's approval",
  })
  mtn.lifecycle.decide(orderOf(msisdn), 'approved')
  expect(await readMessages(msisdn)).toEqual(['confirmed'])
  expect(await recordOf(merchant_reference)).toMatchObject({ transaction_status: 'COMPLETED' })
  expect(await collectionBalance(gateway.url)).toBeGreaterThan(before)
  expect(receiver.received).toHaveLength(1)
})

test.each([
  ['cancelled', 'FAILED', 'declined'],
  ['expired', 'FAILED', 'expired'],
] as const)('a customer who does not act (%s) pays nothing', async (decision, transaction_status, failure_code) => {
  const { merchant_reference, msisdn } = await collected()
  mtn.lifecycle.decide(orderOf(msisdn), decision)
  expect(await readMessages(msisdn)).toEqual(['confirmed'])
  expect(await recordOf(merchant_reference)).toMatchObject({ transaction_status, failure_code })
  expect(movedFor(msisdn)).toBe(0)
})

test('polls an operator that sends no message, at the time its documents allow', async () => {
  const msisdn = uniqueMsisdn()
  during({ do: 'callback', times: 0 }, { msisdn })
  const { merchant_reference } = await collected(msisdn)
  mtn.lifecycle.decide(orderOf(msisdn), 'approved')
  await after(POLL_AFTER_MS - 1)
  expect(await recordOf(merchant_reference)).toMatchObject({ transaction_status: 'PROCESSING' })
  await after(1)
  expect(await recordOf(merchant_reference)).toMatchObject({ transaction_status: 'COMPLETED' })
})

test('a payout is held, sent once and paid', async () => {
  const account_number = uniqueMsisdn()
  const merchant_reference = uniqueReference()
  during({ do: 'close', when: 'after' }, { operation: 'transfer' })
  expect((await payOut(gateway.url, { merchant_reference, account_number })).status).toBe(202)
  await gateway.runDue()
  await after(60_000)
  await vi.waitFor(() => expect(movedFor(account_number)).toBe(1), WITHIN)
  expect(await readMessages(account_number)).toEqual(['confirmed'])
  expect(await recordOf(merchant_reference)).toMatchObject({ transaction_status: 'COMPLETED' })
  expect(ordersOf(account_number)).toHaveLength(1)
})

// Numbers are masked too.
test("keeps both sides' ids and the exchange with the operator, without secrets", async () => {
  const { msisdn } = await collected()
  mtn.lifecycle.decide(orderOf(msisdn), 'approved')
  expect(await readMessages(msisdn)).toEqual(['confirmed'])
  const { id, receipts } = orderOf(msisdn)
  const { rows } = await gateway.pool.query<{ name: string; reference: string }>(
    'select name, reference from rail_references where transaction_id = (select transaction_id from rail_references where reference = $1)',
    [id],
  )
  expect(rows).toEqual(
    expect.arrayContaining([
      { name: 'order', reference: id },
      { name: 'financialTransactionId', reference: receipts[0] },
    ]),
  )
  await vi.waitFor(async () => {
    const kept = await gateway.pool.query<{ text: string }>(
      `select coalesce(string_agg(e::text, ' '), '') as text from operator_exchanges e where order_id = $1`,
      [id],
    )
    expect(kept.rows[0]?.text).toContain('/collection/v1_0/requesttopay')
    expect(kept.rows[0]?.text).not.toContain(msisdn)
    expect(kept.rows[0]?.text).not.toContain(mtn.open.railSettings['collection_subscription_key'])
  }, WITHIN)
})
