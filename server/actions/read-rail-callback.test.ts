import { expect, test } from 'vitest'
import { present } from '../domain/present.ts'
import { createAcceptance } from '../storage/accept-transactions.ts'
import { createLookups } from '../storage/lookups.ts'
import { createRailCallbackStore } from '../storage/rail-callbacks.ts'
import { createSecretBox } from '../storage/secret-box.ts'
import { createStore } from '../storage/store.ts'
import { createJobStore } from '../storage/jobs.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { MASTER_KEY, seededRandom } from '../verification/testing/gateway.ts'
import { at, newTransaction, uniqueToken } from '../verification/testing/transactions.ts'
import type { NewTransaction } from './ports/acceptance.ts'
import type { CallbackReading, Rail, RailAnswer, RailKnowledge, RailOrder } from './ports/rail.ts'
import type { ReferenceData } from './ports/reference-data.ts'
import { createCallbackReading, type ReadCallbackDeps } from './read-rail-callback.ts'
import { submitToRail } from './submit-to-rail.ts'

// Messages about orders that have changed since they were sent, and messages with too little data.

const { pool } = await databaseTest()
const random = seededRandom('messages of operators')
const store = createStore(pool)
const acceptance = createAcceptance(pool)
const lookups = createLookups(pool)
const queue = createJobStore(pool)
const railCallbacks = createRailCallbackStore(pool, createSecretBox(MASTER_KEY, random), { wake: () => undefined })

const RAIL_ACCOUNT = 'mpesa-kenya'
const NO_ANSWER: RailKnowledge = { knows: 'unreachable', error: 'no answer' }

/** An operator without idempotency, whose messages are readings in JSON. */
class Operator implements Rail {
  readonly orders: RailOrder[] = []
  readonly queried: RailOrder[] = []
  answers: RailAnswer[] = []
  knowledge: RailKnowledge = NO_ANSWER
  /** Its answer to a query by one of its ids. */
  readonly byName = new Map<string | undefined, RailKnowledge>()
  canRead = true
  /** By the body of the message. */
  readonly readings = new Map<string, CallbackReading>()

  railAccountOf = () => RAIL_ACCOUNT
  traitsOf = () => ({ repeat: 'never', pollAfterMs: () => 60_000 }) as const
  submit = async (orders: readonly RailOrder[]): Promise<readonly RailAnswer[]> => {
    this.orders.push(...orders)
    return orders.map(() => this.answers.shift() ?? { answer: 'accepted' })
  }
  query = async (orders: readonly RailOrder[]): Promise<readonly RailKnowledge[]> => {
    this.queried.push(...orders)
    return orders.map(({ externalIds }) => this.byName.get(externalIds['CheckoutRequestID']) ?? this.knowledge)
  }
  readCallback = (_railAccount: string, { body }: { readonly body: string }): CallbackReading | undefined => {
    if (!this.canRead) throw new Error('its connection cannot be made now')
    return this.readings.get(body)
  }
}

/** One order with its operator, on a clock of its own. */
async function ordered(...answers: readonly RailAnswer[]) {
  const operator = new Operator()
  operator.answers = [...answers]
  let seconds = 0
  const kept: [body: string, result: string][] = []
  const deps: ReadCallbackDeps = {
    store,
    railCallbacks,
    keepMessage: ({ body }, { result }) => void kept.push([body, result]),
    random,
    rail: operator,
    clock: { now: () => at(seconds) },
    reference: { option: () => undefined, merchantById: async () => undefined } as unknown as ReferenceData,
    notices: { paidNotBooked: () => undefined, unmappedResult: () => undefined },
    callbackBody: () => '{}',
  }
  const given: NewTransaction = newTransaction()
  expect(await acceptance.accept(given)).toBe('accepted')
  const claim = (kind: 'submitToRail' | 'readRailCallback') =>
    queue.claim(kind, { token: uniqueToken(), now: at(seconds), leaseUntil: at(seconds + 30) }, 100)
  const read = createCallbackReading(deps)
  return {
    operator,
    /** Messages kept for support, with their results. */
    kept,
    async send() {
      await submitToRail(deps, await claim('submitToRail'))
      seconds += 1
      return present(operator.orders.at(-1), 'an order').orderId
    },
    /** The operator sends a message, and it is processed. */
    async receiveMessage(orderId: string, reading: Partial<CallbackReading>) {
      const body = `message ${operator.readings.size}`
      operator.readings.set(body, { mayQuery: true, externalIds: {}, ...reading })
      expect(
        await railCallbacks.receive({ railAccount: RAIL_ACCOUNT, orderId, method: 'POST', body }, at(seconds)),
      ).toBe('stored')
      await Promise.all(read(await claim('readRailCallback')))
      seconds += 1
    },
    /** Processes whatever is due by then. */
    async later(bySeconds: number) {
      seconds += bySeconds
      await Promise.all(read(await claim('readRailCallback')))
    },
    record: async () =>
      present(await lookups.transactionByMerchantReference(given.merchantId, given.merchantReference), 'the payment'),
    async results() {
      const { rows } = await pool.query<{ result: string | null; has_text: boolean }>(
        `select result, sealed_body is not null as has_text from rail_callbacks
         where transaction_id = (select id from transactions where internal_reference = $1) order by id`,
        [given.internalReference],
      )
      return rows.map(({ result, has_text }) => [result, has_text ? 'kept' : 'gone'])
    },
    async externalIds() {
      const { id } = await this.record()
      return (await store.transaction((unit) => unit.railReferences([id]))).get(id)?.externalIds
    },
  }
}

