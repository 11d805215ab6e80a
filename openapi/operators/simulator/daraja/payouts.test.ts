import { constants, publicEncrypt } from 'node:crypto'
import { expect, test } from 'vitest'
import { credentialOf, CUSTOMER, darajaWithMerchant } from './testing/daraja-caller.ts'
import { advance } from '../testing/simulated.ts'
import { PAYOUT_RESULTS } from './contract.ts'
import { SIMULATED_MERCHANT } from './simulated-merchant.ts'

const ID = '6f0e2a6c-51b7-4a3f-8f0b-0d8f9a2c4e10'

test('queues a payout, and posts its result with the receipt to ResultURL', async () => {
  const { simulator, merchant, caller } = await darajaWithMerchant()
  const { status, body } = await caller.payOut()
  expect({ status, body }).toMatchObject({ status: 200, body: { OriginatorConversationID: ID, ResponseCode: '0' } })
  expect(merchant.received).toEqual([])
  await advance(simulator, 10_000)
  const [receipt] = simulator.world.orders.all().flatMap(({ receipts }) => receipts)
  expect(merchant.received).toMatchObject([
    {
      method: 'POST',
      path: '/result',
      body: {
        Result: {
          ResultType: 0,
          ResultCode: 0,
          OriginatorConversationID: ID,
          ConversationID: body.ConversationID,
          TransactionID: receipt,
          ResultParameters: {
            ResultParameter: expect.arrayContaining([
              { Key: 'TransactionAmount', Value: 20_000 },
              { Key: 'TransactionReceipt', Value: receipt },
            ]),
          },
        },
      },
    },
  ])
  expect(simulator.world.accounts.balanceOf(SIMULATED_MERCHANT.payoutShortCode)).toBe('980000')
  expect(simulator.world.phones.messages(CUSTOMER)[0]?.text).toContain('received KES 20000')
})

test('refuses a repeated OriginatorConversationID, during and after, and pays once', async () => {
  const { simulator, caller } = await darajaWithMerchant()
  await caller.payOut()
  const again = { status: 500, body: { errorCode: '500.002.1001' } }
  expect(await caller.payOut()).toMatchObject(again)
  await advance(simulator, 10_000)
  expect(await caller.payOut({ Amount: 1 })).toMatchObject(again)
  await advance(simulator, 10_000)
  expect(simulator.world.orders.all().map(({ moved }) => moved)).toEqual([1])
})

test.each([
  ['another password', { SecurityCredential: credentialOf('wrong') }],
  ['another initiator', { InitiatorName: 'somebody' }],
  ['a password that is not encrypted', { SecurityCredential: 'c2ltdWxhdG9yLWluaXRpYXRvci1wYXNzd29yZA==' }],
  [
    'a password in another padding',
    {
      SecurityCredential: publicEncrypt(
        { key: SIMULATED_MERCHANT.certificate, padding: constants.RSA_PKCS1_OAEP_PADDING },
        Buffer.from(SIMULATED_MERCHANT.initiatorPassword),
      ).toString('base64'),
    },
  ],
])('reports %s as a result, after queueing', async (_what, fields) => {
  const { simulator, merchant, caller } = await darajaWithMerchant()
  expect((await caller.payOut(fields)).status).toBe(200)
  await advance(simulator, 10_000)
  expect(merchant.received).toMatchObject([{ path: '/result', body: { Result: { ResultCode: 2001 } } }])
  expect(simulator.world.accounts.balanceOf(SIMULATED_MERCHANT.payoutShortCode)).toBe('1000000')
})

test('an account with too little money pays nothing', async () => {
  const { simulator, merchant, caller } = await darajaWithMerchant()
  await caller.payOut({ Amount: 1_000_001 })
  await advance(simulator, 10_000)
  expect(merchant.received).toMatchObject([{ body: { Result: { ResultCode: 1 } } }])
})

// A number can only end with digits.
test.each(Object.keys(PAYOUT_RESULTS).filter((code) => /^\d+$/.test(code)))(
  'the test number of result %s produces it',
  async (code) => {
    const { simulator, merchant, caller } = await darajaWithMerchant()
    await caller.payOut({ PartyB: `25470000${code.padStart(4, '0')}` })
    await advance(simulator, 10_000)
    expect(merchant.received).toMatchObject([
      { body: { Result: { ResultCode: Number(code), ResultDesc: PAYOUT_RESULTS[code] } } },
    ])
  },
)

test('a payout to the test number of a payout in flight has no result', async () => {
  const { simulator, merchant, caller } = await darajaWithMerchant()
  await caller.payOut({ PartyB: '254700004999' })
  await advance(simulator, 24 * 3_600_000)
  expect(merchant.received).toEqual([])
})

test('a queue time-out is no failure: the result comes after it', async () => {
  const { simulator, merchant, caller } = await darajaWithMerchant({ effect: { do: 'quirk', name: 'queue_time_out' } })
  await caller.payOut()
  await advance(simulator, 1_000)
  expect(merchant.received).toMatchObject([{ path: '/time-out', body: { Result: { OriginatorConversationID: ID } } }])
  await advance(simulator, 10_000)
  expect(merchant.received.map(({ path }) => path)).toEqual(['/time-out', '/result'])
  expect(simulator.world.orders.all()).toMatchObject([{ state: 'succeeded', moved: 1 }])
})

test('a result may have its code as a text', async () => {
  const { simulator, merchant, caller } = await darajaWithMerchant({ effect: { do: 'quirk', name: 'code_as_text' } })
  await caller.payOut({ PartyB: '254700002001' })
  await advance(simulator, 10_000)
  expect(merchant.received).toMatchObject([{ body: { Result: { ResultCode: '2001' } } }])
})
