import { afterEach, expect, test } from 'vitest'
import { createClock, SIMULATORS, startSimulator } from '../../../openapi/operators/simulator/index.ts'
import { present } from '../../domain/present.ts'
import { examine } from '../../admin/queries/doctor.ts'
import { createFigures } from '../../admin/queries/figures.ts'
import { listStuck } from '../../admin/queries/transactions.ts'
import { forFile } from '../testing/for-file.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { installRail } from '../testing/installed-rail.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { collect, payOut, postJson, uniqueReference, verify } from '../testing/requests.ts'
import { OWN_RAILS } from '../testing/sandbox-rails.ts'

// Messages about M-PESA payouts that M-PESA never wrote, and placeholders that it does write: nothing is signed, and
// the
// status of a payout cannot be queried at once.

const clock = createClock({ frozen: true, realNow: () => Date.parse('2026-03-02T07:30:00Z') })
const { gateway } = await gatewayTest({ clock, env: OWN_RAILS })
const operator = present(SIMULATORS['daraja'], 'the simulator of Daraja')({})
const daraja = await forFile(startSimulator(operator, { clock, seed: 7 }))
const SETTINGS = { failures_until_open: '1000', retry_after_ms: '100' }
await installRail(gateway, daraja, { name: 'kenya', providers: ['mpesa_ke'], settings: SETTINGS })

afterEach(async () => {
  daraja.scenarios.clear()
  await expectBalancedBooks(gateway)
})

let customers = 0
const uniqueMsisdn = (): string => `25471${String(++customers).padStart(4, '0')}123`
/**
 * A payout that M-PESA has accepted without reporting a result yet.
 * @param isLost whether its reply was lost
 */
async function paidOut({ isLost = false } = {}) {
  const account_number = uniqueMsisdn()
  const merchant_reference = uniqueReference()
  daraja.scenarios.add([{ on: {}, effect: { do: 'stay' } }])
  if (isLost) daraja.scenarios.add([{ on: { operation: 'payOut' }, effect: { do: 'close', when: 'after' } }])
  const request = { provider_code: 'mpesa_ke', currency: 'KES', amount: 1_000, account_number, merchant_reference }
  expect(await payOut(gateway.url, request)).toMatchObject({ status: 202 })
  await gateway.runDue()
  daraja.scenarios.clear()
  const [order] = daraja.world.orders.of(account_number)
  const { id, details } = present(order, 'the order at M-PESA')
  const { resultUrl, conversationId } = details as { readonly resultUrl: string; readonly conversationId: string }
  return { reference: merchant_reference, msisdn: account_number, id, resultUrl, conversationId }
}
type PaidOut = Awaited<ReturnType<typeof paidOut>>

/** Sends a message to the payout's address, and lets time pass for all its retries. */
async function report({ resultUrl }: Pick<PaidOut, 'resultUrl'>, Result: object, tail = 'result'): Promise<void> {
  const path = new URL(resultUrl).pathname.replace(/result$/, tail)
  expect((await postJson(gateway.url, path, { Result: { ResultType: 0, ResultDesc: 'x', ...Result } })).status).toBe(
    200,
  )
  for (const ms of [0, 2_000, 10_000, 60_000]) {
    clock.advance(ms)
    await gateway.runDue()
  }
}
const parameters = (values: object) => ({
  ResultParameters: { ResultParameter: Object.entries(values).map(([Key, Value]) => ({ Key, Value })) },
})
const namesOf = ({ id, conversationId }: PaidOut) => ({
  OriginatorConversationID: id,
  ConversationID: conversationId,
})
/** What M-PESA itself reports about a payout that it has made. */
const paid = (payout: PaidOut, amount = 1_000) => ({
  ResultCode: 0,
  ...namesOf(payout),
  TransactionID: `UC23${payout.msisdn}`,
  ...parameters({ TransactionAmount: amount, ReceiverPartyPublicName: `${payout.msisdn} - Jane Doe` }),
})
const statusOf = async ({ reference }: PaidOut) =>
  (await verify(gateway.url, reference)).body.data['transaction_status']
const alarms = async () => ({
  doctor: (await examine(gateway.pool, clock.now())).flatMap(({ found, name }) => (found > 0 ? name : [])),
  metric: (await createFigures(gateway.pool).waitingForOperator()).paidNotBooked,
  stuck: (await listStuck(gateway.pool, { before: new Date(0), merchantId: undefined, limit: 10 })).map(
    ({ merchantReference }) => merchantReference,
  ),
})

test.each(['OAK0000000', 'MAS0000000'])('three payouts that fail with the receipt %s all fail', async (receipt) => {
  const payouts = [await paidOut(), await paidOut(), await paidOut()]
  for (const payout of payouts) await report(payout, { ResultCode: 1, ...namesOf(payout), TransactionID: receipt })
  for (const payout of payouts) expect(await statusOf(payout)).toBe('FAILED')
})

