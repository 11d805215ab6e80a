import { expect } from 'vitest'
import { gatewayRule, wireRule, type Rule } from '../rule.ts'
import { expectBooked } from './payments.ts'

/** Above the bound for messages without a verdict. */
const FLOOD = 60

/** The callback URLs for an operator's messages about an order. */
export const ADDRESSES: readonly Rule[] = [
  wireRule(
    'an order has its own address, and messages there are read',
    "a message at another order's address, or with an unknown last word, is refused or misread",
    ['callbacks', 'order_addresses'],
    async (open) => {
      const stage = await open()
      const tokens = new Set<string | undefined>()
      for (let n = 0; n < 2; n += 1) {
        const order = stage.order()
        await stage.submit(order)
        const [booked] = stage.operator.orders(order.account)
        if (!booked) throw new Error('the order is not in the book')
        const { url, received } = stage.operator.callback(booked, 'paid')
        const [, , , token, orderId] = new URL(url).pathname.split('/')
        expect(orderId).toBe(order.orderId)
        expect(stage.callbackTails).toContain(received.tail ?? '')
        expect(stage.adapter.readCallback(received)).toBeDefined()
        tokens.add(token)
      }
      expect(tokens.size).toBe(2)
    },
  ),
  gatewayRule(
    'a result is stored after any flood',
    'some operators report once: a rejected message is lost',
    ['callbacks', 'order_addresses'],
    async (stage) => {
      const payment = await stage.pay()
      const { url, received } = stage.operator.callback(stage.order(payment), 'paid')
      const statuses = new Set<number>()
      for (let n = 0; n < FLOOD; n += 1)
        statuses.add(await stage.deliver({ url, received: { ...received, body: `{"flood":${n}}` } }))
      expect([...statuses]).toEqual([200, 503])
      stage.operator.decide(payment.account, 'paid')
      await stage.report(payment, 'paid')
      await expectBooked(stage, payment)
    },
  ),
]
