import { expect } from 'vitest'
import { money } from '../../../domain/money.ts'
import type { Lie } from '../counterpart.ts'
import type { GatewayStage } from '../gateway-stage.ts'
import { gatewayRule, type Rule } from '../rule.ts'
import { canBeQueried, DAY_MS, expectBooked, expectOpen, HOUR_MS, LOST, SECOND_MS, settled } from './payments.ts'

/** What messages of an operator may and may not change. */
export const REPORTED_PAYMENTS: readonly Rule[] = [
  gatewayRule(
    'a message before the reply is accepted',
    'operators send messages before their reply, and some only once',
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
    'a repeated message counts once',
    'operators repeat themselves, and a customer is credited once',
    ['callbacks'],
    async (stage) => {
      const payment = await stage.pay()
      stage.operator.decide(payment.account, 'paid')
      for (let times = 0; times < 4; times += 1) await stage.report(payment, 'paid')
      await stage.after(HOUR_MS)
      await stage.report(payment, 'paid')
      await expectBooked(stage, payment)
      expect(await stage.reportedToMerchant(payment)).toHaveLength(1)
    },
  ),
  gatewayRule('a message a day late changes nothing', 'what is settled is settled', ['callbacks'], async (stage) => {
    const payment = await stage.pay()
    await settled(stage, payment)
    await stage.after(DAY_MS)
    for (const verdict of ['paid', 'failed', 'pending', 'strange'] as const) await stage.report(payment, verdict)
    await expectBooked(stage, payment)
    expect(await stage.reportedToMerchant(payment)).toHaveLength(1)
  }),
  gatewayRule(
    'messages in the wrong order end with the truth',
    'a network keeps no order: the failure of a first attempt may arrive after the success',
    ['callbacks'],
    async (stage) => {
      const payment = await stage.pay()
      stage.operator.decide(payment.account, 'paid')
      await stage.report(payment, 'failed')
      await stage.report(payment, 'paid')
      await stage.after(HOUR_MS)
      await expectBooked(stage, payment)
    },
  ),
  gatewayRule(
    'a forged success moves nothing where the operator can be polled',
    'no operator signs its messages',
    ['callbacks', 'query'],
    async (stage) => {
      const payment = await stage.pay()
      await stage.report(payment, 'paid')
      for (let hour = 0; hour < 3; hour += 1) await stage.after(HOUR_MS)
      await expectOpen(stage, payment)
      await settled(stage, payment)
      await expectBooked(stage, payment)
    },
  ),
  gatewayRule(
    'an address with a wrong token or an unknown order accepts nothing',
    'only the token keeps third parties from the address',
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
    'one paid coffee would buy a second',
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
      const payments = []
      for (const lie of liesTo(stage)) {
        const payment = await stage.pay()
        if (canBeQueried(stage)) stage.operator.decide(payment.account, 'paid')
        await stage.report(payment, 'paid', lie)
        expect([lie, await stage.statusOf(payment)]).toEqual([lie, 'PROCESSING'])
        payments.push(payment)
      }
      await settled(stage, ...payments)
      for (const payment of payments) await expectBooked(stage, payment)
    },
  ),
  gatewayRule(
    'a verdict waits until polls confirm it',
    "an operator's messages are faster than its query API",
    ['callbacks', 'query'],
    async (stage) => {
      const payment = await stage.pay()
      await stage.report(payment, 'paid')
      await expectOpen(stage, payment)
      stage.operator.decide(payment.account, 'paid')
      await stage.after(2 * SECOND_MS)
      await expectBooked(stage, payment)
    },
  ),
  gatewayRule(
    'nonsense at a valid address gets a reply and changes nothing',
    'an operator that gets an error may never send again',
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