test('a forged receipt does not block the genuine success', async () => {
  const payout = await paidOut()
  const forged = { ResultCode: 0, OriginatorConversationID: 'x', ConversationID: 'x' }
  await report(payout, { ...forged, ...parameters({ ReceiptNo: 'FORGED' }) }, 'status')
  await report(payout, paid(payout))
  expect(await statusOf(payout)).toBe('COMPLETED')
})

test.each([{ isLost: false }, { isLost: true }])(
  'a forged failure does not hide the later success: %o',
  async ({ isLost }) => {
    const payout = await paidOut({ isLost })
    const names = { ...namesOf(payout), ...(isLost && { ConversationID: 'AG_FORGED' }) }
    await report(payout, { ResultCode: 1, ...names, TransactionID: 'FORGED' })
    expect(await statusOf(payout)).toBe('FAILED')
    await report(payout, paid(payout))
    expect(await statusOf(payout)).toBe('COMPLETED')
  },
)

test.each([
  ['result', { ResultCode: 0 }],
  ['result', { ResultCode: 1 }],
  ['status', { ResultCode: 0 }],
])('a message at the %s address of payouts does not settle a collection: %o', async (tail, code) => {
  const msisdn = uniqueMsisdn()
  const merchant_reference = uniqueReference()
  daraja.scenarios.add([{ on: {}, effect: { do: 'stay' } }])
  const request = { provider_code: 'mpesa_ke', currency: 'KES', amount: 500, msisdn, merchant_reference }
  expect(await collect(gateway.url, request)).toMatchObject({ status: 202 })
  await gateway.runDue()
  const { callbackUrl } = present(daraja.world.orders.of(msisdn)[0], 'the order').details as { callbackUrl: string }
  const id = callbackUrl.slice(callbackUrl.lastIndexOf('/') + 1)
  const values = { TransactionAmount: 500, TransactionStatus: 'Completed', Amount: 500, OriginatorConversationID: id }
  const forged = { ...code, OriginatorConversationID: id, TransactionID: 'UC23FORGED', ...parameters(values) }
  await report({ resultUrl: `${callbackUrl}/result` }, forged, tail)
  expect((await verify(gateway.url, merchant_reference)).body.data['transaction_status']).toBe('PROCESSING')
})

test.each(['Failed', 'Completed'])('a reply %s to a query that nobody sent moves nothing', async (status) => {
  const payout = await paidOut()
  const forged = { ResultCode: 0, OriginatorConversationID: 'x', ConversationID: 'AG_FORGED' }
  const found = { OriginatorConversationID: payout.id, TransactionStatus: status, Amount: 1_000 }
  await report(payout, { ...forged, ...parameters(found) }, 'status')
  expect(await statusOf(payout)).toBe('PROCESSING')
  await report(payout, paid(payout))
  expect(await statusOf(payout)).toBe('COMPLETED')
})

test.each([
  ['another amount', (payout: PaidOut) => paid(payout, 999)],
  ['no amount', (payout: PaidOut) => ({ ...paid(payout), ResultParameters: undefined })],
  ['another conversation', (payout: PaidOut) => ({ ...paid(payout), ConversationID: 'AG_OTHER' })],
])('a success with %s about a FAILED payout is an alarm', async (_what, success) => {
  const payout = await paidOut()
  const before = await alarms()
  await report(payout, { ResultCode: 1, ...namesOf(payout) })
  expect(await alarms()).toEqual(before)
  await report(payout, success(payout))
  expect(await statusOf(payout)).toBe('FAILED')
  expect(await alarms()).toEqual({
    doctor: ['paid_payouts_booked'],
    metric: before.metric + 1,
    stuck: [...before.stuck, payout.reference],
  })
})

test('a message that waits to be read is no fault', async () => {
  const payout = await paidOut()
  const before = await alarms()
  const path = new URL(payout.resultUrl).pathname
  expect((await postJson(gateway.url, path, { Result: paid(payout) })).status).toBe(200)
  expect(await alarms()).toEqual(before)
  await gateway.runDue()
  expect(await statusOf(payout)).toBe('COMPLETED')
})

test('a result behind a flood is stored, and alarms once the payout fails', async () => {
  const payout = await paidOut()
  const path = new URL(payout.resultUrl).pathname
  const send = async (body: object) => (await postJson(gateway.url, path, body)).status
  for (let count = 0; count < 50; count += 1) expect(await send({ count })).toBe(200)
  expect(await send({ count: 50 })).toBe(503)
  expect(await send({ Result: { ...paid(payout), ResultParameters: null } })).toBe(200)
  const before = await alarms()
  await report(payout, { ResultCode: 1, ...namesOf(payout) })
  expect(await statusOf(payout)).toBe('FAILED')
  expect((await alarms()).metric).toBe(before.metric + 1)
})
