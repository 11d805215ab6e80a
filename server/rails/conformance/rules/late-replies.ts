import { expect } from 'vitest'
import { present } from '../../../domain/present.ts'
import type { ResolvedQuestion } from '../counterpart.ts'
import type { GatewayStage, Payment } from '../gateway-stage.ts'
import { gatewayRule, type Rule } from '../rule.ts'
import { expectBooked, expectOpen, HOUR_MS, SECOND_MS } from './payments.ts'

/** Sends the callback that answers a status query about a payment. */
async function answer(
  stage: GatewayStage,
  payment: Payment,
  verdict: 'paid' | 'failed',
  said: ResolvedQuestion,
): Promise<void> {
  const order = stage.order(payment)
  const { tail, body } = present(stage.counterpart.words.lateAnswers, 'late answers')
  const { url, received } = stage.operator.callback(order, verdict)
  const sent = { ...received, tail, body: JSON.stringify(body(order, verdict, said)) }
  expect(await stage.deliver({ url: url.replace(/[^/]+$/, tail), received: sent })).toBe(200)
  await stage.runDue()
}

/** What answers by callback may and may not change. */
export const LATE_ANSWERS: readonly Rule[] = [
  gatewayRule(
    'a forged reply to a query ends no payment, and the genuine one does',
    'anybody could release a hold, or have a payout booked that was never paid',
    ['callbacks', 'late_answers'],
    async (stage) => {
      const { question } = present(stage.counterpart.words.lateAnswers, 'late answers')
      for (const verdict of ['failed', 'paid'] as const) {
        const payment = await stage.pay()
        const order = stage.order(payment)
        for (const forged of ['forged', undefined])
          await answer(stage, payment, verdict, { orderId: order.orderId, ...(forged && { question: forged }) })
        for (const ms of [2 * SECOND_MS, 10 * SECOND_MS, 60 * SECOND_MS]) await stage.after(ms)
        await expectOpen(stage, payment)
        // The order has been queried by then.
        await stage.after(HOUR_MS)
        await answer(stage, payment, verdict, { question: question(order), orderId: 'another' })
        await expectOpen(stage, payment)
        stage.operator.decide(payment.account, verdict)
        await answer(stage, payment, verdict, { question: question(order), orderId: order.orderId })
        if (verdict === 'paid') await expectBooked(stage, payment)
        else expect([await stage.statusOf(payment), await stage.bookings(payment)]).toEqual(['FAILED', 0])
      }
    },
  ),
]
