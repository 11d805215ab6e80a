import { expect } from 'vitest'
import { handTimers } from '../../testing/hand-timers.ts'
import { wireRule, type Rule } from '../rule.ts'
import { accepted, arrived } from './said-of-orders.ts'

/** Rate limits of the operator: exceeding them locks out the rail account with all its orders. */
export const BOUNDS: readonly Rule[] = [
  wireRule(
    'the first question does not come before the operator has an answer',
    'operators document when to ask first, and count who asks before',
    [],
    async (open) => {
      const { rail, order, counterpart } = await open()
      expect(rail.traitsOf(order()).askAfterMs(0)).toBeGreaterThanOrEqual(counterpart.askAfterMsMin)
    },
  ),
  wireRule(
    'no second sees more calls of a kind than the rail account allows',
    'operators refuse whoever is too fast, and a refused question is a lost one',
    [],
    async (open) => {
      const timers = handTimers()
      const stage = await open({ settings: { requests_per_second: '2' }, timers })
      const { operator, rail } = stage
      const answers = rail.submit(Array.from({ length: 5 }, () => stage.order()))
      for (let begun = 1; begun <= 5; begun += 1) {
        await arrived(operator.submits, begun)
        await timers.pass(499)
        expect(operator.submits()).toHaveLength(begun)
        await timers.pass(1)
      }
      expect((await answers).map(({ answer }) => answer)).toEqual(Array.from({ length: 5 }, () => 'accepted'))
    },
  ),
  wireRule(
    'questions keep to the same bound',
    'most calls are questions: an operator that is down for an hour is asked about everything at once',
    [],
    async (open) => {
      const timers = handTimers()
      const stage = await open({ settings: { requests_per_second: '2' }, timers })
      const { operator, rail } = stage
      const order = stage.order()
      await accepted(rail, order)
      const orders = Array.from({ length: 3 }, () => ({
        ...stage.order(),
        externalIds: { CheckoutRequestID: 'ws_CO_0' },
      }))
      const answers = rail.query(orders)
      for (let begun = 1; begun <= 3; begun += 1) {
        await arrived(operator.asks, begun)
        await timers.pass(499)
        expect(operator.asks()).toHaveLength(begun)
        await timers.pass(1)
      }
      await answers
    },
  ),
  wireRule(
    'a dead operator is left alone: nothing goes out, neither orders nor questions',
    'what cannot be answered only makes the outage longer',
    [],
    async (open) => {
      const stage = await open({ settings: { failures_until_open: '3' } })
      const order = await accepted(stage.rail, stage.order())
      stage.operator.always('close_after_reading')
      for (let lost = 0; lost < 3; lost += 1) await stage.submit(stage.order())
      const before = stage.operator.requests.length
      expect(await stage.submit(stage.order())).toMatchObject({ answer: 'not_sent' })
      expect(await stage.ask(order)).toMatchObject({ knows: 'unreachable' })
      expect(stage.operator.requests).toHaveLength(before)
    },
  ),
  wireRule(
    'every call is on record, with its order',
    'support reads there what was said; a call beside it has no limits, no time-out and no mask either',
    [],
    async (open) => {
      const stage = await open()
      const order = await accepted(stage.rail, stage.order())
      await stage.ask(order)
      stage.operator.nextOrders({ takes: () => 'close_after_reading' })
      const lost = stage.order()
      await stage.submit(lost)
      expect(stage.records).toHaveLength(stage.operator.requests.length)
      expect(stage.records.map(({ purpose, orderId }) => [purpose, orderId])).toEqual([
        ['token', undefined],
        ['submit', order.orderId],
        ['ask', order.orderId],
        ['submit', lost.orderId],
      ])
    },
  ),
]
