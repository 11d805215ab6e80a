import { expect, test } from 'vitest'
import type { RailTraits } from './ports/rail.ts'
import { COMPLETED, FAILED, paymentAtOperator, type AnswerTo } from '../verification/testing/payment-at-operator.ts'
import { onBothStores } from '../verification/testing/stores.ts'

const pollAfterMs = () => 60_000
const SAFE: RailTraits = { repeat: 'safe', pollAfterMs }
const REPEATED_UNASKED: RailTraits = { ...SAFE, unanswered: 'repeat' }
const throttled = (attemptsMax?: number): AnswerTo => ({
  answer: 'not_sent',
  error: 'Spike arrest violation',
  ...(attemptsMax !== undefined && { attemptsMax }),
})

onBothStores((under) => {
  async function sent(times: number, traits: RailTraits | undefined, ...answers: AnswerTo[]) {
    const payment = await paymentAtOperator(under(), 'PAYOUT', ...answers)
    if (traits) payment.rail.traits = traits
    payment.rail.knowledge = { knows: 'nothing_moved' }
    for (let n = 0; n < times; n += 1) {
      await payment.send()
      await payment.later(600)
    }
    return payment
  }

  test.each([
    ['that must not be repeated', undefined],
    ['that may be repeated', SAFE],
  ])('an order %s fails after its last attempt', async (_which, traits) => {
    const payment = await sent(3, traits, throttled(3), throttled(3), throttled(3))
    expect(payment.rail.orders).toHaveLength(3)
    expect(new Set(payment.rail.orders.map(({ orderId }) => orderId)).size).toBe(traits ? 1 : 3)
    expect(await payment.record()).toMatchObject({
      status: 'FAILED',
      statusMessage: 'The payment was never sent: the operator did not take it',
      failureCode: 'operator_error',
    })
    expect(await payment.transfers()).toEqual(['payout_hold', 'payout_release'])
    expect([await payment.work(), await payment.usage()]).toEqual([[], undefined])
  })

  test('an order whose earlier attempt may have arrived does not fail', async () => {
    const lost: AnswerTo = { answer: 'unreachable', error: 'the reply was cut off' }
    const payment = await sent(3, REPEATED_UNASKED, lost, throttled(2), throttled(2))
    expect(await payment.record()).toMatchObject({ status: 'PROCESSING' })
    expect(await payment.transfers()).toEqual(['payout_hold'])
  })

  test('books money late that moved for an order that was never sent', async () => {
    const payment = await sent(1, undefined, throttled(1))
    const { orderId, amount } = payment.rail.orders[0]!
    expect(await payment.record()).toMatchObject({ status: 'FAILED' })
    await payment.receiveMessage(orderId, { outcome: FAILED, orderId })
    expect(await payment.record()).toMatchObject({ status: 'FAILED', failureCode: 'operator_error' })
    await payment.receiveMessage(orderId, { outcome: COMPLETED, orderId, amount })
    expect(await payment.record()).toMatchObject({ status: 'COMPLETED' })
  })
})
