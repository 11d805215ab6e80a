import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createClock, SIMULATORS, startSimulator, type Scenario } from '../../../openapi/operators/simulator/index.ts'
import { present } from '../../domain/present.ts'
import { listExchanges } from '../../admin/queries/exchanges.ts'
import { createFigures } from '../../admin/queries/figures.ts'
import { leadProvider } from '../../admin/queries/providers.ts'
import { listStuck } from '../../admin/queries/transactions.ts'
import { forFile } from '../testing/for-file.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { installRail } from '../testing/installed-rail.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { collect, collectionBalance, payOut, uniqueReference, verify } from '../testing/requests.ts'
import { OWN_RAILS } from '../testing/sandbox-rails.ts'

// M-PESA as it goes live: the adapter over HTTP, against a simulator of Daraja that calls back over HTTP. Both share
// one
// clock: it decides what is pulled and when a prompt expires.

const HOUR_MS = 3_600_000
/** Longer than one download of the pulled transactions is cached. */
const BETWEEN_TESTS_MS = 600_000
/** When the rail account first polls the status of a prompt. */
const POLL_AFTER_MS = 20_000
/** Rows written outside the payments appear a moment later, in real time. */
const PATIENTLY = { timeout: 20_000 }

const clock = createClock({ frozen: true, realNow: () => Date.parse('2026-03-02T07:30:00Z') })
const { gateway, after, receiver } = await gatewayTest({
  clock,
  toReceiver: ['collection_callback_url', 'payout_callback_url', 'verification_url'],
  env: OWN_RAILS,
})
const operator = present(SIMULATORS['daraja'], 'the simulator of Daraja')({})
const daraja = await forFile(startSimulator(operator, { clock, seed: 7 }))
const SETTINGS = { failures_until_open: '1000', retry_after_ms: '100' }
await installRail(gateway, daraja, { name: 'kenya', providers: ['mpesa_ke'], settings: SETTINGS })

const during = (effect: Scenario['effect'], on: Scenario['on'] = {}) => daraja.scenarios.add([{ on, effect }])
beforeEach(() => clock.advance(BETWEEN_TESTS_MS))
afterEach(async () => {
  daraja.scenarios.clear()
  await expectBalancedBooks(gateway)
})

let customers = 0
/** An M-PESA number that no other test uses; neither the sandbox nor the simulator does anything by itself with it. */
const uniqueCustomer = (): string => `25471${String(++customers).padStart(4, '0')}123`
const ordersOf = (msisdn: string) => daraja.world.orders.of(msisdn)
const orderOf = (msisdn: string) => present(ordersOf(msisdn)[0], 'the order at M-PESA')
const movedFor = (msisdn: string) => ordersOf(msisdn).reduce((sum, { moved }) => sum + moved, 0)
const answersTo = (operation: string, msisdn: string) =>
  daraja.world.exchanges
    .all()
    .filter((exchange) => exchange.operation === operation && JSON.stringify(exchange.requestBody).includes(msisdn))
    .map(({ status }) => status)
const recordOf = async (reference: string) => (await verify(gateway.url, reference)).body.data

/** Advances the clock, stores what M-PESA sends in that time, and runs the jobs that follow from it. */
async function passes(ms = 0): Promise<void> {
  clock.advance(ms)
  await daraja.callbacks.idle()
  await gateway.runDue()
}
/** The result of each of M-PESA's messages about a transaction. */
async function messagesOf(reference: string): Promise<readonly (string | null)[]> {
  const { rows } = await gateway.pool.query<{ result: string | null }>(
    `select c.result from rail_callbacks c join transactions t on t.id = c.transaction_id
     where t.merchant_reference = $1 order by c.id`,
    [reference],
  )
  return rows.map(({ result }) => result)
}
async function isOutcomeUnknown(reference: string): Promise<boolean> {
  const stuck = await listStuck(gateway.pool, { before: new Date(0), merchantId: undefined, limit: 100 })
  return stuck.some((one) => one.merchantReference === reference && one.isOutcomeUnknown)
}

