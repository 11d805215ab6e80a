import fc from 'fast-check'
import { expect, vi } from 'vitest'
import { money } from '../../../domain/money.ts'
import type { Lie } from '../counterpart.ts'
import type { GatewayStage, Payment } from '../gateway-stage.ts'
import type { Mood } from '../hostile-operator.ts'
import { gatewayRule, type Rule } from '../rule.ts'
import { expectReadable } from './any-rail.ts'
import { saying } from './said-of-orders.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const LOST: Mood = { takes: () => 'close_after_reading' }
const UNREAD: Mood = { answers: 'close_before_reading' }

/** The operator has settled it and says so; whoever asks hears the same. */
async function settled(stage: GatewayStage, payment: Payment): Promise<void> {
  stage.operator.decide(payment.account, 'paid')
  await stage.tell(payment, 'paid')
  await stage.after(HOUR_MS)
}

async function expectBooked(stage: GatewayStage, payment: Payment): Promise<void> {
  expect([await stage.statusOf(payment), await stage.bookings(payment)]).toEqual(['COMPLETED', 1])
  expect(stage.operator.moved(payment.account)).toBe(1)
}

async function expectOpen(stage: GatewayStage, payment: Payment): Promise<void> {
  expect([await stage.statusOf(payment), await stage.bookings(payment)]).toEqual(['PROCESSING', 0])
}

const repeatsOrders = ({ counterpart: { lacks } }: GatewayStage): boolean => lacks.idempotency === undefined
const canBeAsked = ({ counterpart: { lacks } }: GatewayStage): boolean => lacks.query === undefined

/** Whatever may happen to an order on its way, in some order. */
const ON_THE_WAY: readonly Mood[] = [
  LOST,
  UNREAD,
  { answers: { status: 503 } },
  { takes: () => ({ status: 502, body: '<html>', headers: { 'content-type': 'text/html' } }) },
  { takes: (honest) => ({ ...honest, body: honest.body ?? {}, delivery: 'truncated' }) },
  { takes: (honest) => honest },
]

