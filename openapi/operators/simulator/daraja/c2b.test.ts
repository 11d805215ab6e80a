import { expect, test } from 'vitest'
import { advance, postForm } from '../testing/simulated.ts'
import { SIMULATED_MERCHANT } from './simulated-merchant.ts'
import { CUSTOMER, darajaWithMerchant } from './testing/daraja-caller.ts'

const { payBill } = SIMULATED_MERCHANT

async function registered() {
  const { simulator, merchant, caller } = await darajaWithMerchant()
  const addresses = { ConfirmationURL: `${merchant.url}/paid`, ValidationURL: `${merchant.url}/wanted` }
  const register = (ResponseType = 'Completed') =>
    caller.post('registerUrls', { ShortCode: payBill, ResponseType, ...addresses })
  const pay = (fields: object = {}) =>
    postForm(`${simulator.url}/phone/${CUSTOMER}/payments`, {
      account: payBill,
      amount: '750',
      reference: 'INV 7',
      ...fields,
    })
  return { simulator, merchant, caller, register, pay }
}

test('a payment that nobody asked for is announced, reported and listed', async () => {
  const { simulator, merchant, caller, register, pay } = await registered()
  expect((await register()).body).toMatchObject({ ResponseCode: '0' })
  expect(await register()).toMatchObject({ status: 500, body: { errorCode: '500.003.1001' } })
  merchant.says = { ResultCode: '0', ResultDesc: 'Accepted' }
  for (let times = 0; times < 2; times += 1) expect((await pay()).status).toBe(303)
  await advance(simulator, 1_000)
  const { received } = merchant
  expect(received.map(({ path }) => path).toSorted()).toEqual(['/paid', '/paid', '/wanted', '/wanted'])
  const paid = received.find(({ path }) => path === '/paid')?.body as Readonly<Record<string, string>>
  expect(paid).toMatchObject({ BusinessShortCode: payBill, TransAmount: '750.00', BillRefNumber: 'INV 7' })
  const { body } = await caller.pull()
  expect(body).toMatchObject({ Response: [[{ transactionId: paid['TransID'], billreference: 'INV 7' }, {}]] })
  const orders = await (await fetch(`${simulator.url}/simulator/orders`)).json()
  expect(orders).toMatchObject({ moved: 0, moved_more_than_once: [] })
})

test('a payment that the merchant refuses, or that makes no sense, moves nothing', async () => {
  const { simulator, merchant, register, pay } = await registered()
  await register()
  merchant.says = { ResultCode: 'C2B00012', ResultDesc: 'Rejected' }
  const answers = [await pay(), await pay({ amount: '0' }), await pay({ account: '1' }), await pay({ reference: '' })]
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400])
  expect(await answers[0]?.text()).toContain('The merchant does not take it.')
  expect(simulator.world.orders.all()).toEqual([])
})

test('an unanswered validation ends as the short code was registered', async () => {
  const statuses = ['Completed', 'Cancelled'].map(async (responseType) => {
    const { merchant, register, pay } = await registered()
    await register(responseType)
    merchant.answer = 500
    return (await pay()).status
  })
  expect(await Promise.all(statuses)).toEqual([303, 400])
})

test('a payment that the API plays is asked about and reported', async () => {
  const { simulator, merchant, caller, register } = await registered()
  await register()
  merchant.says = { ResultCode: '0', ResultDesc: 'Accepted' }
  const played = { ShortCode: payBill, CommandID: 'CustomerPayBillOnline', Amount: 500, Msisdn: CUSTOMER }
  const { body } = await caller.post('simulateC2b', { ...played, BillRefNumber: 'INV-7' })
  expect(body).toMatchObject({ ResponseCode: '0' })
  await advance(simulator, 1_000)
  expect(merchant.received.map(({ path, body: sent }) => [path, sent])).toMatchObject([
    ['/wanted', { BillRefNumber: 'INV-7' }],
    ['/paid', { BillRefNumber: 'INV-7', TransAmount: '500.00' }],
  ])
})
