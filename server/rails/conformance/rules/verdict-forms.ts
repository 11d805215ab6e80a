import { expect } from 'vitest'
import { money } from '../../../domain/money.ts'
import { present } from '../../../domain/present.ts'
import type { BookedOrder, Lie, Verdict } from '../counterpart.ts'
import type { WholeAnswer } from '../../testing/scripted-operator.ts'
import { gatewayRule, wireRule, type Rule } from '../rule.ts'
import type { WireStage } from '../wire-stage.ts'
import { expectBooked, HOUR_MS } from './payments.ts'
import { accepted } from './said-of-orders.ts'

/** The same JSON without any field that names an amount. */
const withoutAmount = (text: string): string =>
  JSON.stringify(JSON.parse(text), (key, value: unknown) => {
    if (/amount/i.test(key)) return undefined
    return Array.isArray(value) ? value.filter((item) => !/"[A-Za-z]*Amount"/.test(JSON.stringify(item))) : value
  })

/** The operator ends the order in its answer to it. */
const ended =
  ({ counterpart, operator }: Pick<WireStage, 'counterpart' | 'operator'>, verdict: Verdict, lie: Lie = {}) =>
  (): WholeAnswer => {
    const order: BookedOrder = present(operator.latestOrders()[0], 'the order in the book')
    if (Object.keys(lie).length === 0) order.verdict = verdict
    return present(counterpart.words.outcome, 'an outcome at once')(order, verdict, lie)
  }

