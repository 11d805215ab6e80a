import { expect } from 'vitest'
import { railRule, type Rule } from '../rule.ts'
import { accepted, queried, submitted } from './said-of-orders.ts'

const HOUR_MS = 60 * 60_000

/** Rules for every rail, whatever is behind it. */
export const ANY_RAIL: readonly Rule[] = [
  railRule(
    'the same order twice moves money once, or the rail says `never`',
    'an order without a reply is resent where the rail allows it: a customer would be charged twice',
    [],
    async ({ rail, order, moved }) => {
      const one = order()
      await submitted(rail, one)
      const again = await submitted(rail, one)
      const { repeat } = rail.traitsOf(one)
      if (repeat === 'safe') {
        expect(await moved(one)).toBe(1)
        expect(again.answer).toBe('accepted')
      } else expect(repeat).toBe('never')
    },
  ),
  railRule(
    "a rail's traits never change",
    'the gateway decides by it, days later and in other processes, whether an order may go out again',
    [],
    async ({ rail, order, clock }) => {
      const one = order()
      const reported = () => {
        const { repeat, unanswered, pollAfterMs } = rail.traitsOf(one)
        return { repeat, unanswered, waits: [0, 1, 2, 3, 100].map((queries) => pollAfterMs(queries)) }
      }
      const before = reported()
      await submitted(rail, one)
      clock.advance(48 * HOUR_MS)
      expect(reported()).toEqual(before)
    },
  ),
  railRule(
    'poll intervals are whole milliseconds, from a second to a day',
    'an interval of zero polls in a loop, an endless one never polls again',
    [],
    async ({ rail, order }) => {
      const { pollAfterMs } = rail.traitsOf(order())
      for (const queries of [0, 1, 2, 3, 5, 10, 100, 1_000, 1_000_000]) {
        const wait = pollAfterMs(queries)
        expect([queries, Number.isInteger(wait), wait >= 1_000, wait <= 24 * HOUR_MS]).toEqual([
          queries,
          true,
          true,
          true,
        ])
      }
    },
  ),
  railRule(
    'an order that was accepted has no result before there is one',
    'a result too early would credit or release money that nobody has moved',
    ['accepts'],
    async ({ rail, order }) => {
      const one = await accepted(rail, order())
      expect(['in_progress', 'unreachable']).toContain((await queried(rail, one)).knows)
    },
  ),
  railRule(
    'an order that never went out has no result',
    'the operator means another order, or the rail invents the result',
    [],
    async ({ rail, order }) => {
      expect(['nothing_moved', 'unreachable', 'in_progress']).toContain((await queried(rail, order())).knows)
    },
  ),
  railRule(
    'each of several orders has its own reply',
    "swapped replies would book one customer's payment for another",
    ['query'],
    async ({ rail, order, decide }) => {
      const orders = []
      for (const fate of ['paid', 'failed', 'paid'] as const) orders.push(await accepted(rail, order(fate)))
      for (const each of orders) await decide(each)
      const unsent = order()
      const known = await rail.query([...orders, unsent])
      expect(known.map((each) => (each.knows === 'outcome' ? each.outcome.status : 'none'))).toEqual([
        'COMPLETED',
        'FAILED',
        'COMPLETED',
        'none',
      ])
    },
  ),
  railRule(
    'a repeated poll returns the same',
    'a verdict that changes with each poll is none',
    ['query'],
    async ({ rail, order, decide }) => {
      for (const fate of ['paid', 'failed'] as const) {
        const one = await accepted(rail, order(fate))
        await decide(one)
        const first = await queried(rail, one)
        expect(first).toMatchObject({
          knows: 'outcome',
          outcome: { status: fate === 'paid' ? 'COMPLETED' : 'FAILED' },
        })
        expect(await queried(rail, one)).toEqual(first)
      }
    },
  ),
  railRule(
    'a failure reason is a short sentence without ids and numbers',
    'merchants and customers read it: nothing of ours belongs there',
    ['query'],
    async ({ rail, order, decide }) => {
      const one = await accepted(rail, order('failed'))
      await decide(one)
      const known = await queried(rail, one)
      const reason = known.knows === 'outcome' && known.outcome.status === 'FAILED' ? known.outcome.reason : ''
      expectReadable(reason, [one.internalReference, one.orderId, one.account])
    },
  ),
]

const REASON_MAX = 200

export function expectReadable(reason: string, hidden: readonly string[]): void {
  expect(reason.length).toBeGreaterThan(0)
  expect(reason.length).toBeLessThanOrEqual(REASON_MAX)
  for (const each of hidden) expect(reason).not.toContain(each)
  expect(reason).not.toMatch(/\d{6}|undefined|\[object|HTTP/)
}
