import { expect } from 'vitest'
import { amountToWire } from '../../../domain/money.ts'
import { gatewayRule, type Rule } from '../rule.ts'
import { expectBooked, expectOpen, HOUR_MS, LOST, SECOND_MS, settled } from './payments.ts'

/** Messages about an order of which we know no name of the operator's, with the name of another payment in them. */
export const UNPROVEN_NAMES: readonly Rule[] = [
  gatewayRule(
    'a name that a message alone gives proves nothing without amount and account',
    'asked by it, an operator confirms whatever payment it is the name of',
    ['callbacks', 'query', 'names'],
    async (stage) => {
      const { counterpart, operator } = stage
      for (const verdict of ['paid', 'failed'] as const) {
        const [other, open] = [await stage.pay(LOST), await stage.pay(LOST)]
        const { amount, account } = stage.order(open)
        const shillings = amountToWire(amount.amountMinor, amount.currency)
        const lie = { names: counterpart.words.names(stage.order(other)) }
        const { url, received } = operator.callback(stage.order(open), verdict, lie)
        for (const left of [[shillings, account], [account], [shillings]]) {
          const body = without(received.body, left.map(String))
          expect(await stage.deliver({ url, received: { ...received, body } })).toBe(200)
          await stage.runDue()
        }
        // What was not paid when the message came may be a moment later.
        operator.decide(other.account, 'paid')
        await stage.after(SECOND_MS)
        await stage.after(HOUR_MS)
        await expectOpen(stage, open)
        for (const payment of [open, other]) {
          await settled(stage, payment)
          await expectBooked(stage, payment)
        }
      }
    },
  ),
]

/** The message without the items of lists that say one of these. */
const without = (body: string, left: readonly string[]): string =>
  JSON.stringify(JSON.parse(body), (_key, value: unknown) =>
    Array.isArray(value)
      ? value.filter((item: object) => !Object.values(item).some((each) => left.includes(String(each))))
      : value,
  )
