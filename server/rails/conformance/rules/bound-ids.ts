import { expect } from 'vitest'
import { present } from '../../../domain/present.ts'
import type { Verdict } from '../counterpart.ts'
import type { GatewayStage, Payment } from '../gateway-stage.ts'
import type { ForgedCallback } from '../hostile-operator.ts'
import { gatewayRule, type Rule } from '../rule.ts'
import { expectBooked, HOUR_MS, settled } from './payments.ts'

/**
 * Which ids of a message are stored with an order: a forged id, or a placeholder, must not decide what the genuine
 * message is compared with.
 */
export const BOUND_IDS: readonly Rule[] = [
  gatewayRule(
    'payments that fail with one receipt all fail',
    'failures carry placeholders: the second would be taken for the first, and its hold would stay',
    ['callbacks'],
    async (stage) => {
      const payments = [await stage.pay(), await stage.pay(), await stage.pay()]
      const [first] = payments
      for (const payment of payments) {
        stage.operator.decide(payment.account, 'failed')
        expect(await stage.deliver(retold(stage, present(first, 'a payment'), payment, 'failed'))).toBe(200)
        await stage.runDue()
      }
      await stage.after(HOUR_MS)
      for (const payment of payments) expect(await stage.statusOf(payment)).toBe('FAILED')
    },
  ),
  gatewayRule(
    'ids without a verdict block no genuine success',
    'whoever knows the address of an order could keep its money from being booked',
    ['callbacks'],
    async (stage) => {
      const [payment, other] = [await stage.pay(), await stage.pay()]
      expect(await stage.deliver(retold(stage, other, payment, 'pending'))).toBe(200)
      await stage.after(HOUR_MS)
      for (const each of [payment, other]) {
        await settled(stage, each)
        await expectBooked(stage, each)
      }
    },
  ),
]

/** The operator's message about one payment, with the ids of another: only the receipt of the first remains. */
function retold(stage: GatewayStage, of: Payment, as: Payment, verdict: Verdict): ForgedCallback {
  const { names } = stage.counterpart.words
  const [from, to] = [stage.order(of), stage.order(as)]
  const own = names(to)
  const replaced: readonly (readonly [string, string])[] = [
    ...Object.entries(names(from)).map(([name, text]) => [text, own[name] ?? text] as const),
    [from.orderId, to.orderId],
    [from.account, to.account],
  ]
  const { received } = stage.operator.callback(from, verdict)
  const body = replaced.reduce((text, [before, after]) => text.replaceAll(before, after), received.body)
  const { url } = stage.operator.callback(to, verdict)
  return { url, received: { ...received, body } }
}