async function collected(changes: Readonly<Record<string, unknown>> = {}) {
  const msisdn = uniqueCustomer()
  const reference = uniqueReference()
  const requested = { provider_code: 'mpesa_ke', currency: 'KES', amount: 500, msisdn, merchant_reference: reference }
  expect(await collect(gateway.url, { ...requested, ...changes })).toMatchObject({ status: 202 })
  await gateway.runDue()
  return { reference, msisdn }
}
/** A prompt that is on the phone although its reply was lost. */
async function lost() {
  during({ do: 'close', when: 'after' }, { operation: 'stkPush' })
  const order = await collected()
  expect(ordersOf(order.msisdn)).toMatchObject([{ amount: '500', state: 'waiting' }])
  expect(await isOutcomeUnknown(order.reference)).toBe(true)
  return order
}
async function paidOut(account_number = uniqueCustomer()) {
  const reference = uniqueReference()
  const request = { provider_code: 'mpesa_ke', currency: 'KES', amount: 1_000, account_number }
  expect(await payOut(gateway.url, { ...request, merchant_reference: reference })).toMatchObject({ status: 202 })
  await gateway.runDue()
  return { reference, msisdn: account_number }
}

test('a customer approves on the phone: M-PESA reports, is polled, and money arrives', async () => {
  const before = await collectionBalance(gateway.url, 'KES')
  const { reference, msisdn } = await collected()
  expect(orderOf(msisdn)).toMatchObject({ amount: '500', currency: 'KES', state: 'waiting' })
  expect(await recordOf(reference)).toMatchObject({
    transaction_status: 'PROCESSING',
    status_message: "Waiting for the customer's approval",
  })
  daraja.lifecycle.decide(orderOf(msisdn), 'approved')
  await passes()
  expect(await messagesOf(reference)).toEqual(['confirmed'])
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'COMPLETED' })
  expect(await collectionBalance(gateway.url, 'KES')).toBeGreaterThan(before)
  expect(receiver.received).toHaveLength(1)
})

test.each([
  ['wrong_pin', 'declined'],
  ['cancelled', 'declined'],
  ['expired', 'expired'],
] as const)('a customer who does not pay (%s) is charged nothing', async (decision, failure_code) => {
  const { reference, msisdn } = await collected()
  daraja.lifecycle.decide(orderOf(msisdn), decision)
  await passes()
  expect(await messagesOf(reference)).toEqual(['confirmed'])
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'FAILED', failure_code })
  expect(movedFor(msisdn)).toBe(0)
})

test('an amount with cents fails in plain words, and no prompt goes out', async () => {
  const { reference, msisdn } = await collected({ amount: 500.5 })
  expect(await recordOf(reference)).toMatchObject({
    transaction_status: 'FAILED',
    failure_code: 'not_allowed',
    status_message: 'M-PESA moves whole Kenyan shillings only',
  })
  expect(answersTo('stkPush', msisdn)).toEqual([])
})

test('polls M-PESA without a message, and a reply without a result is no failure', async () => {
  during({ do: 'callback', times: 0 })
  during({ do: 'refuse', code: '500.001.1001' }, { operation: 'queryStkPush' })
  const { reference, msisdn } = await collected()
  await after(POLL_AFTER_MS)
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'PROCESSING' })
  daraja.lifecycle.decide(orderOf(msisdn), 'approved')
  await after(2 * POLL_AFTER_MS)
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'COMPLETED' })
})

test('a prompt whose reply is lost is never resent, and its message ends it', async () => {
  const { reference, msisdn } = await lost()
  await after(POLL_AFTER_MS)
  daraja.lifecycle.decide(orderOf(msisdn), 'approved')
  await passes()
  expect(await messagesOf(reference)).toEqual(['confirmed'])
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'COMPLETED' })
  expect(await isOutcomeUnknown(reference)).toBe(false)
  expect([answersTo('stkPush', msisdn).length, movedFor(msisdn)]).toEqual([1, 1])
})

