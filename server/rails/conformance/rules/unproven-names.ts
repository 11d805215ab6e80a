import { expect } from 'vitest'
import { amountToWire } from '../../../domain/money.ts'
import type { Mood } from '../hostile-operator.ts'
import { gatewayRule, type Rule } from '../rule.ts'
import { expectBooked, expectOpen, HOUR_MS, LOST, SECOND_MS, settled } from './payments.ts'

const DRAWN_OUT: Mood = { takes: (honest) => ({ ...honest, delivery: 'drip', dripMs: 2 }) }

/** Messages about an order of which we know no name of the operator's, with the name of another payment in them. */
export const UNPROVEN_NAMES: readonly Rule[] = [
  gatewayRule(
    'a name that a message alone gives proves nothing without amount and account',
    'asked by it, an operator confirms whatever payment it is the name of',
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
        // What was not paid when the messages came may be a moment later.
        for (const other of [one, another]) operator.decide(other.account, 'paid')
        await stage.after(SECOND_MS)
        // While one message asks by its name the order is asked about for the other: that answer is none for it.
        operator.nextQuestions(...Array.from({ length: 8 }, () => DRAWN_OUT))
        await stage.after(HOUR_MS)
        operator.nextQuestions()
        await expectOpen(stage, open)
        for (const payment of [open, one, another]) {
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
