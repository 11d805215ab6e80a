import { inspect } from 'node:util'
import { expect } from 'vitest'
import type { OperatorRequest, WholeAnswer } from '../../testing/scripted-operator.ts'
import { wireRule, type Rule } from '../rule.ts'
import type { OpenWire, WireStage } from '../wire-stage.ts'

/** Every output of a rail account, after calls to an operator that echoes whatever it receives. */
async function allThatIsReported(open: OpenWire): Promise<{ readonly stage: WireStage; readonly text: string }> {
  const stage = await open()
  const { operator, counterpart, secrets } = stage
  const reported: unknown[] = []
  const order = stage.order()
  const echo = (): WholeAnswer => ({
    ...counterpart.words.withText([...secrets, ...madeSecrets(stage, -1), order.account].join(' ~ ')),
    headers: { 'x-echo': secrets.map((secret) => encodeURIComponent(secret)).join(',') },
  })
  operator.nextTokens(echo())
  reported.push(await stage.submit(order))
  stage.clock.advance(61_000)
  operator.nextTokens()
  operator.nextOrders({ takes: echo }, { takes: () => 'close_after_reading' }, { takes: () => ({ status: 502 }) })
  for (let turn = 0; turn < 4; turn += 1)
    reported.push(await stage.submit({ ...order, orderId: stage.order().orderId }))
  operator.nextQuestions({ takes: echo }, { takes: (honest) => ({ ...honest, delivery: 'truncated' }) })
  for (let turn = 0; turn < 3; turn += 1) reported.push(await stage.query(order))
  reported.push(await stage.adapter.check({ account: order.account }))
  // External ids may contain the customer's number: support searches by them.
  const names = operator.orders(order.account).flatMap((booked) => Object.values(counterpart.words.names(booked)))
  const all = inspect([reported, stage.records, stage.faults], {
    depth: 20,
    maxStringLength: Infinity,
    maxArrayLength: null,
  })
  return { stage, text: names.reduce((text, name) => text.replaceAll(name, ''), all) }
}

/**
 * Secrets that went over the wire, and values derived from a secret.
 * @param from the first request to include
 */
function madeSecrets({ operator, counterpart }: WireStage, from = 0): readonly string[] {
  const inHeaders = ({ headers }: OperatorRequest) => headers.authorization?.split(' ').at(-1) ?? ''
  const inBody = ({ body }: OperatorRequest) => {
    const fields = body.startsWith('{') ? (JSON.parse(body) as Readonly<Record<string, string>>) : {}
    return counterpart.words.secretFields.map((name) => fields[name] ?? '')
  }
  const found = operator.requests.slice(from).flatMap((request) => [inHeaders(request), ...inBody(request)])
  return [...new Set(found)].filter((text) => text !== '')
}

/** What others may read: support reads records and errors, customers read texts. */
export const SECRETS: readonly Rule[] = [
  wireRule(
    'no secret appears in a reply, a record or an error',
    'many people read, copy and store logs and screens: a credential in one moves money',
    [],
    async (open) => {
      const { stage, text } = await allThatIsReported(open)
      for (const secret of [...stage.secrets, ...madeSecrets(stage)]) expect(beforeIt(text, secret)).toBe('nowhere')
    },
  ),
  wireRule(
    'no full account number appears in a record or an error',
    'it identifies a person, and support needs no more than its ends',
    [],
    async (open) => {
      const { stage, text } = await allThatIsReported(open)
      const account = stage.operator.submits().map((request) => stage.counterpart.words.read(request).account)[0] ?? ''
      expect(account).toMatch(/^\d{12}$/)
      expect(beforeIt(text, account)).toBe('nowhere')
    },
  ),
  wireRule(
    'customers read no internal id',
    "our ids and other people's numbers do not belong on a phone's screen",
    ['texts'],
    async (open) => {
      const stage = await open()
      const order = stage.order()
      await stage.submit(order)
      const [request] = stage.operator.submits()
      const { texts } = request ? stage.counterpart.words.read(request) : { texts: [] }
      expect(texts.length).toBeGreaterThan(0)
      for (const text of texts) {
        expect(text).not.toBe('')
        for (const own of [order.internalReference, order.orderId, order.account, 'malipo', 'kit', 'f00d'])
          expect(text.toLowerCase()).not.toContain(own.toLowerCase())
      }
    },
  ),
]

/** The text before a forbidden one: a failure shows the place, and not the secret. */
function beforeIt(text: string, hidden: string): string {
  const at = text.indexOf(hidden)
  return at === -1 ? 'nowhere' : text.slice(Math.max(0, at - 80), at)
}