test('finds a prompt among the pulled transactions when its message is lost too', async () => {
  during({ do: 'callback', times: 0 })
  const { reference, msisdn } = await lost()
  daraja.lifecycle.decide(orderOf(msisdn), 'approved')
  await passes(POLL_AFTER_MS)
  expect(await messagesOf(reference)).toEqual([])
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'COMPLETED' })
  expect([answersTo('stkPush', msisdn).length, movedFor(msisdn)]).toEqual([1, 1])
})

test('no listed payment is no failure: a lost prompt keeps its unknown outcome', async () => {
  during({ do: 'callback', times: 0 })
  const { reference, msisdn } = await lost()
  daraja.lifecycle.decide(orderOf(msisdn), 'cancelled')
  for (let hours = 0; hours < 72; hours += 12) await after(12 * HOUR_MS)
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'PROCESSING' })
  expect(await isOutcomeUnknown(reference)).toBe(true)
  expect(answersTo('stkPush', msisdn)).toHaveLength(1)
})

test('without Pull a prompt lost twice waits for staff, and is never resent', async () => {
  const settings = { ...SETTINGS, pull: 'no' }
  await installRail(gateway, daraja, { name: 'kenya-without-pull', providers: ['mpesa_ke'], settings })
  onTestFinished(async () => {
    await leadProvider(gateway.pool, 'mpesa_ke', 'kenya')
    await gateway.refresh()
  })
  during({ do: 'callback', times: 0 })
  const { reference, msisdn } = await lost()
  daraja.lifecycle.decide(orderOf(msisdn), 'approved')
  for (let hours = 0; hours < 72; hours += 12) await after(12 * HOUR_MS)
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'PROCESSING' })
  expect(await isOutcomeUnknown(reference)).toBe(true)
  expect(await createFigures(gateway.pool).atRailAccounts()).toContainEqual({
    railAccount: 'kenya-without-pull',
    unknownOutcomeOrders: 1,
    openExceptions: 0,
  })
  expect([answersTo('stkPush', msisdn).length, movedFor(msisdn)]).toEqual([1, 1])
})

/** A forged success. */
const forgedSuccess = (about: Readonly<Record<string, unknown>>, amount: number): Scenario['effect'] => ({
  do: 'forge',
  after_ms: 1,
  set: {
    Body: {
      stkCallback: {
        ResultCode: 0,
        CallbackMetadata: {
          Item: [
            { Name: 'Amount', Value: amount },
            { Name: 'MpesaReceiptNumber', Value: 'FORGED0001' },
          ],
        },
        ...about,
      },
    },
  },
})

test('a forged success about another amount moves nothing, and support may read it', async () => {
  during(forgedSuccess({}, 1))
  const { reference, msisdn } = await collected()
  await passes(1)
  expect(await messagesOf(reference)).toEqual(['mismatch'])
  await vi.waitFor(async () => {
    const said = await listExchanges(gateway.pool, { railAccount: 'kenya', limit: 20 })
    const reported = present(
      said.find(({ reply }) => reply?.includes('FORGED0001')),
      'the forged message',
    )
    expect(reported).toMatchObject({
      purpose: 'callback',
      error: expect.stringContaining('another amount') as string,
      path: expect.stringMatching(/^\/operators\/kenya\/\*\*\*\//) as string,
    })
    expect(JSON.stringify(said)).not.toContain(msisdn)
  }, PATIENTLY)
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'PROCESSING' })
  expect(movedFor(msisdn)).toBe(0)
})

test.each([
  ['one that was answered', collected],
  ['one whose answer was lost', lost],
])('the CheckoutRequestID of a paid order ends no other: %s', async (_what, ordered) => {
  const paid = await collected()
  daraja.lifecycle.decide(orderOf(paid.msisdn), 'approved')
  await passes()
  expect(await recordOf(paid.reference)).toMatchObject({ transaction_status: 'COMPLETED' })

  during(forgedSuccess({ CheckoutRequestID: orderOf(paid.msisdn).id }, 500))
  const { reference, msisdn } = await ordered()
  await passes(1)
  expect(await messagesOf(reference)).toEqual(['mismatch'])
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'PROCESSING' })
  expect(movedFor(msisdn)).toBe(0)
})

