import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { UnrequestedPayment } from '../../../actions/ports/rail.ts'
import { money } from '../../../domain/money.ts'
import { present } from '../../../domain/present.ts'
import type { Counterpart } from '../counterpart.ts'
import type { GatewayStage } from '../gateway-stage.ts'
import type { ScriptedAnswer } from '../../testing/scripted-operator.ts'
import { confirmPayment } from '../../confirm-payment.ts'
import type { RailStage } from '../rail-stage.ts'
import { gatewayRule, wireRule, type Rule } from '../rule.ts'
import { nextAccount } from '../wire-stage.ts'
import { expectBooked, expectOpen, HOUR_MS, settled } from './payments.ts'

const MINUTE_MS = 60_000

/** It was paid in this very second. */
const unrequested = ({
  counterpart,
  clock,
}: Pick<RailStage, 'clock'> & { readonly counterpart: Counterpart }): Required<UnrequestedPayment> => ({
  receipt: `KIT${randomBytes(5).toString('hex').toUpperCase()}`,
  amount: money(70_000n, counterpart.currency),
  account: nextAccount(counterpart),
  reference: 'INVOICE 7',
  paidAt: new Date(Math.floor(clock.now().getTime() / 1000) * 1000),
})
const post = (tail: string, body: unknown) => ({ method: 'POST' as const, tail, body: JSON.stringify(body) })

/** Delivers a message to an address of the rail account, and processes it. */
async function told(stage: GatewayStage, tail: string, body: unknown): Promise<void> {
  expect(await stage.deliver({ url: stage.accountUrl(tail), received: post(tail, body) })).toBe(200)
  await stage.runDue()
}

/** The gateway is told of a payment that nobody asked for. */
function reported(stage: GatewayStage, payment: Required<UnrequestedPayment>): Promise<void> {
  const words = present(stage.counterpart.words.unrequested, 'words for such a payment')
  return told(stage, words.tail, words.body(payment))
}

