import { expect, test } from 'vitest'
import { credentialOf, darajaWithMerchant } from './testing/daraja-caller.ts'
import { advance } from '../testing/simulated.ts'
import type { Scenario } from '../scenarios/effects.ts'
import { SIMULATED_MERCHANT } from './simulated-merchant.ts'

const ID = '6f0e2a6c-51b7-4a3f-8f0b-0d8f9a2c4e10'

async function started(...scenarios: Scenario[]) {
  const { simulator, merchant, caller } = await darajaWithMerchant(...scenarios)
  /** The result of a query, ten seconds later. */
  const found = async (fields: Readonly<Record<string, unknown>>) => {
    expect(await caller.askStatus(fields)).toMatchObject({ status: 200, body: { ResponseCode: '0' } })
    await advance(simulator, 10_000)
    const { body } = merchant.received.filter(({ path }) => path === '/status').at(-1) ?? {}
    return body
  }
  return { simulator, merchant, caller, found }
}

const withStatus = (status: string) => ({
  Result: {
    ResultCode: 0,
    ResultParameters: {
      ResultParameter: expect.arrayContaining([{ Key: 'TransactionStatus', Value: status }]) as unknown,
    },
  },
})

test('finds a payout by our id, by Daraja’s and by its receipt', async () => {
  const { simulator, caller, found } = await started()
  const { body } = await caller.payOut()
  await advance(simulator, 10_000)
  const [receipt] = simulator.world.orders.all().flatMap(({ receipts }) => receipts)
  for (const fields of [
    { OriginalConversationID: ID },
    { OriginalConversationID: body.ConversationID },
    { TransactionID: receipt },
  ])
    expect(await found(fields)).toMatchObject(withStatus('Completed'))
})

test('reports a payout as failed or in flight', async () => {
  const { caller, found } = await started()
  await caller.payOut({ PartyB: '254700000008' })
  await caller.payOut({ PartyB: '254700004999', OriginatorConversationID: 'waiting' })
  expect(await found({ OriginalConversationID: ID })).toMatchObject(withStatus('Declined'))
  expect(await found({ OriginalConversationID: 'waiting' })).toMatchObject(withStatus('Authorized'))
})

test('finds a push by its receipt only, and nothing of another short code', async () => {
  const { simulator, caller, found } = await started()
  const { body } = await caller.push({ PhoneNumber: '254700000000' })
  await advance(simulator, 10_000)
  const TransactionID = simulator.world.orders.all().flatMap(({ receipts }) => receipts)[0]
  const PartyA = SIMULATED_MERCHANT.payBill
  const nothing = { Result: { ResultCode: 2032 } }
  expect(await found({ TransactionID, PartyA })).toMatchObject(withStatus('Completed'))
  expect(await found({ TransactionID })).toMatchObject(nothing)
  for (const id of [body.CheckoutRequestID, body.MerchantRequestID, 'MLPRQZVFYDQT'])
    expect(await found({ OriginalConversationID: id, PartyA })).toMatchObject(nothing)
})

test('reports a wrong credential after queueing', async () => {
  const { found } = await started()
  expect(await found({ OriginalConversationID: ID, SecurityCredential: credentialOf('wrong') })).toMatchObject({
    Result: { ResultCode: 2001 },
  })
})

test('a query may time out in the queue, or its result be lost', async () => {
  const { simulator, merchant, caller } = await started(
    { effect: { do: 'quirk', name: 'queue_time_out', value: 5_000 } },
    { effect: { do: 'quirk', name: 'result_lost' } },
  )
  await caller.askStatus({ OriginalConversationID: ID })
  await caller.askStatus({ OriginalConversationID: ID })
  await advance(simulator, 60_000)
  expect(merchant.received.map(({ path }) => path)).toEqual(['/status-time-out'])
})