const FAILED = { status: 'FAILED', reason: 'The customer cancelled' } as const
const COMPLETED = { status: 'COMPLETED' } as const
const PAID: RailKnowledge = { knows: 'outcome', outcome: COMPLETED }
/** The retry delays of a message: in the end it causes twelve queries a day. */
const waits = (days: number): readonly number[] => [
  2,
  10,
  60,
  300,
  1_800,
  ...Array.from({ length: days * 12 }, () => 7_200),
]
const LOST: RailAnswer = { answer: 'unreachable', error: 'the reply was cut off' }
const NOT_SENT: RailAnswer = { answer: 'not_sent', error: 'no token' }

test('a failure of an id that never arrived does not affect its replacement', async () => {
  const payment = await ordered(NOT_SENT)
  const first = await payment.send()
  expect((await payment.record()).railOrderId).toBeUndefined()
  payment.operator.knowledge = { knows: 'outcome', outcome: FAILED, externalIds: { CheckoutRequestID: 'ws_1' } }
  // While no order is out at all …
  await payment.receiveMessage(first, { outcome: FAILED, externalIds: { CheckoutRequestID: 'ws_1' } })
  expect(await payment.record()).toMatchObject({ status: 'PROCESSING' })
  const second = await payment.send()
  // … and while another order is out.
  await payment.receiveMessage(first, { outcome: FAILED, externalIds: { CheckoutRequestID: 'ws_2' } })
  expect(await payment.record()).toMatchObject({ status: 'PROCESSING', railOrderId: second })
  expect(second).not.toBe(first)
  expect(await payment.results()).toEqual([
    ['mismatch', 'gone'],
    ['mismatch', 'gone'],
  ])
  expect(await payment.externalIds()).toEqual({})
})

test('money moved under an id that never arrived counts; nothing is sent any more', async () => {
  const payment = await ordered(NOT_SENT)
  const first = await payment.send()
  payment.operator.knowledge = { knows: 'outcome', outcome: COMPLETED }
  await payment.receiveMessage(first, { outcome: COMPLETED })
  expect(await payment.record()).toMatchObject({ status: 'COMPLETED' })
  expect(await payment.results()).toEqual([['confirmed', 'gone']])
  expect(payment.operator.queried).toMatchObject([{ orderId: first, railAccount: RAIL_ACCOUNT }])
})

test('a message that cannot be read now waits with its text', async () => {
  const payment = await ordered()
  const id = await payment.send()
  payment.operator.canRead = false
  await expect(payment.receiveMessage(id, { mayQuery: false, outcome: FAILED })).rejects.toThrow(
    'its connection cannot be made now',
  )
  expect(await payment.results()).toEqual([[null, 'kept']])
  payment.operator.canRead = true
  await payment.later(60)
  expect(await payment.results()).toEqual([['agreed', 'gone']])
  expect(payment.kept).toEqual([['message 0', 'agreed']])
  expect(await payment.record()).toMatchObject({ status: 'FAILED' })
})

