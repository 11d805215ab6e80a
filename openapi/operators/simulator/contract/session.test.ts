import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { CONTRACT } from '../mtn-momo/contract.ts'
import { ANYBODY, mtnCaller, type MtnCaller } from '../testing/mtn-caller.ts'
import { advance, postForm, receiver, simulatedMtn } from '../testing/simulated.ts'
import { ownFaults } from './faults.ts'

const faults = ownFaults(CONTRACT)
const numbers = [
  ANYBODY,
  '256770000001',
  ...CONTRACT['x-test-numbers'].map(({ number }) => number).filter((number) => number !== 'other'),
]
const products = ['collection', 'disbursement', 'remittance'] as const
const party = (partyId: string) => ({ partyIdType: 'MSISDN', partyId })

/** Actions of a rail, a customer and time, valid and invalid. */
const step = fc.oneof(
  fc.record({
    do: fc.constantFrom('collect' as const, 'payOut' as const),
    msisdn: fc.constantFrom(...numbers),
    amount: fc.constantFrom('1', '5000', '12.50', '0.00001', 'x', '99999999'),
    currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'UGX', ''),
    id: fc.option(fc.uuid({ version: [1, 4] }), { nil: undefined }),
    environment: fc.constantFrom('sandbox', 'sandbox', 'sandbox', 'mtnuganda', ''),
    calls: fc.boolean(),
  }),
  fc.record({ do: fc.constant('refund' as const), nth: fc.nat(20), amount: fc.constantFrom('1', '5000') }),
  fc.record({ do: fc.constantFrom('ask' as const, 'notify' as const), nth: fc.nat(20), bad: fc.boolean() }),
  fc.record({
    do: fc.constant('look' as const),
    product: fc.constantFrom(...products),
    what: fc.constantFrom(
      'account/balance',
      ...numbers.flatMap((number) => [
        `accountholder/msisdn/${number}/active`,
        `accountholder/msisdn/${number}/basicuserinfo`,
      ]),
      'accountholder/email/x/active',
    ),
    token: fc.constantFrom(undefined, undefined, 'Bearer wrong'),
  }),
  fc.record({
    do: fc.constant('decide' as const),
    nth: fc.nat(20),
    decision: fc.constantFrom('approved', 'wrong_pin', 'cancelled', 'expired'),
  }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(500, 5_000, 60_000, 400_000) }),
  fc.record({
    do: fc.constant('odd' as const),
    name: fc.constantFrom('reason_object', 'login_failed_500', 'not_visible', 'holder_active'),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

test('every reply and every callback fits the contract, whatever happens', async () => {
  const statuses = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 90 }), async (steps) => {
      const simulator = await simulatedMtn()
      const merchant = await receiver()
      const mtn = mtnCaller(simulator)
      const known: string[] = []
      for (const one of steps) await take(one, { simulator, mtn, merchantUrl: merchant.url, known })
      await advance(simulator, 1_000_000)
      const exchanges = simulator.world.exchanges.all()
      for (const { operation, status } of exchanges) statuses.add(`${operation} ${status}`)
      expect(exchanges.filter((exchange) => exchange.faults.length > 0)).toEqual([])
      expect(simulator.world.orders.all().filter(({ moved }) => moved > 1)).toEqual([])
    }),
    // A session is a few hundred calls; a failed seed is printed, with its shrunk steps.
    { numRuns: 6 },
  )
  expect(statuses.size).toBeGreaterThan(30)
}, 300_000)

test('the check detects what the contract does not declare', () => {
  const good = { amount: '1', currency: 'EUR', externalId: 'x', status: 'PENDING' }
  expect(faults.ofReply('getRequestToPayStatus', { status: 200, body: good })).toEqual([])
  expect(faults.ofReply('getRequestToPayStatus', { status: 200, body: { ...good, amount: 1 } })).toEqual([
    'body/amount must be string',
  ])
  expect(faults.ofReply('getRequestToPayStatus', { status: 200 })).toEqual(['200 has no body'])
  expect(faults.ofReply('getRequestToPayStatus', { status: 418, body: {} })).toEqual([
    'getRequestToPayStatus declares no 418',
  ])
  expect(faults.ofReply('requestToPay', { status: 202, body: {} })).toEqual(['202 declares no application/json'])
  expect(faults.ofCallback('requestToPayCallbackByPut', {})).toHaveLength(1)
  expect(faults.ofCallback('nothing', {})).toEqual(['there is no callback nothing'])
})

interface Session {
  readonly simulator: Awaited<ReturnType<typeof simulatedMtn>>
  readonly mtn: MtnCaller
  readonly merchantUrl: string
  /** Reference ids of collections. */
  readonly known: string[]
}

async function take(one: Step, { simulator, mtn, merchantUrl, known }: Session): Promise<void> {
  const nth = (index: number): string =>
    known[index % Math.max(known.length, 1)] ?? '3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11'
  switch (one.do) {
    case 'collect':
    case 'payOut': {
      const { amount, currency, msisdn } = one
      const headers = {
        ...(one.id !== undefined && { 'x-reference-id': one.id }),
        ...(one.calls && { 'x-callback-url': `${merchantUrl}/x` }),
        'x-target-environment': one.environment,
      }
      const sides = { payer: party(msisdn), payee: party(msisdn) }
      if (one.do === 'payOut') await mtn.payOut({ amount, currency, payee: sides.payee }, headers)
      else known.push((await mtn.collect({ amount, currency, payer: sides.payer }, headers)).id)
      return
    }
    case 'refund': {
      const body = { amount: one.amount, currency: 'EUR', externalId: 'r', referenceIdToRefund: nth(one.nth) }
      await mtn.call('POST', '/disbursement/v1_0/refund', { body, headers: { 'x-reference-id': crypto.randomUUID() } })
      return
    }
    case 'ask':
      await mtn.call('GET', `/collection/v1_0/requesttopay/${one.bad ? 'bad' : nth(one.nth)}`)
      return
    case 'notify': {
      const body = { notificationMessage: 'x'.repeat(one.bad ? 161 : 10) }
      await mtn.call('POST', `/collection/v1_0/requesttopay/${nth(one.nth)}/deliverynotification`, { body })
      return
    }
    case 'look':
      await mtn.call('GET', `/${one.product}/v1_0/${one.what}`, {
        headers: one.token === undefined ? {} : { authorization: one.token },
      })
      return
    case 'decide': {
      const order = simulator.world.orders.find('collection', nth(one.nth))
      if (order)
        await postForm(`${simulator.url}/phone/${order.msisdn}`, {
          order: order.id,
          decision: one.decision,
          pin: '1234',
        })
      return
    }
    case 'wait':
      await advance(simulator, one.ms)
      return
    case 'odd':
      simulator.scenarios.add([
        { effect: { do: 'quirk', name: one.name, ...(one.name === 'holder_active' && { value: 'bare' }) } },
      ])
  }
}
