import { expect } from 'vitest'
import { wireRule, type Rule } from '../rule.ts'
import type { WireStage } from '../wire-stage.ts'
import { TAKEN } from './said-of-orders.ts'

async function expectSentExactly(stage: WireStage): Promise<void> {
  for (const amount of stage.counterpart.amounts) {
    const order = stage.order('paid', { amount })
    expect(await stage.submit(order)).toMatchObject(TAKEN)
    const request = stage.operator.submits().at(-1)
    const { orderId, account } = order
    expect(request && stage.counterpart.words.read(request)).toMatchObject({ orderId, account, amount })
  }
}

async function expectReadExactly(stage: WireStage): Promise<void> {
  for (const amount of stage.counterpart.amounts) {
    const order = stage.order('paid', { amount })
    await stage.submit(order)
    const [booked] = stage.operator.orders(order.account)
    if (!booked) throw new Error('the order is not in the book')
    const { received } = stage.operator.callback(booked, 'paid')
    expect(stage.adapter.readCallback(received)?.amount).toEqual(amount)
  }
}

/** Both directions: the submitted amount equals the order's, and the received amount is read digit for digit. */
export const AMOUNTS: readonly Rule[] = [
  wireRule(
    'amount, currency, account and our id go out exactly',
    'a shifted decimal charges a hundred times too much, a changed number somebody else',
    ['order_fields'],
    async (open) => expectSentExactly(await open()),
  ),
  wireRule(
    'cents go out and come back exactly',
    'a currency has as many decimals as it has: five cents are not fifty',
    ['decimals'],
    async (open) => {
      const { counterpart } = await open()
      if (!counterpart.decimals) throw new Error('a counterpart with decimals names some')
      const stage = await open({ inCurrency: counterpart.decimals })
      await expectSentExactly(stage)
      await expectReadExactly(stage)
    },
  ),
  wireRule(
    'an amount that the operator cannot express is never sent',
    "rounded cents are missing in the day's balance",
    [],
    async (open) => {
      const stage = await open()
      for (const amount of stage.counterpart.unsendable) {
        expect(['refused', 'not_sent']).toContain((await stage.submit(stage.order('paid', { amount }))).answer)
        expect(stage.operator.submits()).toEqual([])
      }
    },
  ),
  wireRule(
    'reported amounts are read exactly',
    'a claim of another amount must be detected, to the last digit',
    ['callbacks', 'amounts'],
    async (open) => expectReadExactly(await open()),
  ),
  wireRule(
    'requests carry the time that all processes share',
    'an operator refuses a request with an old time or one of another zone',
    ['timestamps'],
    async (open) => {
      const times = ['2026-03-01T08:00:00Z', '2026-12-31T20:59:59Z', '2026-12-31T21:00:00Z', '2028-02-29T22:30:00Z']
      const stage = await open()
      for (const time of times) {
        stage.clock.advance(new Date(time).getTime() - stage.clock.now().getTime())
        await stage.submit(stage.order())
        const request = stage.operator.submits().at(-1)
        expect(request && stage.counterpart.words.read(request).at).toEqual(new Date(time))
      }
    },
  ),
]