test('a success whose ids only the message gives must state amount and payer', async () => {
  const payment = await ordered(LOST)
  const id = await payment.send()
  payment.operator.byName.set('ws_of_somebody', PAID)
  payment.operator.byName.set('ws_own', PAID)
  const { amount, account } = present(payment.operator.orders[0], 'the order')
  const claims = [{}, { amount }, { account }]
  for (const claim of claims)
    await payment.receiveMessage(id, {
      outcome: COMPLETED,
      externalIds: { CheckoutRequestID: 'ws_of_somebody' },
      ...claim,
    })
  expect(await payment.record()).toMatchObject({ status: 'PROCESSING' })
  expect(await payment.externalIds()).toEqual({})
  await payment.receiveMessage(id, {
    outcome: COMPLETED,
    amount,
    account,
    externalIds: { CheckoutRequestID: 'ws_own' },
  })
  expect(await payment.record()).toMatchObject({ status: 'COMPLETED' })
  expect(await payment.results()).toEqual([...claims.map(() => ['mismatch', 'gone']), ['confirmed', 'gone']])
  expect(payment.kept).toEqual([...claims.map((_, n) => [`message ${n}`, 'mismatch']), ['message 3', 'confirmed']])
})

test('a success found without the id of its message needs no more', async () => {
  const payment = await ordered(LOST)
  const id = await payment.send()
  payment.operator.knowledge = { ...PAID, externalIds: { MpesaReceiptNumber: 'UC23' } }
  await payment.receiveMessage(id, { outcome: COMPLETED, externalIds: { CheckoutRequestID: 'ws_of_nobody' } })
  expect(await payment.record()).toMatchObject({ status: 'COMPLETED' })
  expect(await payment.externalIds()).toEqual({ MpesaReceiptNumber: 'UC23' })
})

test("a failure's id is polled by, and not stored before it is confirmed", async () => {
  const payment = await ordered(LOST)
  const id = await payment.send()
  payment.operator.byName.set('ws_cancelled', { knows: 'in_progress' })
  await payment.receiveMessage(id, { outcome: FAILED, externalIds: { CheckoutRequestID: 'ws_cancelled' } })
  expect(await payment.externalIds()).toEqual({})
  // The operator reports a success now, but nothing shows that the message's payment is this order's.
  payment.operator.byName.set('ws_cancelled', PAID)
  for (const afterSeconds of [2, 10, 60, 300, 1_800]) await payment.later(afterSeconds)
  expect([await payment.record(), await payment.externalIds()]).toMatchObject([{ status: 'PROCESSING' }, {}])
  // Only this message can query by that id, so it outlasts an outage of the operator of several hours.
  payment.operator.byName.set('ws_cancelled', { knows: 'outcome', outcome: FAILED })
  await payment.later(7_200)
  expect(await payment.record()).toMatchObject({ status: 'FAILED' })
  expect(await payment.externalIds()).toEqual({ CheckoutRequestID: 'ws_cancelled' })
  expect(await payment.results()).toEqual([['confirmed', 'gone']])
})

// Nothing else polls a failed order.
test('polls money moved for a failed order for three days', async () => {
  const payment = await ordered({ answer: 'accepted', externalIds: { CheckoutRequestID: 'ws_late' } })
  const id = await payment.send()
  const { amount } = present(payment.operator.orders[0], 'the order')
  payment.operator.knowledge = { knows: 'outcome', outcome: FAILED }
  await payment.receiveMessage(id, { outcome: FAILED, externalIds: { CheckoutRequestID: 'ws_late' } })
  expect(await payment.record()).toMatchObject({ status: 'FAILED' })

  payment.operator.knowledge = NO_ANSWER
  await payment.receiveMessage(id, { outcome: COMPLETED, amount, externalIds: { CheckoutRequestID: 'ws_late' } })
  for (const afterSeconds of waits(2.5)) await payment.later(afterSeconds)
  expect(await payment.results()).toEqual([
    ['confirmed', 'gone'],
    [null, 'kept'],
  ])
  payment.operator.knowledge = PAID
  await payment.later(7_200)
  expect(await payment.record()).toMatchObject({ status: 'COMPLETED' })
})

