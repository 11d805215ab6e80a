import { expect, test } from 'vitest'
import { CUSTOMER, darajaWithMerchant } from './testing/daraja-caller.ts'
import { advance } from '../testing/simulated.ts'

/** Of a paid push: its receipt, and the codes of all results of reversals. */
async function paidPush() {
  const { simulator, merchant, caller } = await darajaWithMerchant()
  await caller.push({ PhoneNumber: '254700000000' })
  await advance(simulator, 10_000)
  const [receipt = ''] = simulator.world.orders.all().flatMap(({ receipts }) => receipts)
  const results = () =>
    merchant.received
      .filter(({ path }) => path === '/reversal')
      .map(({ body }) => (body as { Result: Readonly<Record<string, unknown>> }).Result)
  return { simulator, caller, receipt, results }
}

test('reverses a payment once, whatever is asked later', async () => {
  const { simulator, caller, receipt, results } = await paidPush()
  for (const _time of [1, 2]) expect(await caller.reverse({ TransactionID: receipt })).toMatchObject({ status: 200 })
  await advance(simulator, 10_000)
  expect(results().map(({ ResultCode }) => ResultCode)).toEqual(expect.arrayContaining([0, 'R000001']))
  expect(results().find(({ ResultCode }) => ResultCode === 0)).toMatchObject({
    ResultParameters: {
      ResultParameter: expect.arrayContaining([
        { Key: 'Amount', Value: 500 },
        { Key: 'OriginalTransactionID', Value: receipt },
      ]),
    },
  })
  expect(simulator.world.orders.all().filter(({ kind, moved }) => kind === 'reversal' && moved > 0)).toHaveLength(1)
})

test('refuses an unknown receipt, a part and a wrong initiator by a result', async () => {
  const { simulator, caller, receipt, results } = await paidPush()
  await caller.reverse({ TransactionID: 'SIM9999999' })
  await caller.reverse({ TransactionID: receipt, Amount: 499 })
  await caller.reverse({ TransactionID: receipt, Initiator: CUSTOMER })
  await advance(simulator, 10_000)
  expect(results().map(({ ResultCode }) => ResultCode)).toEqual(['R000002', 2006, 2001])
})
