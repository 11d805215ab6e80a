import { expect, test } from 'vitest'
import {
  answeredQuery,
  CUSTOMER,
  darajaCaller,
  darajaWithMerchant,
  simulatedDaraja,
  type CallerReply,
} from './testing/daraja-caller.ts'
import { advance, postForm, receiver, reportedBy } from '../testing/simulated.ts'
import type { Scenario } from '../scenarios/effects.ts'
import { STK_RESULTS } from './contract.ts'
import { SIMULATED_MERCHANT } from './simulated-merchant.ts'

const MINUTE_MS = 60_000
const approval = (order: unknown) => ({ order: String(order), decision: 'approved', pin: '1234' })
const idOf = ({ body }: CallerReply): string => String(body.CheckoutRequestID)

async function started(...scenarios: Scenario[]) {
  const daraja = await darajaWithMerchant(...scenarios)
  return { ...daraja, phone: `${daraja.simulator.url}/phone/${CUSTOMER}` }
}

test('a push is in flight until approval, then reported once and found by query', async () => {
  const { simulator, merchant, caller, phone } = await started()
  const pushed = await caller.push()
  expect(pushed).toMatchObject({ status: 200, body: { ResponseCode: '0' } })
  expect(await answeredQuery(caller, idOf(pushed))).toMatchObject({ ResultCode: '4999' })
  const page = await (await fetch(phone)).text()
  expect(page).toContain('KES 500 to Simulated Shop, account MLPRQZVFYDQT (Invoice 1042)')

  await postForm(phone, approval(idOf(pushed)))
  await simulator.callbacks.idle()
  expect(await answeredQuery(caller, idOf(pushed))).toMatchObject({ ResultCode: '0' })
  expect(merchant.received).toEqual([
    {
      method: 'POST',
      path: '/push',
      body: {
        Body: {
          stkCallback: {
            MerchantRequestID: pushed.body.MerchantRequestID,
            CheckoutRequestID: idOf(pushed),
            ResultCode: 0,
            ResultDesc: 'Paid',
            CallbackMetadata: {
              Item: [
                { Name: 'Amount', Value: 500 },
                { Name: 'MpesaReceiptNumber', Value: expect.stringMatching(/^[A-Z0-9]{10}$/) },
                { Name: 'Balance' },
                { Name: 'TransactionDate', Value: expect.any(Number) },
                { Name: 'PhoneNumber', Value: Number(CUSTOMER) },
              ],
            },
          },
        },
      },
    },
  ])
})

test('sends a callback once, whatever the receiver replies', async () => {
  const simulator = await simulatedDaraja({ auto: true })
  const merchant = await receiver(500)
  await darajaCaller(simulator, merchant.url).push()
  await advance(simulator, 48 * 60 * MINUTE_MS)
  expect(merchant.received).toHaveLength(1)
})

test.each([
  ['cancels', { decision: 'cancelled' }, '1032'],
  ['enters a wrong PIN', { decision: 'approved', pin: '9999' }, '2001'],
  ['lets it expire', { decision: 'expired' }, '1037'],
])('a customer who %s has not paid', async (_what, decision, code) => {
  const { simulator, merchant, caller, phone } = await started()
  const id = idOf(await caller.push())
  await postForm(phone, { order: id, ...decision })
  await simulator.callbacks.idle()
  expect(await answeredQuery(caller, id)).toMatchObject({ ResultCode: code, ResultDesc: STK_RESULTS[code] })
  expect(merchant.received).toMatchObject([{ body: { Body: { stkCallback: { ResultCode: Number(code) } } } }])
  expect(JSON.stringify(merchant.received)).not.toContain('CallbackMetadata')
})

test('a customer with too little money, or who waits a minute, has not paid', async () => {
  const { simulator, caller, phone } = await started()
  simulator.world.accounts.setCustomerBalance(CUSTOMER, '499')
  const poor = idOf(await caller.push())
  await postForm(phone, approval(poor))
  expect(await answeredQuery(caller, poor)).toMatchObject({ ResultCode: '1' })
  const ignored = idOf(await caller.push({ PhoneNumber: '254799999999' }))
  await advance(simulator, MINUTE_MS)
  expect(await answeredQuery(caller, ignored)).toMatchObject({ ResultCode: '1037' })
})