test('ends the polls of a late success when it is too late to count', async () => {
  const payment = await ordered({ answer: 'accepted', externalIds: { CheckoutRequestID: 'ws_too_late' } })
  const id = await payment.send()
  const { amount } = present(payment.operator.orders[0], 'the order')
  payment.operator.knowledge = { knows: 'outcome', outcome: FAILED }
  await payment.receiveMessage(id, { outcome: FAILED, externalIds: { CheckoutRequestID: 'ws_too_late' } })
  payment.operator.knowledge = NO_ANSWER
  await payment.receiveMessage(id, { outcome: COMPLETED, amount, externalIds: { CheckoutRequestID: 'ws_too_late' } })
  for (const afterSeconds of waits(3)) await payment.later(afterSeconds)
  expect((await payment.results()).map(([result]) => result)).toEqual(['confirmed', 'unconfirmed'])
})

test('discards the ids of a denied claim; they block no true message', async () => {
  const payment = await ordered({ answer: 'accepted', externalIds: { CheckoutRequestID: 'ws_denied' } })
  const id = await payment.send()
  const { amount } = present(payment.operator.orders[0], 'the order')
  const paid = (receipt: string) => ({
    outcome: COMPLETED,
    amount,
    externalIds: { CheckoutRequestID: 'ws_denied', MpesaReceiptNumber: receipt },
  })
  payment.operator.knowledge = { knows: 'in_progress' }
  await payment.receiveMessage(id, paid('FORGED'))
  expect(await payment.externalIds()).toEqual({ CheckoutRequestID: 'ws_denied' })
  payment.operator.knowledge = { knows: 'outcome', outcome: FAILED }
  await payment.later(60)
  expect(await payment.record()).toMatchObject({ status: 'FAILED' })
  expect(await payment.externalIds()).toEqual({ CheckoutRequestID: 'ws_denied' })

  payment.operator.knowledge = { knows: 'outcome', outcome: COMPLETED }
  await payment.receiveMessage(id, paid('TRUE'))
  expect(await payment.record()).toMatchObject({ status: 'COMPLETED' })
  expect(await payment.externalIds()).toMatchObject({ MpesaReceiptNumber: 'TRUE' })
})

test('discards ids that are never confirmed; the true message comes later', async () => {
  const payment = await ordered({ answer: 'accepted', externalIds: { CheckoutRequestID: 'ws_waiting' } })
  const id = await payment.send()
  const { amount } = present(payment.operator.orders[0], 'the order')
  const reported = (receipt: string, claim: Partial<CallbackReading>) =>
    payment.receiveMessage(id, {
      ...claim,
      amount,
      externalIds: { CheckoutRequestID: 'ws_waiting', MpesaReceiptNumber: receipt },
    })
  payment.operator.knowledge = { knows: 'in_progress' }
  await reported('UNKNOWN', {})
  await reported('FORGED', { outcome: COMPLETED })
  for (const afterSeconds of [2, 10, 60, 300]) await payment.later(afterSeconds)
  expect((await payment.results()).map(([result]) => result)).toEqual(['no_verdict', 'unconfirmed'])
  expect(await payment.externalIds()).toEqual({ CheckoutRequestID: 'ws_waiting' })

  payment.operator.knowledge = PAID
  await reported('UC24', { outcome: COMPLETED })
  expect(await payment.record()).toMatchObject({ status: 'COMPLETED' })
  expect(await payment.externalIds()).toMatchObject({ MpesaReceiptNumber: 'UC24' })
})

// Nothing else polls by these ids.
test('polls a success with unknown ids until the order ends', async () => {
  const payment = await ordered(LOST)
  const id = await payment.send()
  const { amount, account } = present(payment.operator.orders[0], 'the order')
  payment.operator.byName.set('ws_slow', { knows: 'in_progress' })
  await payment.receiveMessage(id, {
    outcome: COMPLETED,
    amount,
    account,
    externalIds: { CheckoutRequestID: 'ws_slow' },
  })
  for (const afterSeconds of waits(5)) await payment.later(afterSeconds)
  expect([await payment.results(), await payment.externalIds()]).toEqual([[[null, 'kept']], {}])
  payment.operator.byName.set('ws_slow', PAID)
  await payment.later(7_200)
  expect(await payment.record()).toMatchObject({ status: 'COMPLETED' })
  expect(await payment.externalIds()).toEqual({ CheckoutRequestID: 'ws_slow' })
})
