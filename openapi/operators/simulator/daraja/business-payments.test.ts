import { expect, test } from 'vitest'
import { advance } from '../testing/simulated.ts'
import { SIMULATED_MERCHANT } from './simulated-merchant.ts'
import { credentialOf, darajaWithMerchant } from './testing/daraja-caller.ts'

const { payBill, payoutShortCode, initiatorName, initiatorPassword } = SIMULATED_MERCHANT

async function banks() {
  const { simulator, merchant, caller } = await darajaWithMerchant()
  const initiator = { Initiator: initiatorName, SecurityCredential: credentialOf(initiatorPassword), Remarks: 'P7T2W' }
  const urls = { QueueTimeOutURL: `${merchant.url}/time-out`, ResultURL: `${merchant.url}/result` }
  const pay = (fields: object = {}) =>
    caller.post('payBusiness', {
      ...initiator,
      ...urls,
      CommandID: 'BusinessPayBill',
      SenderIdentifierType: '4',
      RecieverIdentifierType: '4',
      Amount: 20_000,
      PartyA: payBill,
      PartyB: '600000',
      AccountReference: '0123456789012',
      ...fields,
    })
  const hold = (PartyA: string) =>
    caller.post('queryBalance', { ...initiator, ...urls, CommandID: 'AccountBalance', PartyA, IdentifierType: '4' })
  return { simulator, merchant, caller, pay, hold }
}

test('pays a business as often as it is asked, and finds each by its conversation', async () => {
  const { simulator, merchant, caller, pay } = await banks()
  const { body } = await pay()
  await pay()
  await advance(simulator, 5_000)
  expect(merchant.received).toMatchObject([
    {
      body: {
        Result: {
          ResultCode: 0,
          OriginatorConversationID: body['OriginatorConversationID'],
          ResultParameters: { ResultParameter: expect.arrayContaining([{ Key: 'Amount', Value: '20000.00' }]) },
        },
      },
    },
    { body: { Result: { ResultCode: 0 } } },
  ])
  expect(simulator.world.accounts.balanceOf(payBill)).toBe('960000')
  await caller.askStatus({ OriginalConversationID: body['OriginatorConversationID'], PartyA: payBill })
  await advance(simulator, 5_000)
  expect(JSON.stringify(merchant.received.at(-1)?.body)).toContain('"Completed"')
})

test('reports a failure with one parameter that is no list', async () => {
  const { simulator, merchant, pay } = await banks()
  await pay({ SecurityCredential: credentialOf('wrong') })
  await advance(simulator, 5_000)
  expect(merchant.received).toMatchObject([
    { body: { Result: { ResultCode: 2001, ResultParameters: { ResultParameter: { Key: 'BOCompletedTime' } } } } },
  ])
})

test('reports what a short code holds by a message', async () => {
  const { simulator, merchant, hold } = await banks()
  await hold(payBill)
  await hold(payoutShortCode)
  await advance(simulator, 5_000)
  expect(JSON.stringify(merchant.received)).toContain('Working Account|KES|1000000.00|1000000.00|0.00|0.00')
  expect(JSON.stringify(merchant.received)).toContain('Utility Account|KES|1000000.00|1000000.00|0.00|0.00')
})
