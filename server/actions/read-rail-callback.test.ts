import { expect, test } from 'vitest'
import { present } from '../domain/present.ts'
import { COMPLETED, paymentAtOperator, type AnswerTo } from '../verification/testing/payment-at-operator.ts'
import { onBothStores } from '../verification/testing/stores.ts'
import type { CallbackReading, RailAnswer, RailKnowledge } from './ports/rail.ts'

// Messages about orders that have changed since they were sent, and messages with too little data.

const NO_ANSWER: RailKnowledge = { knows: 'unreachable', error: 'no answer' }
const FAILED = { status: 'FAILED', reason: 'The customer cancelled' } as const
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

onBothStores((under) => {
  /** A collection at an operator without idempotency, whose messages may be confirmed by a query. */
  async function ordered(...answers: readonly AnswerTo[]) {
    const payment = await paymentAtOperator(under(), 'COLLECTION', ...answers)
    return {
      ...payment,
      send: async () => (await payment.send()).orderId,
      receiveMessage: (orderId: string, reading: Partial<CallbackReading>) =>
        payment.receiveMessage(orderId, { mayQuery: true, ...reading }),
    }
  }

  test('a failure of an id that never arrived does not affect its replacement', async () => {
    const payment = await ordered(NOT_SENT)
    const first = await payment.send()
    expect((await payment.record()).railOrderId).toBeUndefined()
    payment.rail.knowledge = { knows: 'outcome', outcome: FAILED, externalIds: { CheckoutRequestID: 'ws_1' } }
    // While no order is out at all …
    await payment.receiveMessage(first, { outcome: FAILED, externalIds: { CheckoutRequestID: 'ws_1' } })
    expect(await payment.record()).toMatchObject({ status: 'PROCESSING' })
    const second = await payment.send()
    // … and while another order is out.
    await payment.receiveMessage(first, { outcome: FAILED, externalIds: { CheckoutRequestID: 'ws_2' } })
    expect(await payment.record()).toMatchObject({ status: 'PROCESSING', railOrderId: second })
    expect(second).not.toBe(first)
    expect(await payment.results()).toEqual(['mismatch', 'mismatch'])
    expect((await payment.names()).externalIds).toEqual({})
  })

  test('money moved under an id that never arrived counts; nothing is sent any more', async () => {
    const payment = await ordered(NOT_SENT)
    const first = await payment.send()
    payment.rail.knowledge = { knows: 'outcome', outcome: COMPLETED }
    await payment.receiveMessage(first, { outcome: COMPLETED })
    expect(await payment.record()).toMatchObject({ status: 'COMPLETED' })
    expect(await payment.results()).toEqual(['confirmed'])
    expect(payment.rail.queried).toMatchObject([{ orderId: first, railAccount: 'mpesa-kenya' }])
  })

  test('a message that cannot be read now waits with its text', async () => {
    const payment = await ordered()
    const id = await payment.send()
    payment.rail.canRead = false
    await expect(payment.receiveMessage(id, { mayQuery: false, outcome: FAILED })).rejects.toThrow(
      'its connection cannot be made now',
    )
    expect(await payment.results()).toEqual([])
    payment.rail.canRead = true
    await payment.later(60)
    expect(await payment.results()).toEqual(['agreed'])
    expect(payment.kept).toEqual(['agreed'])
    expect(await payment.record()).toMatchObject({ status: 'FAILED' })
  })

  test('a success found without the id of its message needs no more', async () => {
    const payment = await ordered(LOST)
    const id = await payment.send()
    payment.rail.knowledge = { ...PAID, externalIds: { MpesaReceiptNumber: 'UC23' } }
    await payment.receiveMessage(id, { outcome: COMPLETED, externalIds: { CheckoutRequestID: 'ws_of_nobody' } })
    expect(await payment.record()).toMatchObject({ status: 'COMPLETED' })
    expect((await payment.names()).externalIds).toEqual({ MpesaReceiptNumber: 'UC23' })
  })

  test("a failure's id is polled by, and not stored before it is confirmed", async () => {
    const payment = await ordered(LOST)
    const id = await payment.send()
    payment.rail.byName.set('ws_cancelled', { knows: 'in_progress' })
    await payment.receiveMessage(id, { outcome: FAILED, externalIds: { CheckoutRequestID: 'ws_cancelled' } })
    expect((await payment.names()).externalIds).toEqual({})
    // The operator reports a success now, but nothing shows that the message's payment is this order's.
    payment.rail.byName.set('ws_cancelled', PAID)
    for (const afterSeconds of [2, 10, 60, 300, 1_800]) await payment.later(afterSeconds)
    expect([await payment.record(), (await payment.names()).externalIds]).toMatchObject([{ status: 'PROCESSING' }, {}])
    // Only this message can query by that id, so it outlasts an outage of the operator of several hours.
    payment.rail.byName.set('ws_cancelled', { knows: 'outcome', outcome: FAILED })
    await payment.later(7_200)
    expect(await payment.record()).toMatchObject({ status: 'FAILED' })
    expect((await payment.names()).externalIds).toEqual({ CheckoutRequestID: 'ws_cancelled' })
    expect(await payment.results()).toEqual(['confirmed'])
  })

  // Nothing else polls a failed order.
  test.each([
    ['by its ids', { CheckoutRequestID: 'ws_late' }],
    ['by our id, where a message has none', {}],
  ])('polls money moved for a failed order for three days, %s', async (_by, externalIds) => {
    const payment = await ordered({ answer: 'accepted', externalIds })
    const id = await payment.send()
    payment.rail.knowledge = { knows: 'outcome', outcome: FAILED }
    await payment.receiveMessage(id, { outcome: FAILED, externalIds })
    expect(await payment.record()).toMatchObject({ status: 'FAILED' })

    payment.rail.knowledge = NO_ANSWER
    await payment.receiveMessage(id, { outcome: COMPLETED, externalIds })
    for (const afterSeconds of waits(2.5)) await payment.later(afterSeconds)
    expect(await payment.results()).toEqual(['confirmed'])
    payment.rail.knowledge = PAID
    await payment.later(7_200)
    expect(await payment.record()).toMatchObject({ status: 'COMPLETED' })
  })

  test('ends the polls of a late success when it is too late to count', async () => {
    const payment = await ordered({ answer: 'accepted', externalIds: { CheckoutRequestID: 'ws_too_late' } })
    const id = await payment.send()
    const { amount } = present(payment.rail.orders[0], 'the order')
    payment.rail.knowledge = { knows: 'outcome', outcome: FAILED }
    await payment.receiveMessage(id, { outcome: FAILED, externalIds: { CheckoutRequestID: 'ws_too_late' } })
    payment.rail.knowledge = NO_ANSWER
    await payment.receiveMessage(id, { outcome: COMPLETED, amount, externalIds: { CheckoutRequestID: 'ws_too_late' } })
    for (const afterSeconds of waits(3)) await payment.later(afterSeconds)
    expect(await payment.results()).toEqual(['confirmed', 'unconfirmed'])
  })

  test('discards the ids of a denied claim; they block no true message', async () => {
    const payment = await ordered({ answer: 'accepted', externalIds: { CheckoutRequestID: 'ws_denied' } })
    const id = await payment.send()
    const { amount } = present(payment.rail.orders[0], 'the order')
    const paid = (receipt: string) => ({
      outcome: COMPLETED,
      amount,
      externalIds: { CheckoutRequestID: 'ws_denied', MpesaReceiptNumber: receipt },
    })
    payment.rail.knowledge = { knows: 'in_progress' }
    await payment.receiveMessage(id, paid('FORGED'))
    expect((await payment.names()).externalIds).toEqual({ CheckoutRequestID: 'ws_denied' })
    payment.rail.knowledge = { knows: 'outcome', outcome: FAILED }
    await payment.later(60)
    expect(await payment.record()).toMatchObject({ status: 'FAILED' })
    expect((await payment.names()).externalIds).toEqual({ CheckoutRequestID: 'ws_denied' })

    payment.rail.knowledge = { knows: 'outcome', outcome: COMPLETED }
    await payment.receiveMessage(id, paid('TRUE'))
    expect(await payment.record()).toMatchObject({ status: 'COMPLETED' })
    expect((await payment.names()).externalIds).toMatchObject({ MpesaReceiptNumber: 'TRUE' })
  })

  test('discards ids that are never confirmed; the true message comes later', async () => {
    const payment = await ordered({ answer: 'accepted', externalIds: { CheckoutRequestID: 'ws_waiting' } })
    const id = await payment.send()
    const { amount } = present(payment.rail.orders[0], 'the order')
    const reported = (receipt: string, claim: Partial<CallbackReading>) =>
      payment.receiveMessage(id, {
        ...claim,
        amount,
        externalIds: { CheckoutRequestID: 'ws_waiting', MpesaReceiptNumber: receipt },
      })
    payment.rail.knowledge = { knows: 'in_progress' }
    await reported('UNKNOWN', {})
    await reported('FORGED', { outcome: COMPLETED })
    for (const afterSeconds of [2, 10, 60, 300]) await payment.later(afterSeconds)
    expect(await payment.results()).toEqual(['no_verdict', 'unconfirmed'])
    expect((await payment.names()).externalIds).toEqual({ CheckoutRequestID: 'ws_waiting' })

    payment.rail.knowledge = PAID
    await reported('UC24', { outcome: COMPLETED })
    expect(await payment.record()).toMatchObject({ status: 'COMPLETED' })
    expect((await payment.names()).externalIds).toMatchObject({ MpesaReceiptNumber: 'UC24' })
  })

  // Nothing else polls by these ids.
  test('polls a success with unknown ids until the order ends', async () => {
    const payment = await ordered(LOST)
    const id = await payment.send()
    const { amount, account } = present(payment.rail.orders[0], 'the order')
    payment.rail.byName.set('ws_slow', { knows: 'in_progress' })
    await payment.receiveMessage(id, {
      outcome: COMPLETED,
      amount,
      account,
      externalIds: { CheckoutRequestID: 'ws_slow' },
    })
    for (const afterSeconds of waits(5)) await payment.later(afterSeconds)
    expect([await payment.results(), (await payment.names()).externalIds]).toEqual([[], {}])
    payment.rail.byName.set('ws_slow', PAID)
    await payment.later(7_200)
    expect(await payment.record()).toMatchObject({ status: 'COMPLETED' })
    expect((await payment.names()).externalIds).toEqual({ CheckoutRequestID: 'ws_slow' })
  })
})
