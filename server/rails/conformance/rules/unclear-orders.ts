import { expect } from 'vitest'
import { REPLY_BYTES_MAX } from '../../exchange/one-call.ts'
import { wireRule, type Rule } from '../rule.ts'
import { expectUnknown, withText, withBody } from './said-of-orders.ts'
import { expectReadable } from './any-rail.ts'

const HTML = { headers: { 'content-type': 'text/html' }, body: '<html><h1>Service</h1></html>' } as const

/** What a reply to an order says about money: only documented final replies are final. */
export const UNCLEAR_ORDERS: readonly Rule[] = [
  wireRule(
    'a documented refusal is a refusal, with its code',
    'a refusal read as unknown leaves a customer waiting, and a payout held for days',
    ['refusals'],
    async (open) => {
      const stage = await open()
      const reported = 'number 123456789 is odd, says the operator'
      for (const { answer, code } of stage.counterpart.words.refusals) {
        const order = stage.order()
        stage.operator.nextOrders({ answers: withText(answer, reported) })
        const said = await stage.submit(order)
        expect(said).toMatchObject({ answer: 'refused', code })
        if (said.answer === 'refused')
          expectReadable(said.reason, [order.internalReference, order.orderId, order.account, reported])
      }
    },
  ),
  wireRule(
    'a code without a word on money is no refusal',
    'the operator may move the money all the same: unknown is not failed',
    [],
    async (open) => {
      const stage = await open()
      for (const [what, answer] of Object.entries(stage.counterpart.words.unclear))
        await expectUnknown(stage, () => answer, what)
    },
  ),
  wireRule(
    "HTTP 5xx without the operator's own body: unknown",
    "it comes from a proxy that does not know the operator's result",
    [],
    async (open) => {
      const stage = await open()
      for (const status of [500, 502, 503, 504]) await expectUnknown(stage, () => ({ status }), String(status))
    },
  ),
  wireRule(
    'an HTML page: unknown, whatever its status',
    'proxies reply for an operator, and do not know its orders',
    [],
    async (open) => {
      const stage = await open()
      for (const status of [200, 202, 400, 403, 409, 500, 502])
        await expectUnknown(stage, () => ({ status, ...HTML }), String(status))
    },
  ),
  wireRule(
    'an empty reply where the contract declares a body: unknown',
    'the contract declares the replies; an undeclared one means nothing',
    [],
    async (open) => {
      const stage = await open()
      for (const status of [200, 400, 409]) await expectUnknown(stage, () => ({ status }), String(status))
    },
  ),
  wireRule(
    'a good reply of another content type: unknown',
    'its sender is not the operator that the contract describes',
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
  wireRule('a huge reply: unknown, and not read to its end', 'memory is for payments', [], async (open) => {
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
  wireRule('what is not HTTP: unknown', 'something replied, and it was not the operator', [], async (open) =>
    expectUnknown(await open(), () => ({ raw: 'SSH-2.0-OpenSSH_9.6\r\n' }), 'another protocol'),
  ),
  wireRule(
    'a duplicate refusal means that the order has arrived',
    'an order read as refused because its first attempt was accepted is paid and not booked',
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
