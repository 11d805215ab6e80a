import { expect } from 'vitest'
import type { RailKnowledge } from '../../../actions/ports/rail.ts'
import { money } from '../../../domain/money.ts'
import type { WholeAnswer } from '../../testing/scripted-operator.ts'
import type { Lie, Verdict } from '../counterpart.ts'
import type { Mood } from '../hostile-operator.ts'
import { wireRule, type Rule } from '../rule.ts'
import type { OpenWire, WireStage } from '../wire-stage.ts'
import { accepted } from './said-of-orders.ts'

/** The result of a status query that gets this reply; the operator has the order. */
async function reported(stage: WireStage, mood: Mood): Promise<RailKnowledge> {
  const order = await accepted(stage.rail, stage.order())
  const submits = stage.operator.submits().length
  stage.operator.nextQuestions(mood)
  const known = await stage.query(order)
  expect(stage.operator.submits()).toHaveLength(submits)
  expect(await stage.moved(order)).toBe(1)
  stage.clock.advance(61_000)
  return known
}

async function expectNothingKnown(stage: WireStage, mood: Mood, what: string): Promise<void> {
  const { knows } = await reported(stage, mood)
  expect([what, ['unreachable', 'in_progress'].includes(knows) ? 'nothing known' : knows]).toEqual([
    what,
    'nothing known',
  ])
}

const LIES: Readonly<Record<keyof Lie, (stage: WireStage) => Lie>> = {
  orderId: () => ({ orderId: '0b9d8f6e-0000-4000-8000-000000000000' }),
  amount: ({ counterpart: { currency } }) => ({ amount: money(100n, currency) }),
  currency: () => ({ currency: 'RWF' }),
  account: ({ counterpart }) => ({ account: counterpart.account(9_999) }),
  names: ({ counterpart, order }) => ({
    names: counterpart.words.names({ ...order(), texts: [], number: 9_999, verdict: 'paid' }),
  }),
}

async function expectLieNotBelieved(open: OpenWire, kind: keyof Lie): Promise<void> {
  const stage = await open()
  const { words } = stage.counterpart
  for (const verdict of ['paid', 'failed'] as const) {
    const order = await accepted(stage.rail, stage.order())
    const [booked] = stage.operator.orders(order.account)
    if (!booked) throw new Error('the order is not in the book')
    stage.operator.nextQuestions({ answers: words.verdictMessage(booked, verdict, LIES[kind](stage)) })
    expect([kind, verdict, (await stage.query(order)).knows]).not.toEqual([kind, verdict, 'outcome'])
  }
}

const told200 = (verdict: Verdict) => async (open: OpenWire) => {
  const stage = await open()
  const order = await accepted(stage.rail, stage.order())
  stage.operator.decide(order.account, verdict)
  return stage.query(order)
}

/** Replies to status queries: only a documented final state is final, everything else is queried again. */
export const QUESTIONS: readonly Rule[] = [
  wireRule(
    'an undocumented state is no result',
    'unknown is not failed: the next version of an API has states of which we know nothing',
    ['query'],
    async (open) => {
      expect(['unreachable', 'in_progress']).toContain((await told200('strange')(open)).knows)
    },
  ),
  wireRule(
    'a reply without a word on money is no result',
    'errors of a poll are about the poll',
    ['query'],
    async (open) => {
      const stage = await open()
      for (const [what, answers] of Object.entries(stage.counterpart.words.untold))
        await expectNothingKnown(stage, { answers }, what)
    },
  ),
  wireRule(
    'a poll that fails in transit says nothing',
    'as with orders, half a reply to a poll is none',
    ['accepts'],
    async (open) => {
      const stage = await open()
      const html = { body: '<html>', headers: { 'content-type': 'text/html' } }
      await expectNothingKnown(stage, { answers: 'close_before_reading' }, 'closed before it was read')
      await expectNothingKnown(stage, { answers: 'close_after_reading' }, 'closed after it was read')
      await expectNothingKnown(stage, { takes: (honest) => ({ ...honest, delivery: 'truncated' }) }, 'truncated')
      for (const status of [200, 404, 500, 502])
        await expectNothingKnown(stage, { answers: { status, ...html } }, `HTML with ${status}`)
      for (const status of [200, 204, 302, 404, 500, 503])
        await expectNothingKnown(stage, { answers: { status } }, `nothing with ${status}`)
      const asText = (honest: WholeAnswer): WholeAnswer => ({
        ...honest,
        body: JSON.stringify(honest.body),
        headers: { 'content-type': 'text/plain' },
      })
      await expectNothingKnown(stage, { takes: asText }, 'another content type')
    },
  ),
  wireRule(
    'a reply about another order, amount, currency or name does not count',
    "a customer's payment must not be taken for another's",
    ['query'],
    async (open) => {
      const { counterpart } = await open()
      for (const kind of counterpart.words.lieFields) await expectLieNotBelieved(open, kind)
    },
  ),
  wireRule(
    '"not found" right after an order is not "nothing moved"',
    'operators accept an order first and show it later: resent under a new id it would be paid twice',
    ['query', 'not_found'],
    async (open) => {
      const stage = await open()
      const { unknown } = stage.counterpart.words
      const young = await accepted(stage.rail, stage.order())
      const { orderedAt: _orderedAt, ...ofUnknownAge } = young
      for (const order of [young, ofUnknownAge]) {
        stage.operator.nextQuestions({ answers: unknown })
        expect((await stage.query(order)).knows).toBe('unreachable')
      }
    },
  ),
  wireRule(
    'a poll returns what the operator says now',
    'polling a rail that caches is useless',
    ['query'],
    async (open) => {
      const stage = await open()
      const order = await accepted(stage.rail, stage.order())
      expect(await stage.query(order)).toMatchObject({ knows: 'in_progress' })
      await stage.decide(order)
      expect(await stage.query(order)).toMatchObject({ knows: 'outcome', outcome: { status: 'COMPLETED' } })
    },
  ),
  wireRule(
    "the operator's own ids are returned, and an order is polled by them",
    'where an operator finds an order only by its own id, an order without it is lost',
    ['names'],
    async (open) => {
      const stage = await open()
      const orders = [stage.order(), stage.order()]
      const answers = await stage.rail.submit(orders)
      for (const [index, order] of orders.entries()) {
        const [booked] = stage.operator.orders(order.account)
        if (!booked) throw new Error('the order is not in the book')
        expect(answers[index]).toEqual({ answer: 'accepted', externalIds: stage.counterpart.words.names(booked) })
        await stage.query({ ...order, externalIds: stage.counterpart.words.names(booked) })
        const question = stage.operator.asks().at(-1)
        expect(question && stage.counterpart.words.isAbout(question, booked)).toBe(true)
      }
    },
  ),
]
