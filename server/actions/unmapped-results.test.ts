import { expect, test } from 'vitest'
import { FAILED, paymentAtOperator } from '../verification/testing/payment-at-operator.ts'
import { onBothStores } from '../verification/testing/stores.ts'

onBothStores((under) => {
  const unmapped = (code: string) => ({ knows: 'unreachable', error: 'no table has it', unmappedCode: code }) as const

  test("reports a code in a query's reply once, and keeps polling the order", async () => {
    const payment = await paymentAtOperator(under())
    await payment.send()
    payment.rail.knowledge = unmapped('2999')
    for (const _each of [1, 2, 3]) await payment.poll()
    payment.rail.knowledge = unmapped('SFC_XX1')
    await payment.poll()
    expect(payment.noticed).toEqual(['unmapped 2999', 'unmapped SFC_XX1'])
    expect((await payment.events('unmapped_result')).map(({ detail }) => detail)).toEqual([
      'The operator answers with result code 2999, which no table explains',
      'The operator answers with result code SFC_XX1, which no table explains',
    ])
    expect(await payment.record()).toMatchObject({ status: 'PROCESSING' })
    expect(await payment.work()).toMatchObject([{ kind: 'pollRail', attempt: 4 }])
  })

  test.each([true, false])(
    'a code in a message is reported at once, whether it can be polled or not: %s',
    async (mayQuery) => {
      const payment = await paymentAtOperator(under())
      const { orderId } = await payment.send()
      for (const _each of [1, 2]) await payment.receiveMessage(orderId, { mayQuery, unmappedCode: '26' })
      expect([payment.noticed, await payment.results()]).toEqual([['unmapped 26'], ['no_verdict', 'no_verdict']])
      expect(await payment.record()).toMatchObject({ status: 'PROCESSING' })
    },
  )

  test('reports a code in the reply about an order that was resent', async () => {
    const lost = { answer: 'unreachable', error: 'the reply was cut off' } as const
    const payment = await paymentAtOperator(under(), 'PAYOUT', lost)
    payment.rail.traits = { repeat: 'safe', pollAfterMs: () => 60_000 }
    await payment.send()
    payment.rail.knowledge = unmapped('77')
    await payment.later(5)
    await payment.send()
    expect(payment.noticed).toEqual(['unmapped 77'])
  })

  test('a message that answers no query of ours reports no code', async () => {
    const payment = await paymentAtOperator(under())
    const { orderId } = await payment.send()
    await payment.receiveMessage(orderId, { unmappedCode: '26', answersQuestion: 'AG_FORGED' })
    for (const seconds of [2, 10, 60]) await payment.later(seconds)
    expect([payment.noticed, await payment.results()]).toEqual([[], ['mismatch']])
  })

  test('a code about an order that has ended is not reported', async () => {
    const payment = await paymentAtOperator(under())
    const { orderId } = await payment.send()
    await payment.receiveMessage(orderId, { outcome: FAILED })
    await payment.receiveMessage(orderId, { unmappedCode: '26' })
    expect(payment.noticed).toEqual([])
  })

  test('codes are bounded in number and form', async () => {
    const payment = await paymentAtOperator(under())
    await payment.send()
    for (let n = 0; n < 25; n += 1) {
      payment.rail.knowledge = unmapped(n === 0 ? 'x'.repeat(33) : `${n}`)
      await payment.poll()
    }
    expect(payment.noticed).toHaveLength(20)
    expect(payment.noticed[0]).toBe('unmapped unreadable')
  })
})