test('the same push twice is two prompts and, approved, two charges', async () => {
  const { simulator, caller, phone } = await started()
  for (const waitMs of [2 * MINUTE_MS, 0]) {
    await postForm(phone, approval(idOf(await caller.push())))
    await advance(simulator, waitMs)
  }
  expect(await reportedBy(simulator, '/simulator/orders')).toMatchObject({
    moved: 2,
    moved_more_than_once: ['MLPRQZVFYDQT'],
  })
  expect(simulator.world.accounts.balanceOf(SIMULATED_MERCHANT.payBill)).toBe('1001000')
})

test('a phone has one prompt a minute, and the same amount ends as 17 within two', async () => {
  const { simulator, merchant, caller } = await started()
  const first = idOf(await caller.push())
  await advance(simulator, MINUTE_MS - 1)
  const refused = await caller.push({ Amount: 1 })
  expect(refused).toMatchObject({ status: 500, body: { errorCode: '500.001.1001' } })
  expect(await caller.push({ PhoneNumber: '254799999999' })).toMatchObject({ status: 200 })
  await advance(simulator, 1)

  const same = idOf(await caller.push())
  await advance(simulator, MINUTE_MS - 1)
  expect(await answeredQuery(caller, same)).toMatchObject({ ResultCode: '17' })
  expect((await caller.push()).body.ResponseCode).toBe('0')
  await advance(simulator, 1)
  const again = idOf(await caller.push({ AccountReference: 'later' }))
  expect(await answeredQuery(caller, again)).toMatchObject({ ResultCode: '4999' })
  const reported = merchant.received.map(({ body }) => JSON.stringify(body))
  expect(reported.filter((text) => text.includes(same) && text.includes('"ResultCode":17'))).toHaveLength(1)
  expect(reported.filter((text) => text.includes(first))).toHaveLength(1)
})

test('a scenario disables the rules about repeated prompts', async () => {
  const simulator = await simulatedDaraja({
    auto: true,
    scenarios: [{ times: 'always', effect: { do: 'quirk', name: 'without_prompt_rules' } }],
  })
  const caller = darajaCaller(simulator)
  const ids = new Set([idOf(await caller.push()), idOf(await caller.push()), idOf(await caller.push())])
  await advance(simulator, MINUTE_MS)
  expect(ids.size).toBe(3)
  expect(await reportedBy(simulator, '/simulator/orders')).toMatchObject({ moved: 3 })
})

// A number can only end with digits.
test.each(Object.keys(STK_RESULTS).filter((code) => /^\d+$/.test(code)))(
  'the test number of result %s produces it without a phone, every time',
  async (code) => {
    const { simulator, merchant, caller } = await started()
    const PhoneNumber = `25470000${code.padStart(4, '0')}`
    const ids = [idOf(await caller.push({ PhoneNumber })), idOf(await caller.push({ PhoneNumber }))]
    await advance(simulator, 10_000)
    for (const id of ids) expect(await answeredQuery(caller, id)).toMatchObject({ ResultCode: code })
    expect(merchant.received).toHaveLength(code === '4999' ? 0 : 2)
  },
)

test('some queries in flight get an error, and none once there is a result', async () => {
  const { simulator, caller } = await started()
  const id = idOf(await caller.push({ PhoneNumber: '254700000000' }))
  const statuses: number[] = []
  for (let turn = 0; turn < 60; turn++) statuses.push((await caller.query(id)).status)
  expect(new Set(statuses)).toEqual(new Set([200, 500]))
  await advance(simulator, 10_000)
  for (let turn = 0; turn < 30; turn++) expect((await caller.query(id)).status).toBe(200)
})

