import { beforeEach, expect, test } from 'vitest'
import type { Rail, RailAnswer, RailKnowledge, RailOrder } from '../../actions/ports/rail.ts'
import { listStuck, findTransactions } from '../../admin/queries/transactions.ts'
import { POLL_RAIL_AFTER_MS, GIVE_UP_AFTER_MS } from '../../domain/transaction.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { eventsOf } from '../testing/history.ts'
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
const { gateway, after } = await gatewayTest({ surroundings: { rails: { mtn_ug: operator } }, env: OWN_RAILS })

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
const kindsOf = async (reference: string) => (await eventsOf(gateway, reference)).map(({ kind }) => kind)

// The order is listed at once.
test('never resends an order without a reply: it polls for days until a result', async () => {
  const reference = await collected(lost)
  expect(await isListed(reference)).toBe(true)
  await after(GIVE_UP_AFTER_MS)
  // That the operator does not know the order neither fails it nor sends it again.
  known = { knows: 'nothing_moved' }
  for (let day = 1; day < 3; day += 1) await after(GIVE_UP_AFTER_MS)
  expect(sent).toHaveLength(1)
  expect(await statusOf(reference)).toBe('PROCESSING')
  expect(await kindsOf(reference)).toEqual(['submitted', 'unresolved', 'rail_asked', 'rail_asked'])

  known = { knows: 'outcome', outcome: { status: 'COMPLETED' } }
  await after(POLL_RAIL_AFTER_MS)
  expect(await statusOf(reference)).toBe('COMPLETED')
  expect(await isListed(reference)).toBe(false)
  expect(sent).toHaveLength(1)
  await expectBalancedBooks(gateway)
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
