import { expect } from 'vitest'
import { amountToWire } from '../../../domain/money.ts'
import type { Mood } from '../hostile-operator.ts'
import { gatewayRule, type Rule } from '../rule.ts'
import { expectBooked, expectOpen, HOUR_MS, LOST, SECOND_MS, settled } from './payments.ts'

const DRAWN_OUT: Mood = { takes: (honest) => ({ ...honest, delivery: 'drip', dripMs: 2 }) }

/** Messages about an order without stored external ids, which carry the external id of another payment. */
export const UNPROVEN_NAMES: readonly Rule[] = [
  gatewayRule(
    'an id that only a message gives proves nothing without amount and account',
    'polled by that id, an operator confirms whatever payment has it',
    ['callbacks', 'query', 'names'],
    async (stage) => {
      const { counterpart, operator } = stage
      for (const verdict of ['paid', 'failed'] as const) {
        const [one, another, open] = [await stage.pay(LOST), await stage.pay(LOST), await stage.pay(LOST)]
        const { amount, account } = stage.order(open)
        const shillings = amountToWire(amount.amountMinor, amount.currency)
        for (const other of [one, another]) {
          const lie = { names: counterpart.words.names(stage.order(other)) }
          const { url, received } = operator.callback(stage.order(open), verdict, lie)
          for (const left of [[shillings, account], [account], [shillings]]) {
            const body = without(received.body, left.map(String))
            expect(await stage.deliver({ url, received: { ...received, body } })).toBe(200)
            await stage.runDue()
          }
        }
        // A payment that was unpaid when the messages came may be paid a moment later.
        for (const other of [one, another]) operator.decide(other.account, 'paid')
        await stage.after(SECOND_MS)
        // While a query by one message's id is running, the order is queried for the other id: the reply to the first
        // must not count for the second.
        operator.nextQuestions(...Array.from({ length: 8 }, () => DRAWN_OUT))
        await stage.after(HOUR_MS)
        operator.nextQuestions()
        await expectOpen(stage, open)
        await settled(stage, open, one, another)
        for (const payment of [open, one, another]) await expectBooked(stage, payment)
      }
    },
  ),
]

/** The message without the list items that contain one of these. */
const without = (body: string, left: readonly string[]): string =>
  JSON.stringify(JSON.parse(body), (_key, value: unknown) =>
    Array.isArray(value)
      ? value.filter((item: object) => !Object.values(item).some((each) => left.includes(String(each))))
      : value,
  )
