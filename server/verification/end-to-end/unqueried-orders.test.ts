import { beforeEach, expect, test } from 'vitest'
import type { Rail, RailAnswer, RailKnowledge, RailOrder } from '../../actions/ports/rail.ts'
import { POLL_RAIL_AFTER_MS, GIVE_UP_AFTER_MS } from '../../domain/transaction.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { collect, uniqueReference, verify } from '../testing/requests.ts'
import { OWN_RAILS } from '../testing/sandbox-rails.ts'

// An operator that deduplicates orders by our id but replies to queries only by callback (M-PESA's B2C): sending the
// same
// order again shows whether it has arrived.

const sent: RailOrder[] = []
const requested: RailOrder[] = []
let answers: RailAnswer[] = []
const byCallback: RailKnowledge = { knows: 'unreachable', error: 'the answer comes by callback' }
let known: RailKnowledge = byCallback
const operator: Rail = {
  traitsOf: () => ({ repeat: 'safe', unanswered: 'repeat', pollAfterMs: () => POLL_RAIL_AFTER_MS }),
  async submit(orders) {
    sent.push(...orders)
    return orders.map(() => answers.shift() ?? { answer: 'accepted' })
  },
  async query(orders) {
    requested.push(...orders)
    return orders.map(() => known)
  },
}
const { gateway, clock, after } = await gatewayTest({ surroundings: { rails: { mtn_ug: operator } }, env: OWN_RAILS })

beforeEach(() => {
  sent.length = 0
  requested.length = 0
  known = byCallback
})

async function collected(...given: RailAnswer[]): Promise<string> {
  answers = given
  const merchant_reference = uniqueReference()
  expect((await collect(gateway.url, { merchant_reference })).status).toBe(202)
  await gateway.runDue()
  return merchant_reference
}

test.each<RailAnswer>([
  { answer: 'unreachable', error: 'the reply was cut off' },
  { answer: 'not_sent', error: 'no turn within 5 s' },
])('resends an order without a reply under the same id and never polls it: %j', async (lost) => {
  const reference = await collected(lost, lost)
  await after(1_000)
  await after(2_000)
  expect([sent.length, requested.length]).toEqual([3, 0])
  expect(new Set(sent.map(({ orderId }) => orderId)).size).toBe(1)
  known = { knows: 'outcome', outcome: { status: 'COMPLETED' } }
  await after(POLL_RAIL_AFTER_MS)
  expect([sent.length, requested.length]).toEqual([3, 1])
  expect((await verify(gateway.url, reference)).body.data.transaction_status).toBe('COMPLETED')
})

test('an order without a reply for a day is only polled, and never failed for it', async () => {
  const reference = await collected({ answer: 'unreachable', error: 'the reply was cut off' })
  clock.advance(GIVE_UP_AFTER_MS)
  await gateway.runDue()
  expect([sent.length, requested.length]).toEqual([1, 1])
  expect((await verify(gateway.url, reference)).body.data.transaction_status).toBe('PROCESSING')
})