/** What becomes of payments and books when an operator is at its worst. */
export const LOST_PAYMENTS: readonly Rule[] = [
  gatewayRule('a payment is moved once and booked once', 'this is what it is all for', [], async (stage) => {
    const payment = await stage.pay()
    await expectOpen(stage, payment)
    await settled(stage, payment)
    await expectBooked(stage, payment)
    expect(await stage.toldMerchant(payment)).toHaveLength(1)
  }),
  gatewayRule(
    'an order whose answer is lost is moved once and booked once',
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
    'an order that was never read goes out again, or waits for an operator of the gateway',
    'what an operator would not notice as a repetition must not be repeated, and somebody has to know',
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
      expect(await stage.isUnresolved(payment)).toBe(true)
    },
  ),
  gatewayRule(
    'whatever happens on the way: never twice, and booked as often as it was moved',
    'faults come together, and in an order that nobody thought of',
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
    'an order that the operator refuses fails, with a word to branch on and a sentence without its own',
    'a merchant can offer another way to pay at once, and a payout gives its money back',
    ['refusals'],
    async (stage) => {
      const told = 'the number 123456789 is odd'
      for (const { answer, code } of stage.counterpart.words.refusals) {
        const payment = await stage.pay({ answers: saying(answer, told) })
        await stage.runDue()
        const record = await stage.recordOf(payment)
        expect(record).toMatchObject({ transaction_status: 'FAILED', failure_code: code })
        expectReadable(String(record['status_message']), [told, payment.account])
        expect([stage.operator.moved(payment.account), await stage.bookings(payment)]).toEqual([0, 0])
      }
    },
  ),
  gatewayRule(
    'an answer that says nothing of money fails no payment',
    'it may be moved all the same, and a merchant who is told "failed" lets the customer pay again',
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

/** What messages of an operator may and may not bring about. */
export const TOLD_PAYMENTS: readonly Rule[] = [
  gatewayRule(
    'a message that comes before the reply is taken',
    'operators call back while they still answer, and some only once',
    ['callbacks'],
    async (stage) => {
      for (const isLost of [false, true]) {
        let status = 0
        const payment = await stage.pay({
          async takes(honest) {
            const [latest] = stage.operator.latestOrders()
            if (latest) {
              latest.verdict = 'paid'
              status = await stage.deliver(stage.operator.callback(latest, 'paid'))
            }
            return isLost ? 'close_after_reading' : honest
          },
        })
        expect(status).toBe(200)
        await stage.after(HOUR_MS)
        await expectBooked(stage, payment)
      }
    },
  ),
  gatewayRule(
    'a message that comes again and again is one',
    'operators repeat themselves, and a customer is credited once',
    ['callbacks'],
    async (stage) => {
      const payment = await stage.pay()
      stage.operator.decide(payment.account, 'paid')
      for (let times = 0; times < 4; times += 1) await stage.tell(payment, 'paid')
      await stage.after(HOUR_MS)
      await stage.tell(payment, 'paid')
      await expectBooked(stage, payment)
      expect(await stage.toldMerchant(payment)).toHaveLength(1)
    },
  ),
  gatewayRule(
    'a message that comes a day late changes nothing any more',
    'what is settled is settled',
    ['callbacks'],
    async (stage) => {
      const payment = await stage.pay()
      await settled(stage, payment)
      await stage.after(DAY_MS)
      for (const verdict of ['paid', 'failed', 'pending', 'strange'] as const) await stage.tell(payment, verdict)
      await expectBooked(stage, payment)
      expect(await stage.toldMerchant(payment)).toHaveLength(1)
    },
  ),
  gatewayRule(
    'messages in the wrong order end with the truth',
    'a network keeps no order: the failure of a first try may come after the success',
    ['callbacks'],
    async (stage) => {
      const payment = await stage.pay()
      stage.operator.decide(payment.account, 'paid')
      await stage.tell(payment, 'failed')
      await stage.tell(payment, 'paid')
      await stage.after(HOUR_MS)
      await expectBooked(stage, payment)
    },
  ),
  gatewayRule(
    'a forged success moves nothing, where the operator can be asked',
    'nothing that operators send is signed',
    ['callbacks', 'query'],
    async (stage) => {
      const payment = await stage.pay()
      await stage.tell(payment, 'paid')
      for (let hour = 0; hour < 3; hour += 1) await stage.after(HOUR_MS)
      await expectOpen(stage, payment)
      await settled(stage, payment)
      await expectBooked(stage, payment)
    },
  ),
  gatewayRule(
    'an address with another token, or of an order that is not there, takes nothing',
    'the token is all that keeps strangers from the address',
    ['callbacks'],
    async (stage) => {
      const payment = await stage.pay()
      stage.operator.decide(payment.account, 'paid')
      const sent = stage.operator.callback(stage.order(payment), 'paid')
      const [, operators, name, token = '', ...rest] = new URL(sent.url).pathname.split('/')
      const wrong = [
        [operators, name, token.replace(/^./, (sign) => (sign === '0' ? '1' : '0')), ...rest],
        [operators, name, 'x', ...rest],
        [operators, name, token, '0b9d8f6e-0000-4000-8000-000000000000', ...rest.slice(1)],
        [operators, 'kit-0', token, ...rest],
      ]
      for (const path of wrong) {
        const url = new URL(`/${path.join('/')}`, sent.url).href
        expect([url, await stage.deliver({ ...sent, url })]).toEqual([url, 404])
      }
      await stage.runDue()
      await expectOpen(stage, payment)
    },
  ),
  gatewayRule(
    "another order's success at this order's address moves nothing",
    'whoever pays one coffee could have the second for nothing',
    ['callbacks'],
    async (stage) => {
      for (const mood of [undefined, LOST]) {
        const paid = await stage.pay()
        const open = await stage.pay(...(mood ? [mood] : []))
        stage.operator.decide(paid.account, 'paid')
        const { received } = stage.operator.callback(stage.order(paid), 'paid')
        const { url } = stage.operator.callback(stage.order(open), 'paid')
        expect(await stage.deliver({ url, received })).toBe(200)
        await stage.after(SECOND_MS)
        await stage.after(HOUR_MS)
        await expectOpen(stage, open)
        await settled(stage, paid)
        await expectBooked(stage, paid)
        await expectOpen(stage, open)
      }
    },
  ),
  gatewayRule(
    'a success of another order id, amount, currency, account or name moves nothing',
    'a claim has to fit what was ordered, to the last digit',
    ['callbacks'],
    async (stage) => {
      for (const lie of liesTo(stage)) {
        const payment = await stage.pay()
        if (canBeAsked(stage)) stage.operator.decide(payment.account, 'paid')
        await stage.tell(payment, 'paid', lie)
        expect([lie, await stage.statusOf(payment)]).toEqual([lie, 'PROCESSING'])
        await settled(stage, payment)
        await expectBooked(stage, payment)
      }
    },
  ),
  gatewayRule(
    'a verdict that is told before questions agree is waited for',
    "an operator's messages are faster than its books",
    ['callbacks', 'query'],
    async (stage) => {
      const payment = await stage.pay()
      await stage.tell(payment, 'paid')
      await expectOpen(stage, payment)
      stage.operator.decide(payment.account, 'paid')
      await stage.after(2 * SECOND_MS)
      await expectBooked(stage, payment)
    },
  ),
  gatewayRule(
    'nonsense at a good address is answered, and changes nothing',
    'an operator that is answered with an error may never come back',
    ['callbacks'],
    async (stage) => {
      const payment = await stage.pay()
      const good = stage.operator.callback(stage.order(payment), 'paid')
      const bodies = ['', '{', 'null', '[]', '"x"', '{"Body":{}}', `"${'x'.repeat(10_000)}"`, '{"__proto__":{"a":1}}']
      for (const body of bodies)
        expect(await stage.deliver({ ...good, received: { ...good.received, body } })).toBe(200)
      await stage.runDue()
      await expectOpen(stage, payment)
      await settled(stage, payment)
      await expectBooked(stage, payment)
    },
  ),
]

function liesTo({ counterpart }: GatewayStage): readonly Lie[] {
  const { words, currency, account } = counterpart
  const other = words.names({
    number: 9_999,
    orderId: '0b9d8f6e-0000-4000-8000-000000000000',
    account: account(9_999),
    amount: money(1n, currency),
    texts: [],
    verdict: 'paid',
  })
  const all: Readonly<Record<keyof Lie, readonly Lie[]>> = {
    orderId: [{ orderId: '0b9d8f6e-0000-4000-8000-000000000000' }],
    amount: [{ amount: money(100n, currency) }, { amount: money(50_100n, currency) }],
    currency: [{ currency: 'RWF' }],
    account: [{ account: account(9_999) }],
    names: [{ names: other }],
  }
  return words.callbackWith.flatMap((kind) => all[kind])
}

/** What is kept and shown of payments. */
export const KEPT_PAYMENTS: readonly Rule[] = [
  gatewayRule(
    "both sides' names of an order are kept, and it is found by them",
    'support, statements and questions know an order by its name',
    [],
    async (stage) => {
      const payment = await stage.pay()
      await settled(stage, payment)
      const { orderId } = stage.order(payment)
      const theirs =
        stage.counterpart.lacks.names === undefined ? stage.counterpart.words.names(stage.order(payment)) : {}
      expect(await stage.namesOf(payment)).toMatchObject({ order: orderId, ...theirs })
    },
  ),
  gatewayRule(
    'what is kept of what was said holds no secret, no full number and nothing of the address',
    'the record is read by support and goes into backups',
    [],
    async (stage) => {
      const payment = await stage.pay(LOST)
      await stage.after(HOUR_MS)
      await settled(stage, payment)
      const order = stage.order(payment)
      const names = Object.values(stage.counterpart.words.names(order))
      await vi.waitFor(async () => expect(await stage.keptOf(payment)).toContain('POST'), { timeout: 5_000 })
      const kept = names.reduce((text, name) => text.replaceAll(name, ''), await stage.keptOf(payment))
      const token = new URL(order.callbackUrl ?? '').pathname.split('/')[3] ?? ''
      expect(token).not.toBe('')
      for (const hidden of [...stage.secrets, payment.account, token]) expect(kept.includes(hidden)).toBe(false)
    },
  ),
]