test('a payout is paid once its result is there', async () => {
  const { reference, msisdn } = await paidOut()
  expect(orderOf(msisdn)).toMatchObject({ amount: '1000', currency: 'KES', direction: 'out' })
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'PROCESSING' })
  await passes(2_000)
  expect(await messagesOf(reference)).toEqual(['agreed'])
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'COMPLETED' })
  expect(movedFor(msisdn)).toBe(1)
})

test('a payout that M-PESA could not pay fails and returns to the wallet', async () => {
  during({ do: 'settle', as: 'failed', code: '1' })
  const parameter = { Key: 'BOCompletedTime', Value: 20260302103000 }
  during({ do: 'callback', set: { Result: { ResultParameters: { ResultParameter: parameter }, TransactionID: [] } } })
  const { reference, msisdn } = await paidOut()
  await passes()
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'FAILED', failure_code: 'operator_error' })
  expect(movedFor(msisdn)).toBe(0)
})

test('a result whose code nobody documented is no failure', async () => {
  during({ do: 'settle', as: 'failed', code: '26' })
  const { reference } = await paidOut()
  await passes()
  expect(await messagesOf(reference)).toEqual(['no_verdict'])
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'PROCESSING' })
})

test('a wait in the queue that was too long is no failure: the result comes after it', async () => {
  during({ do: 'quirk', name: 'queue_time_out', value: 1_000 }, { operation: 'payOut' })
  const { reference } = await paidOut()
  await passes(1_000)
  expect(await messagesOf(reference)).toEqual(['no_verdict'])
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'PROCESSING' })
  await passes(1_000)
  expect(await messagesOf(reference)).toEqual(['no_verdict', 'agreed'])
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'COMPLETED' })
})

test('resends a payout with a lost reply under its id: a duplicate, and paid once', async () => {
  during({ do: 'close', when: 'after' }, { operation: 'payOut' })
  during({ do: 'settle', as: 'succeeded', after_ms: 90_000 }, { operation: 'payOut' })
  const { reference, msisdn } = await paidOut()
  await after(60_000)
  expect(answersTo('payOut', msisdn)).toEqual([500, undefined])
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'PROCESSING' })
  await passes(30_000)
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'COMPLETED' })
  expect([ordersOf(msisdn).length, movedFor(msisdn)]).toEqual([1, 1])
})

test('polls a payout whose result never comes, and the reply ends it', async () => {
  during({ do: 'callback', times: 0 })
  const { reference, msisdn } = await paidOut()
  await after(120_000)
  await passes(2_000)
  expect(await messagesOf(reference)).toEqual(['agreed'])
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'COMPLETED' })
  expect(movedFor(msisdn)).toBe(1)
})

test('a forged result about another amount pays nothing', async () => {
  const parameters = { ResultParameter: [{ Key: 'TransactionAmount', Value: 1 }] }
  during({ do: 'stay' })
  during({ do: 'forge', after_ms: 1, set: { Result: { ResultCode: 0, ResultParameters: parameters } } })
  const { reference, msisdn } = await paidOut()
  await passes(1)
  expect(await messagesOf(reference)).toEqual(['mismatch'])
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'PROCESSING' })
  expect(movedFor(msisdn)).toBe(0)
})

test('a payout with cents fails in plain words, and nothing goes out', async () => {
  const account_number = uniqueCustomer()
  const reference = uniqueReference()
  const request = { provider_code: 'mpesa_ke', currency: 'KES', amount: 1_000.25, account_number }
  expect(await payOut(gateway.url, { ...request, merchant_reference: reference })).toMatchObject({ status: 202 })
  await gateway.runDue()
  expect(await recordOf(reference)).toMatchObject({
    transaction_status: 'FAILED',
    status_message: 'M-PESA moves whole Kenyan shillings only',
  })
  expect(answersTo('payOut', account_number)).toEqual([])
})
