import type { RailAnswer } from '../../actions/ports/rail.ts'
import type { TransactionType } from '../../domain/provider.ts'
import { fieldAt } from '../foreign-fields.ts'
import { NotSent } from '../operator-errors.ts'
import { codeIn, faultOf, toldOf, type Reply } from './calls.ts'
import { causeOf, MALFORMED, meaningOf, type Cause } from './codes.ts'

/** What MTN's answer to a submission says about the money. What is not documented as final is unknown. */
export function readSubmission(reply: Reply<unknown>, type: TransactionType): RailAnswer {
  const { status } = reply.response
  switch (status) {
    case 202:
      // Nothing is documented to come along. What it says of the order, if anything, is not known.
      return saysSomething(reply.data) ? { answer: 'unreachable', error: toldOf(reply) } : { answer: 'accepted' }
    case 401:
    case 403:
      // Documented as what is looked at before the order: token and keys, and the caller's address. It may go out again
      // when they are right.
      return { answer: 'not_sent', error: toldOf(reply) }
    case 400:
    case 409:
    case 500:
      return readRefusal(reply, type)
    default:
      return { answer: 'unreachable', error: toldOf(reply) }
  }
}

function readRefusal(reply: Reply<unknown>, type: TransactionType): RailAnswer {
  const code = codeIn(reply.error)
  const meaning = meaningOf(code)
  if (meaning?.submitted === 'refused') return refused(causeOf(code, type))
  if (meaning?.submitted === 'arrived') return { answer: 'accepted' }
  const unknown: RailAnswer = { answer: 'unreachable', error: toldOf(reply) }
  if (meaning) return unknown
  if (reply.response.status === 409) return { answer: 'accepted' }
  // Only in a form that MTN documents: whoever else answers 400 knows nothing of the order.
  const isDocumented = code !== undefined || fieldAt(reply.error, 'statusCode') !== undefined
  return reply.response.status === 400 && isDocumented ? refused(MALFORMED) : unknown
}

const saysSomething = (body: unknown): boolean =>
  fieldAt(body, 'status') !== undefined || fieldAt(body, 'code') !== undefined

const refused = (cause: Cause): RailAnswer => ({ answer: 'refused', ...cause })

/** What a call that was not answered means for its order. */
export const unanswered = (error: unknown): Extract<RailAnswer, { error: string }> => ({
  answer: error instanceof NotSent ? 'not_sent' : 'unreachable',
  error: faultOf(error),
})