/** Operators with one address for all orders of a rail account, and what comes there without an order. */
export const ACCOUNT_MESSAGES: readonly Rule[] = [
  wireRule(
    "a message at the rail account's address names its order",
    'nothing else says which order it is about: read as none, every result waits for a poll',
    ['account_address'],
    async (open) => {
      const stage = await open()
      const order = stage.order()
      await stage.submit(order)
      const booked = present(stage.operator.orders(order.account)[0], 'the order in the book')
      const { received } = stage.operator.callback(booked, 'paid')
      expect(stage.adapter.readMessage?.(received)).toMatchObject({
        about: 'order',
        reading: { orderId: order.orderId, outcome: { status: 'COMPLETED' } },
      })
      for (const tail of ['elsewhere', 'constructor', ''])
        expect(stage.adapter.readMessage?.({ ...received, tail })).toBeUndefined()
    },
  ),
  gatewayRule(
    "an order is found among those of its rail account, never among another's",
    "whoever has one operator's address could end the payments of another",
    ['account_address'],
    async (stage) => {
      const payment = await stage.pay()
      const sent = stage.operator.callback(stage.order(payment), 'failed', {
        orderId: '0b9d8f6e-0000-4000-8000-000000000000',
      })
      expect(await stage.deliver(sent)).toBe(200)
      for (let minute = 0; minute < 4; minute += 1) await stage.after(MINUTE_MS)
      await expectOpen(stage, payment)
      await settled(stage, payment)
      await expectBooked(stage, payment)
    },
  ),
  wireRule(
    'a payment that nobody asked for is read with receipt, amount, payer, reference and time',
    'the receipt books it once, and the rest says to whom it belongs',
    ['unrequested'],
    async (open) => {
      const { adapter, counterpart, clock } = await open()
      const words = present(counterpart.words.unrequested, 'words for such a payment')
      const payment = unrequested({ counterpart, clock })
      const read = (changes: Partial<UnrequestedPayment>) =>
        adapter.readMessage?.(post(words.tail, words.body({ ...payment, ...changes })))
      const receiptName = adapter.traitsOf('COLLECTION').unrequested?.receiptName
      expect(read({})).toEqual({ about: 'payment', payment, receiptName })
      for (const changes of [{ receipt: '' }, { amount: money(0n, counterpart.currency) }])
        expect(read(changes)).toBeUndefined()
    },
  ),
  wireRule(
    'a payment that nobody asked for is confirmed by the operator alone, by its receipt',
    'a message proves nothing: whoever knows the address could have sent it',
    ['unrequested'],
    async (open) => {
      const { counterpart, clock } = await open()
      const words = present(counterpart.words.unrequested, 'words for such a payment')
      const payment = unrequested({ counterpart, clock })
      // Each time a process that has asked nothing yet.
      const asked = async (answer: ScriptedAnswer) => {
        const { adapter, operator } = await open()
        operator.on(words.askedAt, answer)
        return confirmPayment(adapter, payment, payment.paidAt)
      }
      for (const answer of [
        words.booked(),
        words.booked({ ...payment, receipt: 'KITOTHER' }),
        'close_after_reading',
      ] as const)
        expect(await asked(answer)).toBeUndefined()
      const other = { ...payment, amount: money(500n, counterpart.currency) }
      expect(await asked(words.booked(other))).toMatchObject({ receipt: payment.receipt, amount: other.amount })
    },
  ),
  gatewayRule(
    'a claimed payment books nothing until the operator confirms it, and then once',
    'booked unconfirmed or twice it invents money, and booked nowhere the money is lost',
    ['unrequested'],
    async (stage) => {
      const { words, currency } = stage.counterpart
      const { askedAt, booked } = present(words.unrequested, 'words for such a payment')
      const payment = unrequested(stage)
      stage.operator.on(askedAt, booked())
      await reported(stage, { ...payment, amount: money(90_000_000n, currency) })
      await reported(stage, payment)
      await stage.after(MINUTE_MS)
      expect(await stage.suspended(payment.receipt)).toEqual([])
      stage.operator.on(askedAt, booked(payment))
      for (let times = 0; times < 2; times += 1) await stage.after(HOUR_MS)
      await reported(stage, { ...payment, reference: 'another text' })
      expect(await stage.suspended(payment.receipt)).toEqual([payment.amount.amountMinor])
    },
  ),
  gatewayRule(
    'a claimed payment that the operator never confirms books nothing',
    'a forged message would put money on the books that nobody has',
    ['unrequested'],
    async (stage) => {
      const { askedAt, booked } = present(stage.counterpart.words.unrequested, 'words for such a payment')
      const payment = unrequested(stage)
      stage.operator.on(askedAt, booked())
      await reported(stage, payment)
      for (let times = 0; times < 8; times += 1) await stage.after(2 * HOUR_MS)
      expect(await stage.suspended(payment.receipt)).toEqual([])
      expect(await stage.waitingMessages()).toBe(0)
    },
  ),
  gatewayRule(
    "an order's own payment is not booked a second time as one that nobody asked for",
    'an operator may report one movement both ways',
    ['unrequested'],
    async (stage) => {
      const payment = await stage.pay()
      await settled(stage, payment)
      await expectBooked(stage, payment)
      const [receipt = ''] = Object.entries(await stage.namesOf(payment)).flatMap(([name, id]) =>
        /receipt/i.test(name) ? [id] : [],
      )
      const { amount } = stage.order(payment)
      await reported(stage, { ...unrequested(stage), receipt, amount })
      expect(receipt).not.toBe('')
      expect(await stage.suspended(receipt)).toEqual([])
    },
  ),
  wireRule(
    "a question before a payment is answered in the operator's words",
    'an answer that it does not understand lets its own default decide',
    ['payment_questions'],
    async (open) => {
      const { adapter, counterpart, clock } = await open()
      const words = present(counterpart.words.paymentQuestion, 'words for such a question')
      const { amount, account, reference, ...rest } = unrequested({ counterpart, clock })
      const question = adapter.readPaymentQuestion?.(
        post(words.tail, words.body({ amount, account, reference, ...rest })),
      )
      expect(question?.payment).toEqual({ amount, account, reference })
      const accepted = (refusal?: 'unknown_reference' | 'wrong_amount' | 'unknown_account' | 'not_now') =>
        words.isAccepted(JSON.parse(question?.answer(refusal) ?? 'null'))
      expect(accepted()).toBe(true)
      for (const refusal of ['unknown_reference', 'wrong_amount', 'unknown_account', 'not_now'] as const)
        expect([refusal, accepted(refusal)]).toEqual([refusal, false])
      expect(
        adapter.readPaymentQuestion?.(post('elsewhere', words.body({ ...rest, amount, account, reference }))),
      ).toBeUndefined()
    },
  ),
  gatewayRule(
    'a question before a payment is answered at once, and books nothing',
    'the payer waits for the answer, and has paid nothing yet',
    ['payment_questions'],
    async (stage) => {
      const words = present(stage.counterpart.words.paymentQuestion, 'words for such a question')
      const payment = unrequested(stage)
      await told(stage, words.tail, words.body(payment))
      const url = stage.accountUrl(words.tail)
      expect(await stage.deliver({ url, received: { method: 'POST', tail: words.tail, body: '{' } })).toBe(400)
      expect(await stage.suspended(payment.receipt)).toEqual([])
    },
  ),
  gatewayRule(
    'balances by a message count only as the answer to our question',
    'anybody could hide missing money by a message with the sum that we expect',
    ['late_balances'],
    async (stage) => {
      const words = present(stage.counterpart.words.balances, 'words for balances')
      const told100 = (question: string, amount: bigint) =>
        told(stage, words.tail, words.body(question, money(amount, stage.counterpart.currency)))
      await stage.askedBalances('Q-1')
      await told100('Q-2', 900n)
      await stage.after(HOUR_MS)
      expect(await stage.comparedBalance()).toBeUndefined()
      await told100('Q-1', 100n)
      expect(await stage.comparedBalance()).toBe(100n)
      await told100('Q-1', 200n)
      await stage.after(HOUR_MS)
      expect(await stage.comparedBalance()).toBe(100n)
    },
  ),
  wireRule(
    "a question about balances has the operator's own id",
    'without it the answer belongs to no question',
    ['late_balances'],
    async (open) => {
      const stage = await open()
      const { balances, routes } = stage.counterpart.words
      stage.operator.on(present(routes.balance, 'a route'), present(balances, 'words for balances').asked('Q-77'))
      expect(await stage.adapter.askBalances?.()).toBe('Q-77')
      const available = money(100n, stage.counterpart.currency)
      const message = post(present(balances?.tail, 'a tail'), balances?.body('Q-77', available))
      expect(stage.adapter.readMessage?.(message)).toMatchObject({
        about: 'balances',
        answersQuestion: 'Q-77',
        balances: [{ available }],
      })
    },
  ),
]
