import fc from 'fast-check'
import { expect } from 'vitest'
import type { Mood } from '../hostile-operator.ts'
import { gatewayRule, type Rule } from '../rule.ts'
import { expectReadable } from './any-rail.ts'
import { DAY_MS, expectBooked, expectOpen, HOUR_MS, LOST, repeatsOrders, settled } from './payments.ts'
import { withText } from './said-of-orders.ts'

const UNREAD: Mood = { answers: 'close_before_reading' }

/** Everything that may happen to an order in transit, in random order. */
const ON_THE_WAY: readonly Mood[] = [
  LOST,
  UNREAD,
  { answers: { status: 503 } },
  { takes: () => ({ status: 502, body: '<html>', headers: { 'content-type': 'text/html' } }) },
  { takes: (honest) => ({ ...honest, body: honest.body ?? {}, delivery: 'truncated' }) },
  { takes: (honest) => honest },
]

/** What happens to payments and the ledger when an operator fails in the worst ways. */
export const LOST_PAYMENTS: readonly Rule[] = [
  gatewayRule('a payment is moved once and booked once', 'this is the purpose of the gateway', [], async (stage) => {
    const payment = await stage.pay()
    await expectOpen(stage, payment)
    await settled(stage, payment)
    await expectBooked(stage, payment)
    expect(await stage.reportedToMerchant(payment)).toHaveLength(1)
  }),
  gatewayRule(
    'an order with a lost reply is moved once and booked once',
    'the commonest fault of all: it must neither charge twice nor lose a payment',
    [],
    async (stage) => {
      const payment = await stage.pay(LOST)
      for (let hour = 0; hour < 3; hour += 1) await stage.after(HOUR_MS)
      expect(stage.operator.moved(payment.account)).toBe(1)
      if (!repeatsOrders(stage)) expect(stage.operator.submits()).toHaveLength(1)
      await settled(stage, payment)
      await expectBooked(stage, payment)
    },
  ),
  gatewayRule(
    'an order that was never read is resent, or waits for staff',
    'an order whose repetition the operator would not notice must not be repeated, and staff have to know',
    [],
    async (stage) => {
      const payment = await stage.pay(UNREAD)
      for (let hour = 0; hour < 3; hour += 1) await stage.after(HOUR_MS)
      if (repeatsOrders(stage)) {
        await settled(stage, payment)
        return expectBooked(stage, payment)
      }
      await stage.after(3 * DAY_MS)
      expect(stage.operator.submits()).toHaveLength(1)
      await expectOpen(stage, payment)
      expect(await stage.isOutcomeUnknown(payment)).toBe(true)
    },
  ),
  gatewayRule(
    'any faults: never moved twice, and booked as often as moved',
    'faults combine, and in unexpected orders',
    [],
    async (stage) => {
      const moods = fc.array(fc.constantFrom(...ON_THE_WAY), { maxLength: 4 })
      await fc.assert(
        fc.asyncProperty(moods, moods, async (orders, questions) => {
          stage.operator.nextQuestions(...questions)
          const payment = await stage.pay(...orders)
          for (let turn = 0; turn < 3; turn += 1) await stage.after(HOUR_MS)
          stage.operator.nextOrders()
          stage.operator.nextQuestions()
          for (let turn = 0; turn < 3; turn += 1) await stage.after(4 * HOUR_MS)
          const moved = stage.operator.moved(payment.account)
          expect(moved).toBeLessThanOrEqual(1)
          if (moved === 1) await settled(stage, payment)
          expect(await stage.bookings(payment)).toBe(moved)
          expect(await stage.statusOf(payment)).toBe(moved === 1 ? 'COMPLETED' : 'PROCESSING')
        }),
        { numRuns: 6, seed: 13 },
      )
    },
  ),
  gatewayRule(
    'a refused order fails with a failure code and a sentence of our own',
    'a merchant can offer another way to pay at once, and a payout releases its hold',
    ['refusals'],
    async (stage) => {
      const reported = 'the number 123456789 is odd'
      for (const { answer, code } of stage.counterpart.words.refusals) {
        const payment = await stage.pay({ answers: withText(answer, reported) })
        await stage.runDue()
        const record = await stage.recordOf(payment)
        expect(record).toMatchObject({ transaction_status: 'FAILED', failure_code: code })
        expectReadable(String(record['status_message']), [reported, payment.account])
        expect([stage.operator.moved(payment.account), await stage.bookings(payment)]).toEqual([0, 0])
      }
    },
  ),
  gatewayRule(
    'a reply without a word on money fails no payment',
    'it may be moved all the same, and a merchant who reads "failed" lets the customer pay again',
    [],
    async (stage) => {
      for (const answer of Object.values(stage.counterpart.words.unclear)) {
        const payment = await stage.pay({ takes: () => answer })
        await stage.after(HOUR_MS)
        await expectOpen(stage, payment)
        await settled(stage, payment)
        await expectBooked(stage, payment)
      }
    },
  ),
]
