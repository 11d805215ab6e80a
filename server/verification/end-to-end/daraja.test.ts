import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClock, SIMULATORS, startSimulator, type Scenario } from '../../../openapi/operators/simulator/index.ts'
import { present } from '../../domain/present.ts'
import { listExchanges } from '../../admin/queries/exchanges.ts'
import { forFile } from '../testing/for-file.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { installRail } from '../testing/installed-rail.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { collect, payOut, postJson, uniqueReference, verify } from '../testing/requests.ts'
import { OWN_RAILS } from '../testing/sandbox-rails.ts'

// M-PESA as it goes live: the adapter over HTTP, against a simulator of Daraja that calls back over HTTP. Both share
// one clock: it decides what is pulled and when a prompt expires. Lost replies, forged messages and odd ones are rules
// of the conformance kit, which this gateway meets too.

/** Longer than one download of the pulled transactions is cached. */
const BETWEEN_TESTS_MS = 600_000
/** Rows written outside the payments appear a moment later, in real time. */
const PATIENTLY = { timeout: 60_000 }

const clock = createClock({ frozen: true, realNow: () => Date.parse('2026-03-02T07:30:00Z') })
const { gateway, malipo } = await gatewayTest({
  clock,
  toReceiver: ['collection_callback_url', 'payout_callback_url', 'verification_url'],
  env: OWN_RAILS,
})
const operator = present(SIMULATORS['daraja'], 'the simulator of Daraja')({})
const daraja = await forFile(startSimulator(operator, { clock, seed: 7 }))
const SETTINGS = { failures_until_open: '1000', retry_after_ms: '100' }
const addressOf = await installRail(gateway, daraja, { name: 'kenya', providers: ['mpesa_ke'], settings: SETTINGS })

const during = (effect: Scenario['effect']) => daraja.scenarios.add([{ on: {}, effect }])
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

async function collected() {
  const [msisdn, reference] = [uniqueCustomer(), uniqueReference()]
  const requested = { provider_code: 'mpesa_ke', currency: 'KES', amount: 500, msisdn, merchant_reference: reference }
  expect(await collect(gateway.url, requested)).toMatchObject({ status: 202 })
  await gateway.runDue()
  return { reference, msisdn }
}
async function paidOut() {
  const [account_number, reference] = [uniqueCustomer(), uniqueReference()]
  const request = { provider_code: 'mpesa_ke', currency: 'KES', amount: 1_000, account_number }
  expect(await payOut(gateway.url, { ...request, merchant_reference: reference })).toMatchObject({ status: 202 })
  await gateway.runDue()
  return { reference, msisdn: account_number }
}

/** A success in M-PESA's words, of one shilling. */
const FORGED_SUCCESS = {
  do: 'forge',
  after_ms: 1,
  set: {
    Body: {
      stkCallback: {
        ResultCode: 0,
        CallbackMetadata: {
          Item: [
            { Name: 'Amount', Value: 1 },
            { Name: 'MpesaReceiptNumber', Value: 'FORGED0001' },
          ],
        },
      },
    },
  },
} satisfies Scenario['effect']

test('a forged success about another amount moves nothing, and support may read it', async () => {
  during(FORGED_SUCCESS)
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

/** Sends a message to the payout's address, and lets time pass for all its retries. */
async function forge(msisdn: string, Result: object, tail = 'result'): Promise<void> {
  const { resultUrl } = orderOf(msisdn).details as { readonly resultUrl: string }
  const path = new URL(resultUrl).pathname.replace(/result$/, tail)
  const reply = await postJson(gateway.url, path, { Result: { ResultType: 0, ResultDesc: 'x', ...Result } })
  expect(reply.status).toBe(200)
  for (const ms of [0, 2_000, 10_000, 60_000]) await passes(ms)
}
const parameters = (values: object) => ({
  ResultParameters: { ResultParameter: Object.entries(values).map(([Key, Value]) => ({ Key, Value })) },
})

test('a forged receipt does not block the genuine success', async () => {
  during({ do: 'stay' })
  const { reference, msisdn } = await paidOut()
  const forged = { ResultCode: 0, OriginatorConversationID: 'x', ConversationID: 'x' }
  await forge(msisdn, { ...forged, ...parameters({ ReceiptNo: 'FORGED' }) }, 'status')
  const { id, details } = orderOf(msisdn)
  await forge(msisdn, {
    ResultCode: 0,
    OriginatorConversationID: id,
    ConversationID: (details as { readonly conversationId: string }).conversationId,
    TransactionID: `UC23${msisdn}`,
    ...parameters({ TransactionAmount: 1_000, ReceiverPartyPublicName: `${msisdn} - Jane Doe` }),
  })
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'COMPLETED' })
})

async function registerAddresses(): Promise<void> {
  const url = (tail: string) => addressOf(tail, clock.now())
  const addresses = { ConfirmationURL: url('paid'), ValidationURL: url('wanted') }
  const register = { ShortCode: '174379', ResponseType: 'Completed', ...addresses }
  await daraja.open.handlers['registerUrls']?.({ body: register } as never)
}

const paidAtPhone = (payment: { readonly amount: string; readonly reference: string }) =>
  fetch(`${daraja.url}/phone/${uniqueCustomer()}/payments`, {
    method: 'POST',
    body: new URLSearchParams({ account: '174379', ...payment }),
  })

test('turns a typed reference away for another amount, and books its payment once', async () => {
  await registerAddresses()
  const payment = { provider_code: 'mpesa_ke', merchant_reference: uniqueReference(), currency: 'KES', amount: 500 }
  await malipo.collections.expect({ ...payment, customer_reference: 'INV-8', description: 'Invoice of May' })
  const pay = async (amount: string) => (await paidAtPhone({ amount, reference: 'inv 8' })).status
  expect(await pay('400')).toBe(400)
  expect(await pay('500')).toBe(200)
  await passes(1_000)
  expect(await malipo.transactions.verify(payment.merchant_reference)).toMatchObject({
    transaction_status: 'COMPLETED',
    request_amount: 500,
  })
  expect(await pay('500')).toBe(400)
})
