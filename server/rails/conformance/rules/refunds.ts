import { expect } from 'vitest'
import type { RefundOrder } from '../../../actions/ports/rail.ts'
import { present } from '../../../domain/present.ts'
import { wireRule, type Rule } from '../rule.ts'
import { refundOf, type WireStage } from '../wire-stage.ts'
import { accepted, TAKEN } from './said-of-orders.ts'

const refundIn = ({ counterpart, order }: WireStage): RefundOrder =>
  refundOf(order(), present(counterpart.collectionOf, 'a collection'))

/** The adapter alone: what an installed rail would refuse before it must be harmless here too. */
const refunded = ({ adapter }: WireStage, refund: RefundOrder) => present(adapter.refund, 'refunds')(refund)

/** What refunds have that no other order has: a collection that they give back. All other rules hold for them too. */
export const REFUNDS: readonly Rule[] = [
  wireRule(
    'a rail that refunds says how, and only for collections',
    'the gateway decides by it whether a merchant may order a refund, and whether it may go out again',
    ['refunds'],
    async (open) => {
      const { adapter } = await open()
      const traits = present(adapter.traitsOf('COLLECTION').refund, 'the trait `refund`')
      expect([['safe', 'never'].includes(traits.repeat), typeof traits.partial]).toEqual([true, 'boolean'])
      expect(adapter.traitsOf('PAYOUT').refund).toBeUndefined()
      expect([typeof adapter.refund, typeof adapter.queryRefund]).toEqual(['function', 'function'])
    },
  ),
  wireRule(
    'a refund names its own collection',
    "another customer would get the money, or a payout without a collection's limit",
    ['refunds'],
    async (open) => {
      const stage = await open()
      for (const refund of [refundIn(stage), refundIn(stage)]) {
        expect(await refunded(stage, refund)).toMatchObject(TAKEN)
        const request = present(stage.operator.submits().at(-1), 'the refund')
        expect(stage.counterpart.words.read(request).account).toBe(refund.account)
      }
    },
  ),
  wireRule(
    "a refund without its collection's id at the operator is not sent",
    'the operator would refuse it for good, or guess which payment it is of',
    ['refunds', 'receipts'],
    async (open) => {
      const stage = await open()
      const { collection, ...refund } = refundIn(stage)
      const answer = await refunded(stage, { ...refund, collection: { ...collection, externalIds: {} } })
      expect([answer.answer, stage.operator.submits().length]).toEqual(['not_sent', 0])
    },
  ),
  wireRule(
    'a part goes out as that part, or not at all',
    'a merchant who gives a half back must not give back all of it',
    ['refunds'],
    async (open) => {
      const stage = await open()
      const { amount, ...refund } = refundIn(stage)
      const part = { ...amount, amountMinor: amount.amountMinor / 10n }
      const [answer] = await present(stage.connected.refund, 'refunds')([{ ...refund, amount: part }])
      if (stage.adapter.traitsOf('COLLECTION').refund?.partial) {
        const request = present(stage.operator.submits().at(-1), 'the refund')
        expect(stage.counterpart.words.read(request).amount).toEqual(part)
      } else expect([answer?.answer, stage.operator.submits().length]).toEqual(['refused', 0])
    },
  ),
  wireRule(
    'the outcome of another refund does not count',
    'of two refunds of one customer only the one that ended may be booked',
    ['refunds', 'accepts'],
    async (open) => {
      const stage = await open()
      const [ended, waiting] = [await accepted(stage.rail, stage.order()), await accepted(stage.rail, stage.order())]
      stage.operator.decide(ended.account, 'paid')
      await stage.query(ended)
      expect((await stage.query(waiting)).knows).not.toBe('outcome')
      const other = present(stage.operator.orders(ended.account)[0], 'the other refund')
      const reading = stage.adapter.readCallback(stage.operator.callback(other, 'paid').received)
      const named: Readonly<Record<string, string | undefined>> = { orderId: reading?.orderId, ...reading?.externalIds }
      // What the gateway compares with the refund that the address is of.
      const own = Object.entries({ orderId: waiting.orderId, ...waiting.externalIds })
      expect(own.some(([name, id]) => named[name] !== undefined && named[name] !== id)).toBe(true)
    },
  ),
  wireRule(
    'a message about a refund is of no other order',
    'a success would complete a payment that nobody made, or be booked twice',
    ['refunds', 'callbacks'],
    async (open) => {
      const stage = await open()
      const { account } = await accepted(stage.rail, stage.order())
      const booked = present(stage.operator.orders(account)[0], 'the refund')
      for (const verdict of ['paid', 'failed'] as const) {
        const reading = stage.adapter.readCallback(stage.operator.callback(booked, verdict).received)
        // Where the operator is queried, the gateway asks about the order of the address.
        expect(reading?.mayQuery === true || reading?.type === 'REFUND').toBe(true)
      }
    },
  ),
]
