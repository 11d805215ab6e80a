import { expect, vi } from 'vitest'
import { gatewayRule, type Rule } from '../rule.ts'
import { HOUR_MS, LOST, settled } from './payments.ts'

/** What is stored and shown of payments. */
export const KEPT_PAYMENTS: readonly Rule[] = [
  gatewayRule(
    "both sides' ids of an order are stored, and find it",
    'support, statements and polls identify an order by its ids',
    [],
    async (stage) => {
      const payment = await stage.pay()
      await settled(stage, payment)
      const { orderId } = stage.order(payment)
      const externalIds =
        stage.counterpart.lacks.names === undefined ? stage.counterpart.words.names(stage.order(payment)) : {}
      expect(await stage.namesOf(payment)).toMatchObject({ order: orderId, ...externalIds })
    },
  ),
  gatewayRule(
    'the exchange record holds no secret, full number or part of the address',
    'the record is read by support and goes into backups',
    [],
    async (stage) => {
      const payment = await stage.pay(LOST)
      await stage.after(HOUR_MS)
      await settled(stage, payment)
      const order = stage.order(payment)
      const names = Object.values(stage.counterpart.words.names(order))
      await vi.waitFor(async () => expect(await stage.keptOf(payment)).toContain('POST'), { timeout: 60_000 })
      const kept = names.reduce((text, name) => text.replaceAll(name, ''), await stage.keptOf(payment))
      const token = new URL(order.callbackUrl ?? stage.operator.accountUrl).pathname.split('/')[3] ?? ''
      expect(token).not.toBe('')
      for (const hidden of [...stage.secrets, payment.account, token]) expect(kept.includes(hidden)).toBe(false)
    },
  ),
]
