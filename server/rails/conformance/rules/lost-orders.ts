import { expect } from 'vitest'
import { handTimers } from '../../testing/hand-timers.ts'
import { CALL_TIMES } from '../../exchange/one-call.ts'
import { wireRule, type Rule } from '../rule.ts'
import type { Mood } from '../hostile-operator.ts'
import type { OpenWire } from '../wire-stage.ts'
import { arrived, expectUnknown, withBody } from './said-of-orders.ts'

/** Sends one order and lets the whole time limit of a call pass. */
async function expectUnknownAfterSilence(open: OpenWire, mood: Mood): Promise<void> {
  const timers = handTimers()
  const stage = await open({ timers })
  stage.operator.nextOrders(mood)
  const answer = stage.submit(stage.order())
  await arrived(stage.operator.submits, 1)
  await timers.pass(CALL_TIMES.totalMs)
  expect((await answer).answer).toBe('unreachable')
  expect(stage.operator.submits()).toHaveLength(1)
}

/** A reply gets lost: nobody knows whether the order arrived, and the rail must report an unknown outcome. */
export const LOST_ORDERS: readonly Rule[] = [
  wireRule(
    'no connection: certainly not sent',
    'what certainly never arrived may go out again at once, and the customer need not wait',
    [],
    async (open) => {
      const stage = await open()
      await stage.operator.close()
      expect(await stage.submit(stage.order())).toMatchObject({ answer: 'not_sent' })
    },
  ),
  wireRule(
    'lost before it is read: unknown',
    'an operator that closed the connection may have read the order first',
    [],
    async (open) => {
      const stage = await open()
      const order = stage.order()
      stage.operator.nextOrders({ answers: 'close_before_reading' })
      expect(await stage.submit(order)).toMatchObject({ answer: 'unreachable' })
      expect([stage.operator.submits().length, await stage.moved(order)]).toEqual([1, 0])
    },
  ),
  wireRule(
    'lost after acceptance: unknown, and not resent by the rail itself',
    'the gateway decides on a second attempt, as it knows whether the operator would notice it',
    [],
    async (open) => expectUnknown(await open(), () => 'close_after_reading', 'closed'),
  ),
  wireRule(
    'cut in the middle of the reply: unknown',
    'half a reply may mean anything, even the opposite of the whole',
    [],
    async (open) => {
      const stage = await open()
      await expectUnknown(stage, ({ status }) => ({ raw: `HTTP/1.1 ${status} O` }), 'in its first line')
      await expectUnknown(
        stage,
        ({ status }) => ({ raw: `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\ncontent-le` }),
        'in its headers',
      )
      await expectUnknown(stage, (honest) => ({ ...withBody(honest), delivery: 'truncated' }), 'in its body')
    },
  ),
  wireRule('silence: unknown, in bounded time', 'an endless wait for one order blocks all others', [], async (open) =>
    expectUnknownAfterSilence(open, { takes: () => 'hang' }),
  ),
  wireRule(
    'dripping bytes: unknown, in bounded time',
    'waiting for the last byte of a slow reply takes as long as the operator likes',
    [],
    async (open) => {
      const slowly = (delivery: 'drip' | 'stall'): Mood => ({
        takes: (honest) => ({ ...withBody(honest), delivery, dripMs: 1_000 }),
      })
      await expectUnknownAfterSilence(open, slowly('drip'))
      await expectUnknownAfterSilence(open, slowly('stall'))
    },
  ),
]
