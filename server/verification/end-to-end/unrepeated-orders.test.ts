import { beforeEach, expect, test } from 'vitest'
import type { Rail, RailAnswer, RailKnowledge, RailOrder } from '../../actions/ports/rail.ts'
import { listStuck, findTransactions } from '../../admin/queries/transactions.ts'
import { POLL_RAIL_AFTER_MS, GIVE_UP_AFTER_MS } from '../../domain/transaction.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { collect, uniqueReference, verify } from '../testing/requests.ts'
import { OWN_RAILS } from '../testing/sandbox-rails.ts'

// An operator without idempotency (M-PESA's STK push): sending the same order twice charges the customer twice, and an
// order whose reply was lost cannot be looked up by any number of ours.

const sent: RailOrder[] = []
let answers: RailAnswer[] = []
let known: RailKnowledge = { knows: 'unreachable', error: 'it has no number of this order' }
const operator: Rail = {
  traitsOf: () => ({ repeat: 'never', pollAfterMs: () => POLL_RAIL_AFTER_MS }),
  async submit(orders) {
    sent.push(...orders)
    return orders.map(() => answers.shift() ?? { answer: 'accepted' })
  },
  query: async (orders) => orders.map(() => known),
}
const { gateway, clock, after } = await gatewayTest({ surroundings: { rails: { mtn_ug: operator } }, env: OWN_RAILS })

beforeEach(() => {
  sent.length = 0
  answers = []
  known = { knows: 'unreachable', error: 'it has no number of this order' }
})

const lost: RailAnswer = { answer: 'unreachable', error: 'the reply was cut off' }
async function collected(...given: RailAnswer[]): Promise<string> {
  answers = given
  const merchant_reference = uniqueReference()
  expect((await collect(gateway.url, { merchant_reference })).status).toBe(202)
  await gateway.runDue()
  return merchant_reference
}
const statusOf = async (reference: string) => (await verify(gateway.url, reference)).body.data.transaction_status
async function isListed(reference: string): Promise<boolean> {
  const stuck = await listStuck(gateway.pool, { before: new Date(0), merchantId: undefined, limit: 10 })
  return stuck.some(({ merchantReference, isOutcomeUnknown }) => merchantReference === reference && isOutcomeUnknown)
}
const eventsOf = async (reference: string) => {
  const { rows } = await gateway.pool.query<{ kind: string }>(
    `select e.kind from transaction_events e join transactions t on t.id = e.transaction_id
     where t.merchant_reference = $1 order by e.id`,
    [reference],
  )
  return rows.map(({ kind }) => kind)
}

// The order is listed at once.
test('never resends an order without a reply: it polls for days until a result', async () => {
  const reference = await collected(lost)
  expect(await isListed(reference)).toBe(true)
  for (let day = 0; day < 3; day += 1) await after(GIVE_UP_AFTER_MS)
  expect(sent).toHaveLength(1)
  expect(await statusOf(reference)).toBe('PROCESSING')
  expect(await eventsOf(reference)).toEqual(['submitted', 'unresolved', 'rail_asked', 'rail_asked'])

  known = { knows: 'outcome', outcome: { status: 'COMPLETED' } }
  await after(POLL_RAIL_AFTER_MS)
  expect(await statusOf(reference)).toBe('COMPLETED')
  expect(await isListed(reference)).toBe(false)
  expect(sent).toHaveLength(1)
  await expectBalancedBooks(gateway)
})

test('an operator that does not know it is no reason to send it again', async () => {
  const reference = await collected(lost)
  known = { knows: 'nothing_moved' }
  await after(2 * GIVE_UP_AFTER_MS)
  expect([sent.length, await statusOf(reference)]).toEqual([1, 'PROCESSING'])
})

test('resends what certainly never arrived under a new id; fails it after a day', async () => {
  const notSent: RailAnswer = { answer: 'not_sent', error: 'connection refused' }
  const reference = await collected(notSent, notSent)
  await after(1_000)
  await after(2_000)
  expect(sent).toHaveLength(3)
  expect(new Set(sent.map(({ orderId }) => orderId)).size).toBe(3)
  expect(new Set(sent.map(({ internalReference }) => internalReference)).size).toBe(1)
  known = { knows: 'outcome', outcome: { status: 'COMPLETED' } }
  await after(POLL_RAIL_AFTER_MS)
  expect(await statusOf(reference)).toBe('COMPLETED')

  const late = await collected(notSent)
  clock.advance(GIVE_UP_AFTER_MS)
  await gateway.runDue()
  expect([sent.length, await statusOf(late)]).toEqual([4, 'FAILED'])
})

test("commits an order's id before sending it; the operator finds the payment by it", async () => {
  let committed: unknown
  const { submit } = operator
  operator.submit = async (orders) => {
    const [found] = await findTransactions(gateway.pool, orders[0]?.orderId ?? '', undefined)
    committed = found?.railOrderId
    return submit(orders)
  }
  const reference = await collected()
  operator.submit = submit
  expect(committed).toBe(sent[0]?.orderId)
  expect(committed).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect((await findTransactions(gateway.pool, String(committed), undefined))[0]?.merchantReference).toBe(reference)
})

// Nobody knows whether the order was sent.
test('a process that dies between commit and call leaves an unknown outcome', async () => {
  const reference = await collected({ answer: 'accepted' })
  // As if that process had got no further than its commit.
  await gateway.pool.query(`update jobs set kind = 'submitToRail', due_at = $1 where kind = 'pollRail'`, [clock.now()])
  await gateway.runDue()
  expect(sent).toHaveLength(1)
  expect(await isListed(reference)).toBe(true)
})

test('a rail that throws or returns too little leaves the same unknown outcome', async () => {
  const { submit } = operator
  operator.submit = async (orders) => {
    sent.push(...orders)
    throw new Error('the adapter is broken')
  }
  const reference = await collected()
  operator.submit = submit
  await after(GIVE_UP_AFTER_MS)
  expect([sent.length, await statusOf(reference)]).toEqual([1, 'PROCESSING'])
})