test('a till is paid through the short code that it belongs to', async () => {
  const { simulator, caller } = await started()
  const till = {
    TransactionType: 'CustomerBuyGoodsOnline',
    PartyB: SIMULATED_MERCHANT.till,
    PhoneNumber: '254700000000',
    // The longest texts that are accepted.
    AccountReference: 'x'.repeat(12),
    TransactionDesc: 'x'.repeat(13),
  }
  expect((await caller.push(till)).status).toBe(200)
  await advance(simulator, 10_000)
  expect(simulator.world.accounts.balanceOf(SIMULATED_MERCHANT.till)).toBe('500')
})

test.each<[string, Readonly<Record<string, unknown>>, number, string]>([
  ['half a shilling', { Amount: 500.5 }, 400, '400.002.02'],
  ['no shilling', { Amount: 0 }, 400, '400.002.02'],
  ['an AccountReference of 13 characters', { AccountReference: 'MLPRQZVFYDQTS' }, 400, '400.002.02'],
  ['a TransactionDesc of 14 characters', { TransactionDesc: 'Invoice 1042 !' }, 400, '400.002.02'],
  ...['mpesa', 'safaricom', 'exe', 'cmd', 'sql', 'query'].map(
    (word): [string, Readonly<Record<string, unknown>>, number, string] => [
      `a callback address with ${word}`,
      { CallBackURL: `http://a.example/${word}` },
      400,
      '400.002.02',
    ],
  ),
  ['an invalid time', { Timestamp: '20261399000000' }, 400, '400.002.02'],
  ['another payer than phone', { PartyA: '254799999999' }, 400, '400.002.02'],
  ['a field that there is not', { Nonsense: 1 }, 400, '400.002.02'],
  ['a wrong password', { Password: 'd3Jvbmc=' }, 500, '500.001.1001'],
  ['the password of another time', { Timestamp: '20200101000000' }, 500, '500.001.1001'],
  ['another short code', { BusinessShortCode: '888888', PartyB: '888888' }, 500, '500.001.1001'],
  ['a till of somebody else', { TransactionType: 'CustomerBuyGoodsOnline', PartyB: '111111' }, 500, '500.001.1001'],
])('refuses %s, and prompts nobody', async (_what, fields, status, errorCode) => {
  const { simulator, caller } = await started()
  expect(await caller.push(fields)).toMatchObject({ status, body: { errorCode } })
  expect(simulator.world.orders.all()).toEqual([])
})

test('names the refused field', async () => {
  const { caller } = await started()
  const refused = [
    { Amount: 0.5 },
    { Nonsense: 1 },
    { AccountReference: undefined },
    { Timestamp: '2026-03-02T10:30:00+03:00' },
    { Timestamp: '20261399000000' },
  ]
  const answers = await Promise.all(refused.map(async (fields) => (await caller.push(fields)).body.errorMessage))
  expect(answers).toEqual([
    'Invalid Amount',
    'Invalid request',
    'Invalid AccountReference',
    'Invalid Timestamp',
    'Invalid Timestamp: no such time',
  ])
})

test('a query with a wrong password or an unknown id gets an error', async () => {
  const { caller } = await started()
  const id = idOf(await caller.push())
  for (const answer of [await caller.query(id, { Password: 'd3Jvbmc=' }), await caller.query('ws_CO_0')])
    expect(answer).toMatchObject({ status: 500, body: { errorCode: '500.001.1001' } })
})

test.each([
  ['spike', 500, { errorCode: '500.003.02', errorMessage: 'Spike arrest violation' }],
  ['quota', 500, { errorCode: '500.003.03', errorMessage: 'Quota violation' }],
  ['busy', 500, { errorCode: '500.003.02', errorMessage: 'The system is busy' }],
  ['front_spike', 429, { fault: { detail: { errorcode: 'policies.ratelimit.SpikeArrestViolation' } } }],
  ['front_quota', 429, { fault: { detail: { errorcode: 'policies.ratelimit.QuotaViolation' } } }],
])('rejects a push over the rate limit as %s, and accepts no order', async (value, status, body) => {
  const { simulator, caller } = await started({ effect: { do: 'quirk', name: 'throttled', value } })
  expect(await caller.push()).toMatchObject({ status, body })
  expect(simulator.world.orders.all()).toEqual([])
  expect(await caller.push()).toMatchObject({ status: 200 })
})
