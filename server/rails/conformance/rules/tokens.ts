import { expect } from 'vitest'
import type { ScriptedAnswer } from '../../testing/scripted-operator.ts'
import { wireRule, type Rule } from '../rule.ts'
import { TAKEN } from './said-of-orders.ts'

const MINUTE_MS = 60_000
const TRIES = 5

/** Short-lived credentials that expire while orders are in flight. */
export const TOKENS: readonly Rule[] = [
  wireRule(
    'a token refused in between is renewed, and the same order is resent once',
    'tokens end whenever an operator likes: the customer must not notice it, nor be charged twice',
    [],
    async (open) => {
      const stage = await open()
      const { operator, counterpart } = stage
      for (const refused of counterpart.words.tokenRefused) {
        const order = stage.order()
        const before = operator.submits().length
        operator.nextOrders({ answers: refused })
        expect(await stage.submit(order)).toMatchObject(TAKEN)
        const [first, second, ...others] = operator.submits().slice(before)
        expect(others).toEqual([])
        const sent = [first, second].map((request) => request && counterpart.words.read(request))
        expect(sent[1]?.orderId).toBe(sent[0]?.orderId)
        expect(sent[1]).toMatchObject({ account: order.account, amount: order.amount })
        expect(first?.headers.authorization).not.toBe(second?.headers.authorization)
        expect(await stage.moved(order)).toBe(1)
        stage.clock.advance(2 * MINUTE_MS)
      }
    },
  ),
  wireRule(
    'a token refused without words is renewed for the next order, and this one is not resent',
    'the front of an API refuses with a page of its own: the token would be used until its end',
    [],
    async (open) => {
      const stage = await open()
      const { operator } = stage
      const page = { status: 401, body: '<html>', headers: { 'content-type': 'text/html' } }
      operator.nextOrders({ answers: page })
      expect(await stage.submit(stage.order())).toMatchObject({ answer: 'unreachable' })
      expect(operator.submits()).toHaveLength(1)
      expect(await stage.submit(stage.order())).toMatchObject(TAKEN)
      const [first, second] = operator.submits().map(({ headers }) => headers.authorization)
      expect(second).not.toBe(first)
    },
  ),
  wireRule(
    'tokens that stay refused end the attempt: nothing was accepted',
    'an operator counts token calls, and locks out a client that never stops',
    [],
    async (open) => {
      const stage = await open()
      const [refused] = stage.counterpart.words.tokenRefused
      stage.operator.nextOrders(...Array.from({ length: 20 }, () => ({ answers: refused ?? 401 })))
      expect(await stage.submit(stage.order())).toMatchObject({ answer: 'not_sent' })
      expect(stage.operator.submits().length).toBeLessThanOrEqual(2)
      for (let tries = 0; tries < TRIES; tries += 1) await stage.submit(stage.order())
      expect(stage.operator.tokenCalls().length).toBeLessThanOrEqual(TRIES)
    },
  ),
  wireRule(
    'without a token nothing is sent',
    'the order would be refused, or worse: accepted by somebody who does not authenticate us',
    [],
    async (open) => {
      const answers: readonly ScriptedAnswer[] = [
        500,
        503,
        'close_after_reading',
        { status: 200, body: '<html>', headers: { 'content-type': 'text/html' } },
        { status: 200, body: {} },
        { status: 401, body: { statusCode: 401, message: 'x' } },
      ]
      for (const answer of answers) {
        const stage = await open()
        stage.operator.nextTokens(answer)
        expect(await stage.submit(stage.order())).toMatchObject({ answer: 'not_sent' })
        expect(stage.operator.submits()).toEqual([])
      }
    },
  ),
  wireRule(
    'no order carries an expired token',
    'each such call is refused first, while the customer waits',
    [],
    async (open) => {
      const stage = await open()
      const atMinutes = [0, 20, 40, 49, 54, 59, 60, 61, 119, 125, 240]
      let now = 0
      for (const minute of atMinutes) {
        stage.clock.advance((minute - now) * MINUTE_MS)
        now = minute
        expect(await stage.submit(stage.order())).toMatchObject(TAKEN)
      }
      expect(stage.operator.submits()).toHaveLength(atMinutes.length)
    },
  ),
  wireRule(
    "a token that expires early by the operator's clock costs a renewal, not an order",
    'clocks differ, and a token says only how long it lives',
    [],
    async (open) => {
      const stage = await open()
      await stage.submit(stage.order())
      stage.operator.skewMs = 70 * MINUTE_MS
      const order = stage.order()
      expect(await stage.submit(order)).toMatchObject(TAKEN)
      expect(await stage.moved(order)).toBe(1)
    },
  ),
  wireRule('orders share one token', 'operators forbid a token for each transaction', [], async (open) => {
    const stage = await open()
    const answers = await stage.rail.submit(Array.from({ length: 8 }, () => stage.order()))
    for (const answer of answers) expect(answer).toMatchObject(TAKEN)
    expect(stage.operator.tokenCalls()).toHaveLength(1)
  }),
  wireRule(
    'a token that is expired on arrival causes no storm of calls',
    'an operator whose clock is wrong would get token calls as fast as it can reply',
    [],
    async (open) => {
      const stage = await open()
      stage.operator.tokenSeconds = 0
      for (let tries = 0; tries < TRIES; tries += 1)
        expect(await stage.submit(stage.order())).not.toMatchObject({ answer: 'refused' })
      expect(stage.operator.tokenCalls().length).toBeLessThanOrEqual(2)
    },
  ),
]
