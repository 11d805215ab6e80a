import { expect } from 'vitest'
import { handTimers } from '../../testing/hand-timers.ts'
import { wireRule, type Rule } from '../rule.ts'
import { accepted, arrived, taken, TAKEN } from './said-of-orders.ts'

/** Rate limits of the operator: exceeding them locks out the rail account with all its orders. */
export const BOUNDS: readonly Rule[] = [
  wireRule(
    'the first poll waits until the operator has a result',
    'operators document when to poll first, and count earlier polls',
    [],
    async (open) => {
      const { rail, order, counterpart } = await open()
      expect(rail.traitsOf(order()).pollAfterMs(0)).toBeGreaterThanOrEqual(counterpart.pollAfterMsMin)
    },
  ),
  wireRule(
    "calls of a kind stay within the rail account's rate per second",
    'operators refuse calls that are too fast, and a refused poll is lost',
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
      for (const answer of await answers) expect(answer).toMatchObject(TAKEN)
    },
  ),
  wireRule(
    'polls keep to the same rate',
    "most calls are polls: after an hour's outage an operator is polled about everything at once",
    ['polls'],
    async (open) => {
      const timers = handTimers()
      const stage = await open({ settings: { requests_per_second: '2' }, timers })
      const { operator, rail } = stage
      const order = stage.order()
      await accepted(rail, order)
      const orders = Array.from({ length: 3 }, () => ({
        ...stage.order(),
        externalIds: { CheckoutRequestID: 'ws_CO_0', OriginatorConversationID: 'theirs-0' },
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
    'an unresponsive operator gets neither orders nor polls',
    'calls that cannot succeed only prolong the outage',
    [],
    async (open) => {
      const stage = await open({ settings: { failures_until_open: '3' } })
      const order = await taken(stage.rail, stage.order())
      stage.operator.always('close_after_reading')
      for (let lost = 0; lost < 3; lost += 1) await stage.submit(stage.order())
      const before = stage.operator.requests.length
      expect(await stage.submit(stage.order())).toMatchObject({ answer: 'not_sent' })
      expect(await stage.query(order)).toMatchObject({ knows: 'unreachable' })
      expect(stage.operator.requests).toHaveLength(before)
    },
  ),
  wireRule(
    'every call is on record, with its order',
    'support reads the exchange there; an unrecorded call has no limits, timeout or mask either',
    [],
    async (open) => {
      const stage = await open()
      const order = await taken(stage.rail, stage.order())
      await stage.query(order)
      stage.operator.nextOrders({ takes: () => 'close_after_reading' })
      const lost = stage.order()
      await stage.submit(lost)
      expect(stage.records).toHaveLength(stage.operator.requests.length)
      expect(stage.records.map(({ purpose, orderId }) => [purpose, orderId])).toEqual([
        ['token', undefined],
        ['submit', order.orderId],
        ...(stage.counterpart.lacks.polls === undefined ? [['ask', order.orderId]] : []),
        ['submit', lost.orderId],
      ])
    },
  ),
]
