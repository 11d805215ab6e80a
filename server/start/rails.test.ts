import { expect, test } from 'vitest'
import { SIMULATORS, startSimulator } from '../../openapi/operators/simulator/index.ts'
import type { Rail, RailAnswer, RailOrder } from '../actions/ports/rail.ts'
import { POLL_RAIL_AFTER_MS, type RailOutcome } from '../domain/transaction.ts'
import { present } from '../domain/present.ts'
import { installRail } from '../verification/testing/installed-rail.ts'
import { startTestGateway } from '../verification/testing/gateway.ts'
import { gatewayTest } from '../verification/testing/gateway-test.ts'
import { collect, verify } from '../verification/testing/requests.ts'

// The steps in the recipe for a new rail are sufficient: an implementation of Rail, and a provider that uses it.

const orders: RailOrder[] = []
const REFUSALS = new Map<string, RailAnswer>([
  ['101', { answer: 'refused', reason: 'No such account', code: 'account_not_found' }],
  ['102', { answer: 'refused', reason: 'For a reason that nobody has mapped' }],
])
const FAILURES = new Map<string, RailOutcome>([
  ['103', { status: 'FAILED', reason: 'Too much for one day', code: 'limit_reached' }],
  ['104', { status: 'FAILED', reason: 'For a reason that nobody has mapped' }],
])
const operator: Rail = {
  traitsOf: () => ({ repeat: 'safe', pollAfterMs: () => POLL_RAIL_AFTER_MS }),
  async submit(given) {
    orders.push(...given)
    return given.map(({ account }) => REFUSALS.get(account.slice(-3)) ?? { answer: 'accepted' })
  },
  query: async (given) =>
    given.map(({ account }) => ({
      knows: 'outcome',
      outcome: FAILURES.get(account.slice(-3)) ?? { status: 'COMPLETED' },
    })),
}

const { gateway, clock, database } = await gatewayTest({ surroundings: { rails: { airtel_ug: operator } } })

async function inTime(): Promise<void> {
  for (let minute = 0; minute < 10; minute += 1) {
    await gateway.runDue()
    clock.advance(60_000)
  }
  await gateway.runDue()
}

test("orders go to their provider's rail only, and that rail's knowledge counts", async () => {
  for (const [provider_code, msisdn, merchant_reference] of [
    ['airtel_ug', '256752000002', 'RAIL-OPERATOR-1'],
    ['mtn_ug', '256772000002', 'RAIL-SIMULATED-1'],
  ])
    expect((await collect(gateway.url, { provider_code, msisdn, merchant_reference })).status).toBe(202)
  await inTime()
  expect(orders.map(({ providerCode, account }) => [providerCode, account])).toEqual([['airtel_ug', '256752000002']])
  // The simulator fails numbers that end in 002; the operator completes them.
  const states = await Promise.all(['RAIL-OPERATOR-1', 'RAIL-SIMULATED-1'].map((name) => verify(gateway.url, name)))
  expect(states.map(({ body }) => body.data.transaction_status)).toEqual(['COMPLETED', 'FAILED'])
})

test.each([
  ['that refuses an order', '101', 'No such account', 'account_not_found'],
  ['that refuses an order without a code', '102', 'For a reason that nobody has mapped', undefined],
  ['that is polled', '103', 'Too much for one day', 'limit_reached'],
  ['that is polled and returns none', '104', 'For a reason that nobody has mapped', undefined],
])('the failure code of a rail %s reaches the merchant unchanged', async (_rail, ending, reason, code) => {
  const merchant_reference = `RAIL-FAILED-${ending}`
  const msisdn = `256752000${ending}`
  expect((await collect(gateway.url, { provider_code: 'airtel_ug', msisdn, merchant_reference })).status).toBe(202)
  await inTime()
  const { data } = (await verify(gateway.url, merchant_reference)).body
  expect(data).toMatchObject({ transaction_status: 'FAILED', status_message: reason })
  expect(data.failure_code).toBe(code)
})

test('keeps an exchange with an operator even when the process stops right after it', async () => {
  const operatorOf = present(SIMULATORS['mtn-momo'], 'the simulator of MTN')
  const mtn = await startSimulator(operatorOf({ currency: 'UGX' }))
  const stopping = await startTestGateway({ connection: database.connection, surroundings: { clock } })
  try {
    await installRail(stopping, mtn, {
      name: 'mtn-uganda',
      providers: ['mtn_ug'],
      settings: { target_environment: 'sandbox' },
    })
    expect((await collect(stopping.url, { merchant_reference: 'RAIL-KEPT', msisdn: '256772000009' })).status).toBe(202)
    await stopping.runDue()
  } finally {
    await stopping.stop()
    await mtn.close()
  }
  const { rows } = await gateway.pool.query<{ purpose: string }>(
    'select distinct purpose from operator_exchanges order by 1',
  )
  expect(rows).toEqual([{ purpose: 'submit' }, { purpose: 'token' }])
})
