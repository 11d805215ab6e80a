import { expect } from 'vitest'
import { present } from '../../../domain/present.ts'
import type { CallbackReading } from '../../rail-kind.ts'
import type { ResolvedQuestion, BookedOrder, LateAnswers, ResultCodes } from '../counterpart.ts'
import { wireRule, type Rule } from '../rule.ts'
import type { OpenWire, WireStage } from '../wire-stage.ts'
import { accepted } from './said-of-orders.ts'

interface OpenOrder {
  readonly stage: WireStage
  readonly order: BookedOrder
  /**
   * How the adapter reads such a body.
   * @param tail defaults to that of the order's own callback URL
   */
  read(body: unknown, tail?: string): CallbackReading | undefined
}

async function opened(open: OpenWire): Promise<OpenOrder> {
  const stage = await open()
  const { account } = await accepted(stage.rail, stage.order())
  const order = present(stage.operator.orders(account)[0], 'the order at the operator')
  const { received } = stage.operator.callback(order, 'failed')
  return {
    stage,
    order,
    read: (body, tail) =>
      stage.adapter.readCallback({
        ...received,
        ...(tail !== undefined && { tail }),
        body: JSON.stringify(body),
      }),
  }
}

const codesOf = ({ counterpart }: WireStage): ResultCodes => present(counterpart.words.resultCodes, 'result codes')
const lateAnswersOf = ({ counterpart }: WireStage): LateAnswers =>
  present(counterpart.words.lateAnswers, 'late answers')

/** Which statuses and codes of an operator count as verdicts: all that it documents, and no others. */
export const VERDICTS: readonly Rule[] = [
  wireRule(
    'a documented failure result is a failure, with a failure code',
    'an unread failure keeps a hold for ever, or leaves a customer waiting',
    ['callbacks', 'result_codes'],
    async (open) => {
      const { stage, order, read } = await opened(open)
      const { failed, body } = codesOf(stage)
      for (const code of failed)
        expect([code, read(body(order, code))?.outcome]).toEqual([
          code,
          { status: 'FAILED', reason: expect.stringMatching(/\w/) as string, code: expect.any(String) as string },
        ])
    },
  ),
  wireRule(
    'a failure binds no id of a movement',
    'failures share placeholders: the second would be taken for the first',
    ['callbacks', 'result_codes'],
    async (open) => {
      const { stage, order, read } = await opened(open)
      const { failed, undocumented, body } = codesOf(stage)
      for (const code of [...failed, ...undocumented]) {
        const reading = read(body(order, code))
        expect([code, reading?.receipts]).toEqual([code, undefined])
        expect(Object.values(reading?.externalIds ?? {})).not.toContain('OAK0000000')
      }
    },
  ),
  wireRule(
    'an undocumented result code claims nothing, and is passed on',
    'unknown is not failed, and staff have to learn of it at once',
    ['callbacks', 'result_codes'],
    async (open) => {
      const { stage, order, read } = await opened(open)
      const { undocumented, body } = codesOf(stage)
      for (const code of undocumented) {
        const reading = read(body(order, code))
        expect([code, reading?.outcome, reading?.unmappedCode]).toEqual([code, undefined, code])
      }
    },
  ),
  wireRule(
    'a reply by message names its query by a known id',
    'anybody can send such a message: only the reply to a query of ours may end an order',
    ['callbacks', 'late_answers'],
    async (open) => {
      const { stage, order, read } = await opened(open)
      const { tail, question, body } = lateAnswersOf(stage)
      const known = await stage.query({
        ...stage.order(),
        orderId: order.orderId,
        externalIds: stage.counterpart.words.names(order),
      })
      expect(known).toMatchObject({ knows: 'in_progress', question: question(order) })
      const said: ResolvedQuestion = { question: question(order), orderId: order.orderId }
      const answered = (verdict: 'paid' | 'failed', names: ResolvedQuestion) => read(body(order, verdict, names), tail)
      const ids = [order.orderId, ...Object.values(stage.counterpart.words.names(order))]
      for (const verdict of ['paid', 'failed'] as const) {
        const reading = answered(verdict, said)
        const status = verdict === 'paid' ? 'COMPLETED' : 'FAILED'
        expect(reading).toMatchObject({ outcome: { status }, answersQuestion: question(order) })
        expect(ids).toContain(reading?.orderId ?? Object.values(reading?.externalIds ?? {})[0])
      }
      const unnamed = [
        answered('failed', { question: question(order) }),
        answered('failed', { orderId: order.orderId }),
      ]
      expect([...unnamed, answered('paid', { orderId: order.orderId })].map((reading) => reading?.outcome)).toEqual([
        undefined,
        undefined,
        undefined,
      ])
    },
  ),
]
