import { expect, test } from 'vitest'
import { COMPLETED, FAILED, paymentAtOperator, type AnswerTo } from '../verification/testing/payment-at-operator.ts'
import { onBothStores } from '../verification/testing/stores.ts'
import { unique } from '../verification/testing/transactions.ts'
import type { CallbackReading, RailAnswer, RailOrder } from './ports/rail.ts'

// Operator messages are not signed: whoever knows the address of an order can send any message to it. These tests show
// which claims are trusted and which ids bind.

/** The operator's id of a payout in its reply to the order. */
const namesOf = ({ orderId }: RailOrder) => ({
  OriginatorConversationID: orderId,
  ConversationID: `AG_${orderId.slice(0, 8)}`,
})
const LOST: RailAnswer = { answer: 'unreachable', error: 'the reply was cut off' }
const uniqueReceipt = (): string => `UC23${unique()}`

onBothStores((under) => {
  /** A payout that was sent, with the genuine messages about it. */
  async function payout(answer: AnswerTo = (order) => ({ answer: 'accepted', externalIds: namesOf(order) })) {
    const payment = await paymentAtOperator(under(), 'PAYOUT', answer)
    const order = await payment.send()
    const { orderId, amount, account } = order
    return {
      ...payment,
      order,
      tell: (reading: Partial<CallbackReading>) => payment.receiveMessage(orderId, reading),
      paid: (receipt = uniqueReceipt()): Partial<CallbackReading> => ({
        outcome: COMPLETED,
        orderId,
        amount,
        account,
        externalIds: namesOf(order),
        receipts: { TransactionID: receipt },
      }),
      failed: (): Partial<CallbackReading> => ({ outcome: FAILED, orderId, externalIds: namesOf(order) }),
      status: async () => (await payment.record()).status,
    }
  }

  test.each(['COLLECTION', 'PAYOUT'] as const)('a message of another type does not settle a %s', async (type) => {
    const payment = await paymentAtOperator(under(), type)
    const { orderId, amount, account } = await payment.send()
    payment.rail.knowledge = { knows: 'outcome', outcome: COMPLETED }
    const another = type === 'PAYOUT' ? 'COLLECTION' : 'PAYOUT'
    for (const outcome of [COMPLETED, FAILED])
      for (const mayQuery of [false, true])
        await payment.receiveMessage(orderId, { type: another, mayQuery, outcome, orderId, amount, account })
    expect([(await payment.record()).status, await payment.results()]).toEqual([
      'PROCESSING',
      ['mismatch', 'mismatch', 'mismatch', 'mismatch'],
    ])
    expect(payment.rail.queried).toEqual([])
  })

  test('a failure may say that nothing has moved, and a success may not', async () => {
    const payment = await payout()
    const nothing = { amountMinor: 0n, currency: payment.order.amount.currency }
    await payment.tell({ ...payment.paid(), amount: nothing })
    expect(await payment.status()).toBe('PROCESSING')
    await payment.tell({ ...payment.failed(), amount: nothing })
    expect(await payment.status()).toBe('FAILED')
    expect(await payment.results()).toEqual(['mismatch', 'agreed'])
  })

  test('a success by an unknown id waits for the reply that may name it', async () => {
    const payment = await paymentAtOperator(under(), 'COLLECTION', LOST)
    const { orderId } = await payment.send()
    const ids = { externalIds: { CheckoutRequestID: 'ws_early' } }
    await payment.receiveMessage(orderId, { outcome: COMPLETED, mayQuery: true, ...ids })
    expect(await payment.results()).toEqual([])
    for (const afterSeconds of [2, 10, 60, 300]) await payment.later(afterSeconds)
    expect(await payment.results()).toEqual(['mismatch'])
    await payment.receiveMessage(orderId, {
      outcome: COMPLETED,
      mayQuery: true,
      externalIds: { CheckoutRequestID: 'ws_2' },
    })
    payment.rail.knowledge = { knows: 'outcome', outcome: COMPLETED }
    await payment.later(2)
    expect([(await payment.record()).status, await payment.results()]).toEqual(['COMPLETED', ['mismatch', 'confirmed']])
  })

  test('a forged failure with ids of its own does not hide the later success', async () => {
    const payment = await payout(LOST)
    await payment.tell({
      outcome: FAILED,
      orderId: payment.order.orderId,
      externalIds: { ConversationID: 'AG_FORGED' },
      receipts: { TransactionID: 'FORGED' },
    })
    expect(await payment.status()).toBe('FAILED')
    await payment.tell(payment.paid())
    expect([await payment.status(), await payment.results()]).toEqual(['COMPLETED', ['agreed', 'agreed']])
  })

  test('records a second success by another receipt as such', async () => {
    const payment = await payout()
    for (const receipt of ['UC23FIRST1', 'UC23FIRST1', 'UC23OTHER2']) await payment.tell(payment.paid(receipt))
    const details = (await payment.events('rail_callback_agreed')).map(({ detail }) =>
      detail.includes('another receipt'),
    )
    expect([await payment.status(), details]).toEqual(['COMPLETED', [false, false, true]])
  })

  test('a success that fits wins over a receipt that an older version stored', async () => {
    const payment = await payout()
    await under().store.transaction((unit) =>
      unit.addRailReferences(
        [{ transactionId: payment.id, railAccount: 'mpesa-kenya', name: 'TransactionID', reference: 'FORGED' }],
        new Date(0),
      ),
    )
    await payment.tell(payment.paid())
    expect(await payment.status()).toBe('COMPLETED')
  })

  test('a proven success wins over another order with its receipt', async () => {
    const receipt = uniqueReceipt()
    const forged = await payout(LOST)
    await forged.tell({ ...forged.paid(receipt), externalIds: {} })
    const genuine = await payout()
    await genuine.tell(genuine.paid(receipt))
    expect(await genuine.status()).toBe('COMPLETED')
  })

  test('a success without proof must not carry the receipt of another order', async () => {
    const receipt = uniqueReceipt()
    const first = await payout()
    await first.tell(first.paid(receipt))
    const second = await payout(LOST)
    await second.tell({ ...second.paid(receipt), externalIds: {} })
    expect([await second.status(), await second.results()]).toEqual(['PROCESSING', ['mismatch']])
  })

  const lies: Readonly<Record<string, (paid: Partial<CallbackReading>) => Partial<CallbackReading>>> = {
    'another amount': (paid) => ({ ...paid, amount: { amountMinor: 1n, currency: 'UGX' } }),
    'another currency': (paid) => ({ ...paid, amount: { amountMinor: 1_000n, currency: 'KES' } }),
    'another account': (paid) => ({ ...paid, account: '256770000000' }),
    'another order id': (paid) => ({ ...paid, orderId: '0b9d8f6e-0000-4000-8000-000000000000' }),
    'another conversation': (paid) => ({ ...paid, externalIds: { ConversationID: 'AG_FORGED' } }),
    'no amount': ({ amount: _amount, ...paid }) => paid,
    'no verdict': ({ outcome: _outcome, ...paid }) => ({ ...paid, claimsPaid: true }),
    'a question that we did not ask': (paid) => ({ ...paid, answersQuestion: 'AG_NOBODY' }),
  }

  test.each(Object.keys(lies))('a success with %s about a FAILED payout is an alarm', async (lie) => {
    const payment = await payout()
    await payment.tell(payment.failed())
    await payment.tell(lies[lie]!(payment.paid()))
    for (const seconds of [2, 10, 60]) await payment.later(seconds)
    expect(await payment.record()).toMatchObject({ status: 'FAILED', railPaidAt: expect.any(Date) })
    expect(await payment.events('paid_not_booked')).toHaveLength(1)
    expect(payment.noticed).toEqual(['paid and not booked'])
    expect(await payment.results()).toEqual(['agreed', 'mismatch'])
    expect(await payment.usage()).toBe(1_000n)
    // The message repeats: one alert.
    await payment.tell(lies[lie]!(payment.paid()))
    for (const seconds of [2, 10, 60]) await payment.later(seconds)
    expect(payment.noticed).toHaveLength(1)
  })

  test.each(Object.keys(lies))('a success with %s is an alarm when the payout fails later', async (lie) => {
    const payment = await payout()
    await payment.tell(lies[lie]!(payment.paid()))
    for (const seconds of [2, 10, 60]) await payment.later(seconds)
    expect([await payment.status(), payment.noticed]).toEqual(['PROCESSING', []])
    await payment.tell(payment.failed())
    expect(await payment.record()).toMatchObject({ status: 'FAILED', railPaidAt: expect.any(Date) })
    expect(payment.noticed).toEqual(['paid and not booked'])
    expect(await payment.usage()).toBe(1_000n)
    expect(await payment.transfers()).toEqual(['payout_hold', 'payout_release'])
  })

  test('a success of an id that was replaced is an alarm when it does not fit', async () => {
    const payment = await payout({ answer: 'not_sent', error: 'no token' })
    const first = payment.order.orderId
    const second = await payment.send()
    expect(second.orderId).not.toBe(first)
    payment.rail.knowledge = { knows: 'outcome', outcome: FAILED, externalIds: { ConversationID: 'AG_second' } }
    await payment.poll()
    await payment.tell({ ...payment.paid(), account: '256770000000' })
    expect(await payment.record()).toMatchObject({ status: 'FAILED', railPaidAt: expect.any(Date) })
  })

  test('a success of a replaced id is not compared with the ids of its successor', async () => {
    const payment = await payout({ answer: 'not_sent', error: 'no token' })
    await payment.send()
    payment.rail.knowledge = { knows: 'outcome', outcome: FAILED, externalIds: { ConversationID: 'AG_second' } }
    await payment.poll()
    await payment.tell(payment.paid())
    expect(await payment.status()).toBe('COMPLETED')
  })

  test('a verdict that overtakes the commit of its query is read again', async () => {
    const payment = await payout()
    const question = `AG_Q${unique()}`
    await payment.tell({ outcome: FAILED, answersQuestion: question })
    await payment.later(2)
    expect([await payment.status(), await payment.results()]).toEqual(['PROCESSING', []])
    payment.rail.knowledge = { knows: 'in_progress', question }
    await payment.poll()
    await payment.later(10)
    expect([await payment.status(), await payment.results()]).toEqual(['FAILED', ['agreed']])
  })

  test('stores a query about an order that was resent with its reply', async () => {
    const payment = await paymentAtOperator(under(), 'PAYOUT', LOST, { answer: 'refused', reason: 'a duplicate' })
    payment.rail.traits = { repeat: 'safe', unanswered: 'repeat', pollAfterMs: () => 60_000 }
    await payment.send()
    payment.rail.knowledge = { knows: 'unreachable', error: 'the answer comes by callback', question: 'AG_Q' }
    await payment.later(5)
    await payment.send()
    expect((await payment.names()).questions).toEqual(['AG_Q'])
  })
})
