import { expect } from 'vitest'
import { REPLY_BYTES_MAX } from '../../exchange/one-call.ts'
import { wireRule, type Rule } from '../rule.ts'
import { expectUnknown, saying, withBody } from './said-of-orders.ts'
import { expectReadable } from './any-rail.ts'

const HTML = { headers: { 'content-type': 'text/html' }, body: '<html><h1>Service</h1></html>' } as const

/** What a reply to an order says about money: only documented final replies are final. */
export const UNCLEAR_ORDERS: readonly Rule[] = [
  wireRule(
    'a refusal that the operator documents is a refusal, with its code',
    'a refusal that passes for unknown leaves a customer waiting for nothing, and a payout held for days',
    ['refusals'],
    async (open) => {
      const stage = await open()
      const reported = 'number 123456789 is odd, says the operator'
      for (const { answer, code } of stage.counterpart.words.refusals) {
        const order = stage.order()
        stage.operator.nextOrders({ answers: saying(answer, reported) })
        const said = await stage.submit(order)
        expect(said).toMatchObject({ answer: 'refused', code })
        if (said.answer === 'refused')
          expectReadable(said.reason, [order.internalReference, order.orderId, order.account, reported])
      }
    },
  ),
  wireRule(
    'a code that says nothing of money is no refusal',
    'the operator may move the money all the same: unknown is not failed',
    [],
    async (open) => {
      const stage = await open()
      for (const [what, answer] of Object.entries(stage.counterpart.words.unclear))
        await expectUnknown(stage, () => answer, what)
    },
  ),
  wireRule(
    'HTTP 5xx without a word of the operator: unknown',
    'it comes from a front that does not know what is behind it',
    [],
    async (open) => {
      const stage = await open()
      for (const status of [500, 502, 503, 504]) await expectUnknown(stage, () => ({ status }), String(status))
    },
  ),
  wireRule(
    'a page of HTML: unknown, whatever its status',
    'proxies and fronts answer for an operator, and do not know its orders',
    [],
    async (open) => {
      const stage = await open()
      for (const status of [200, 202, 400, 403, 409, 500, 502])
        await expectUnknown(stage, () => ({ status, ...HTML }), String(status))
    },
  ),
  wireRule(
    'an empty answer where the operator has words: unknown',
    'it declares what it answers; what is not declared means nothing',
    [],
    async (open) => {
      const stage = await open()
      for (const status of [200, 400, 409]) await expectUnknown(stage, () => ({ status }), String(status))
    },
  ),
  wireRule(
    'a good answer of another content type: unknown',
    'who made it up is not the operator as its contract has it',
    [],
    async (open) => {
      const stage = await open()
      const typed = (type: string) =>
        expectUnknown(
          stage,
          (honest) => {
            const { status, body } = withBody(honest)
            return { status, body: JSON.stringify(body), headers: { 'content-type': type } }
          },
          type,
        )
      await typed('text/plain')
      await typed('application/xml')
    },
  ),
  wireRule('a huge answer: unknown, and not read to its end', 'memory is for payments', [], async (open) => {
    const huge = 'x'.repeat(2 * REPLY_BYTES_MAX)
    await expectUnknown(
      await open(),
      (honest) => ({ status: honest.status, body: { ...(withBody(honest).body as object), huge } }),
      'huge',
    )
  }),
  wireRule(
    'a redirect: unknown, and not followed',
    'an order that follows a redirect goes out twice, perhaps to somebody else',
    [],
    async (open) => {
      const stage = await open()
      for (const status of [301, 302, 303, 307, 308])
        await expectUnknown(
          stage,
          () => ({ status, headers: { location: `${stage.operator.url}/elsewhere` } }),
          String(status),
        )
      expect(stage.operator.requests.filter(({ path }) => path === '/elsewhere')).toEqual([])
    },
  ),
  wireRule('what is not HTTP: unknown', 'something answered, and it was not the operator', [], async (open) =>
    expectUnknown(await open(), () => ({ raw: 'SSH-2.0-OpenSSH_9.6\r\n' }), 'another protocol'),
  ),
  wireRule(
    'that the operator has the order already means that it has arrived',
    'an order that is called refused because its first try was taken is paid and not booked',
    ['idempotency'],
    async (open) => {
      const stage = await open()
      const order = stage.order()
      stage.operator.nextOrders({ takes: () => 'close_after_reading' })
      expect(await stage.submit(order)).toMatchObject({ answer: 'unreachable' })
      expect(await stage.submit(order)).toMatchObject({ answer: 'accepted' })
      expect(await stage.moved(order)).toBe(1)
    },
  ),
]
