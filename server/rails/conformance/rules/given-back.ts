import { expect } from 'vitest'
import { present } from '../../../domain/present.ts'
import type { ScriptedAnswer } from '../../testing/scripted-operator.ts'
import type { BookedOrder, Words } from '../counterpart.ts'
import type { GatewayStage } from '../gateway-stage.ts'
import { gatewayRule, type Rule } from '../rule.ts'
import { expectBooked, HOUR_MS, settled } from './payments.ts'

/** A payment is given back at an operator that answers so at first. */
async function givenBack(stage: GatewayStage, ...first: readonly ScriptedAnswer[]) {
  const words = present(stage.counterpart.ofRefunds, 'words about refunds')
  const { routes, read, accepted, duplicate } = words
  const book: BookedOrder[] = []
  const take: ScriptedAnswer = (request) => {
    const known = duplicate && book.find(({ orderId }) => orderId === read(request).orderId)
    if (known && duplicate) return duplicate(known)
    book.push({ ...read(request), number: book.length + 1, verdict: 'pending' })
    return accepted(present(book.at(-1), 'the refund'))
  }
  // A lost reply comes after the order: the operator has it.
  const answers = first.map((answer): ScriptedAnswer => (answer === 'close_after_reading' ? lostAfter(take) : answer))
  stage.operator.on(routes.ask, (request) => {
    const order = book.find((each) => words.isAbout(request, each))
    return order ? words.verdictMessage(order, order.verdict, {}) : words.unknown
  })
  // The other one covers the charge, which the merchant gives back too.
  const payments = [await stage.pay(), await stage.pay()] as const
  for (const payment of payments) await settled(stage, payment)
  for (const payment of payments) await expectBooked(stage, payment)
  if (routes.token !== stage.counterpart.words.routes.token) stage.operator.on(routes.token, words.token('t', 3_600))
  stage.operator.on(routes.submit, ...answers, take)
  const reference = await stage.giveBack(payments[0])
  return { book, state: () => stage.refund(reference), isPaid: () => paid(stage, words, present(book[0], 'a refund')) }
}

const lostAfter =
  (take: (request: never) => unknown): ScriptedAnswer =>
  (request) => {
    take(request as never)
    return 'close_after_reading'
  }

/** The operator has given the money, says so, and answers so. */
async function paid(stage: GatewayStage, words: Words, order: BookedOrder): Promise<void> {
  order.verdict = 'paid'
  const { method, body } = words.callback(order, 'paid', {})
  const url = present(order.callbackUrl, 'an address')
  expect(await stage.deliver({ url, received: { method, body: JSON.stringify(body) } })).toBe(200)
  await stage.runDue()
  await stage.after(HOUR_MS)
}

const DONE = { status: 'COMPLETED', bookings: 1, heldMinor: 0n }

/** Refunds in the whole gateway. */
export const GIVEN_BACK: readonly Rule[] = [
  gatewayRule(
    'a refund is moved once and booked once',
    'booked twice the merchant pays twice, and booked nowhere its money is lost',
    ['given_back'],
    async (stage) => {
      const { book, state, isPaid } = await givenBack(stage)
      if (stage.counterpart.ofRefunds?.endsAtOnce) await stage.after(HOUR_MS)
      else {
        expect(await state()).toMatchObject({ status: 'PROCESSING', bookings: 0 })
        for (let times = 0; times < 2; times += 1) await isPaid()
      }
      expect(await state()).toEqual(DONE)
      expect(book).toHaveLength(1)
    },
  ),
  gatewayRule(
    'a refund with lost replies is moved once, and never sent again where that is not safe',
    'the customer would get the money twice',
    ['given_back'],
    async (stage) => {
      const { book, state, isPaid } = await givenBack(stage, 'close_after_reading', 'close_after_reading')
      for (let times = 0; times < 4; times += 1) await stage.after(HOUR_MS)
      expect(await state()).toMatchObject({ status: 'PROCESSING', bookings: 0 })
      expect(book).toHaveLength(1)
      // Lost at an operator that neither reports nor is asked: a person ends it.
      if (stage.counterpart.ofRefunds?.endsAtOnce) return
      await isPaid()
      expect(await state()).toEqual(DONE)
    },
  ),
  gatewayRule(
    'a refused refund gives the held money back to the merchant',
    'the merchant would miss money that no customer got',
    ['given_back', 'refusals'],
    async (stage) => {
      const { refusals } = present(stage.counterpart.ofRefunds, 'words about refunds')
      const { book, state } = await givenBack(stage, present(refusals[0], 'a refusal').answer)
      expect(await state()).toEqual({ status: 'FAILED', bookings: 0, heldMinor: 0n })
      expect(book).toEqual([])
    },
  ),
]