/** Verdicts in other forms than a reply to a query: in the answer to the order, without an amount, under own codes. */
export const VERDICT_FORMS: readonly Rule[] = [
  wireRule(
    'an outcome in the answer to an order is final, and a query says the same',
    'polled for hours, a payout that is done looks open to its merchant',
    ['immediate'],
    async (open) => {
      const stage = await open()
      for (const [verdict, status] of [
        ['paid', 'COMPLETED'],
        ['failed', 'FAILED'],
      ] as const) {
        const order = stage.order()
        stage.operator.nextOrders({ takes: ended(stage, verdict) })
        const answer = await stage.submit(order)
        if (verdict === 'failed' && stage.counterpart.words.failureIsAskedAgain) {
          expect(answer).toEqual({ answer: 'accepted' })
          expect(await stage.query(order)).toMatchObject({ knows: 'outcome', outcome: { status } })
        } else {
          expect(answer).toMatchObject({ answer: 'outcome', outcome: { status } })
          const { answer: _answer, ...outcome } = answer
          expect(await stage.query(order)).toEqual({ knows: 'outcome', ...outcome })
        }
      }
    },
  ),
  wireRule(
    'an outcome in the answer to an order is believed as the answer to a query is',
    'the outcome of another order, or of another amount, must not end this one',
    ['immediate'],
    async (open) => {
      const stage = await open()
      const lies: readonly Lie[] = [
        { orderId: '0b9d8f6e-0000-4000-8000-000000000000' },
        { amount: money(100n, stage.counterpart.currency) },
        { currency: 'RWF' },
      ]
      for (const lie of lies)
        for (const verdict of ['paid', 'failed', 'strange'] as const) {
          stage.operator.nextOrders({ takes: ended(stage, verdict, lie) })
          expect([lie, verdict, (await stage.submit(stage.order())).answer]).toEqual([lie, verdict, 'unreachable'])
          stage.clock.advance(61_000)
        }
    },
  ),
  gatewayRule(
    'a payment that ends in the answer to its order is booked once, unpolled',
    'it is settled like any other: with its receipt, its callback, and nothing after it',
    ['immediate'],
    async (stage) => {
      const payment = await stage.pay({ takes: ended(stage, 'paid') })
      await expectBooked(stage, payment)
      expect(stage.operator.asks()).toEqual([])
      await stage.report(payment, 'paid')
      await stage.after(HOUR_MS)
      await expectBooked(stage, payment)
      expect(await stage.reportedToMerchant(payment)).toHaveLength(1)
    },
  ),
  wireRule(
    'a success without an amount counts only where the contract has none',
    'a field that is missing agrees with everything',
    ['callbacks'],
    async (open) => {
      const stage = await open()
      const order = await accepted(stage.rail, stage.order())
      const booked = present(stage.operator.orders(order.account)[0], 'the order in the book')
      const { received } = stage.operator.callback(booked, 'paid')
      const read = stage.adapter.readCallback({ ...received, body: withoutAmount(received.body) })
      expect(read === undefined || read.mayQuery || read.outcome === undefined).toBe(true)
      if (stage.counterpart.lacks.query !== undefined) return
      const { body, ...reply } = stage.counterpart.words.verdictMessage(booked, 'paid', {})
      const whole = JSON.stringify(body)
      const stripped = withoutAmount(whole)
      stage.operator.nextQuestions({ answers: { ...reply, body: JSON.parse(stripped) as unknown } })
      expect((await stage.query(order)).knows).toBe(stripped === whole ? 'outcome' : 'unreachable')
    },
  ),
  wireRule(
    "a rail account's own codes name a failure, and never make one",
    'countries of one operator disagree on a code: a wrong name misleads, a wrong verdict pays twice',
    ['callbacks'],
    async (open) => {
      const { failureCode } = (await open()).counterpart
      if (failureCode === undefined) return
      const codeWith = async (settings: Readonly<Record<string, string>>) => {
        const stage = await open({ settings })
        const order = stage.order()
        await stage.submit(order)
        const booked = present(stage.operator.orders(order.account)[0], 'the order in the book')
        const outcome = (verdict: Verdict) =>
          stage.adapter.readCallback(stage.operator.callback(booked, verdict).received)?.outcome
        for (const verdict of ['pending', 'strange'] as const) expect(outcome(verdict)).toBeUndefined()
        return outcome('failed')
      }
      expect(await codeWith({})).not.toMatchObject({ code: 'limit_reached' })
      const own = `X=declined, ${failureCode}=limit_reached, 1313=declined, DEFERRED=declined, 4999=declined`
      expect(await codeWith({ failure_codes: own })).toMatchObject({ status: 'FAILED', code: 'limit_reached' })
    },
  ),
  wireRule(
    'processes of a rail account share the one token that is valid',
    'each would end the token of the others, and every second order would wait for another one',
    ['one_token'],
    async (open) => {
      const stage = await open()
      const second = stage.second()
      const orders = Array.from({ length: 6 }, () => stage.order())
      for (const [index, order] of orders.entries())
        expect((await (index % 2 ? second : stage.rail).submit([order]))[0]).toMatchObject({ answer: 'accepted' })
      expect(stage.operator.tokenCalls()).toHaveLength(1)
      stage.clock.advance(2 * HOUR_MS)
      const later = [stage.order(), stage.order(), stage.order(), stage.order()]
      const answers = await Promise.all(later.map((order, index) => (index % 2 ? second : stage.rail).submit([order])))
      expect(answers.map(([answer]) => answer?.answer)).toEqual(later.map(() => 'accepted'))
      expect(stage.operator.tokenCalls()).toHaveLength(2)
    },
  ),
  wireRule(
    'a statement comes page by page, and half of one is none',
    'held whole it fills the memory, and taken in part it hides what is missing',
    ['statements'],
    async (open) => {
      const words = present((await open()).counterpart.words.statement, 'words for a statement')
      const stage = await open({ settings: words.settings })
      const pages = () => stage.operator.requests.filter(({ path }) => words.route.endsWith(path)).length
      const from = new Date(stage.clock.now().getTime() - HOUR_MS)
      stage.operator.on(words.route, words.page(1, 2), words.page(2, 2), words.broken)
      const lines = present(stage.adapter.statement, 'a statement')(from, stage.clock.now())[Symbol.asyncIterator]()
      const read = []
      for (let line = await lines.next(); !line.done && read.length < 4;) {
        read.push(line.value.reference)
        expect(pages()).toBe(read.length <= 2 ? 1 : 2)
        if (read.length < 4) line = await lines.next()
      }
      expect(new Set(read).size).toBe(4)
      await expect(lines.next()).rejects.toThrow()
    },
  ),
]
