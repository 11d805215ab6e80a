import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Simulator } from '../simulator.ts'
import { CUSTOMER, darajaCaller, simulatedDaraja, type DarajaCaller } from '../testing/daraja-caller.ts'
import { advance, postForm, receiver } from '../testing/simulated.ts'
import { QUIRKS } from './quirks.ts'
import { SIMULATED_MERCHANT } from './simulated-merchant.ts'

const { payBill, till, payoutShortCode } = SIMULATED_MERCHANT
const OPERATIONS = ['stkPush', 'queryStkPush', 'payOut', 'queryTransactionStatus', 'pullTransactions'] as const
const numbers = [CUSTOMER, '254799999999', '254700000000', '254700000001', '254700001032', '254700004999', 'x']
const shortCodes = [payBill, payBill, payoutShortCode, till, '888888']

/** Actions of a rail, a customer and time, valid and invalid. */
const step = fc.oneof(
  fc.record({
    do: fc.constant('push' as const),
    PhoneNumber: fc.constantFrom(...numbers),
    Amount: fc.constantFrom<unknown>(1, 500, 99_999_999, 0, 1.5, '5'),
    BusinessShortCode: fc.constantFrom(...shortCodes),
    PartyB: fc.constantFrom(...shortCodes),
    TransactionType: fc.constantFrom('CustomerPayBillOnline', 'CustomerPayBillOnline', 'CustomerBuyGoodsOnline', 'x'),
    AccountReference: fc.string({ maxLength: 14 }),
  }),
  fc.record({ do: fc.constant('push' as const), PhoneNumber: fc.constantFrom(...numbers) }),
  fc.record({
    do: fc.constant('payOut' as const),
    PartyA: fc.constantFrom(...shortCodes),
    PartyB: fc.constantFrom(...numbers),
    Amount: fc.constantFrom<unknown>(10, 999_999, 0.5),
    OriginatorConversationID: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    InitiatorName: fc.constantFrom(SIMULATED_MERCHANT.initiatorName, 'somebody'),
  }),
  fc.record({ do: fc.constant('query' as const), nth: fc.nat(20) }),
  fc.record({
    do: fc.constant('askStatus' as const),
    OriginalConversationID: fc.constantFrom('a', 'b', 'z', undefined),
    PartyA: fc.constantFrom(...shortCodes),
  }),
  fc.record({
    do: fc.constant('pull' as const),
    OffSetValue: fc.constantFrom('0', '1', 'x'),
    ShortCode: fc.constantFrom(...shortCodes),
  }),
  fc.record({
    do: fc.constant('post' as const),
    operation: fc.constantFrom(...OPERATIONS),
    body: fc.jsonValue(),
    bad: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('decide' as const),
    nth: fc.nat(20),
    decision: fc.constantFrom('approved', 'wrong_pin', 'cancelled', 'expired'),
  }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(500, 5_000, 60_000, 130_000, 3_600_000) }),
  fc.record({ do: fc.constant('odd' as const), name: fc.constantFrom(...Object.keys(QUIRKS)) }),
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

test('every reply and every callback fits the contract, whatever happens', async () => {
  const statuses = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 90 }), async (steps) => {
      const simulator = await simulatedDaraja()
      const merchant = await receiver()
      const caller = darajaCaller(simulator, merchant.url)
      for (const one of steps) await take(one, simulator, caller)
      await advance(simulator, 10 * 60_000)
      const exchanges = simulator.world.exchanges.all()
      for (const { operation, status } of exchanges) statuses.add(`${operation} ${status}`)
      expect(exchanges.filter(({ faults, note = '' }) => faults.length > 0 || note.includes('simulator'))).toEqual([])
      expect(simulator.world.orders.all().filter(({ moved }) => moved > 1)).toEqual([])
    }),
    { numRuns: 6 },
  )
  for (const operation of OPERATIONS)
    expect([...statuses]).toEqual(expect.arrayContaining([`${operation} 200`, `${operation} 400`]))
  for (const callback of ['stkPushCallback', 'payOutResult', 'transactionStatusResult'])
    expect(statuses).toContain(`${callback} 200`)
}, 300_000)

async function take(one: Step, simulator: Simulator, caller: DarajaCaller): Promise<void> {
  const pushes = simulator.world.orders.all().filter(({ kind }) => kind === 'stkPush')
  switch (one.do) {
    case 'push':
    case 'payOut':
    case 'askStatus':
    case 'pull': {
      const { do: what, ...fields } = one
      await caller[what](fields)
      return
    }
    case 'query':
      await caller.query(pushes[one.nth % Math.max(pushes.length, 1)]?.id ?? 'ws_CO_0')
      return
    case 'post':
      await (one.bad ? caller.post(one.operation, one.body, 'wrong') : caller.post(one.operation, one.body))
      return
    case 'decide': {
      const order = pushes[one.nth % Math.max(pushes.length, 1)]
      if (order === undefined) return
      const form = { order: order.id, decision: one.decision, pin: '1234' }
      await postForm(`${simulator.url}/phone/${order.msisdn}`, form)
      return
    }
    case 'wait':
      await advance(simulator, one.ms)
      return
    case 'odd':
      simulator.scenarios.add([{ effect: { do: 'quirk', name: one.name } }])
  }
}
