import type { RailAnswer } from '../../actions/ports/rail.ts'
import type { Failure } from '../../domain/failure-code.ts'
import type { TransactionType } from '../../domain/provider.ts'
import { withOwnCode } from '../failure-codes.ts'
import { fieldAt } from '../foreign-fields.ts'
import { NotSent } from '../operator-errors.ts'
import type { RailWorld } from '../rail-kind.ts'
import { codeIn, faultOf, reportedOf, type CallReply } from './calls.ts'
import { causeOf, MALFORMED, meaningOf } from './codes.ts'

/**
 * What MTN's reply to a submission says about the money. A reply that is not documented as final means an unknown
 * outcome.
 */
export function readSubmission(
  reply: CallReply<unknown>,
  type: TransactionType,
  own: RailWorld['failureCodes'],
): RailAnswer {
  const { status } = reply.response
  switch (status) {
    case 202:
      // A 202 is documented without a body. If one comes, its meaning for the order is unknown.
      return saysSomething(reply.data) ? { answer: 'unreachable', error: reportedOf(reply) } : { answer: 'accepted' }
    case 401:
    case 403:
      // Documented checks that come before the order: token and keys, and the caller's address. The order may go out
      // again once they are fixed.
      return { answer: 'not_sent', error: reportedOf(reply) }
    case 400:
    case 409:
    case 500:
      return readRefusal(reply, type, own)
    default:
      return { answer: 'unreachable', error: reportedOf(reply) }
  }
}

function readRefusal(reply: CallReply<unknown>, type: TransactionType, own: RailWorld['failureCodes']): RailAnswer {
  const code = codeIn(reply.error)
  const meaning = meaningOf(code)
  if (meaning?.submitted === 'refused') return refused(withOwnCode(causeOf(code, type), code, own))
  if (meaning?.submitted === 'arrived') return { answer: 'accepted' }
  const unknown: RailAnswer = { answer: 'unreachable', error: reportedOf(reply) }
  if (meaning) return unknown
  if (reply.response.status === 409) return { answer: 'accepted' }
  // Only in a form that MTN documents: a 400 from any other server says nothing about the order.
  const isDocumented = code !== undefined || fieldAt(reply.error, 'statusCode') !== undefined
  return reply.response.status === 400 && isDocumented ? refused(MALFORMED) : unknown
}

const saysSomething = (body: unknown): boolean =>
  fieldAt(body, 'status') !== undefined || fieldAt(body, 'code') !== undefined

const refused = (cause: Failure): RailAnswer => ({ answer: 'refused', ...cause })

/** What a call without a reply means for its order. */
export const unanswered = (error: unknown): Extract<RailAnswer, { error: string }> => ({
  answer: error instanceof NotSent ? 'not_sent' : 'unreachable',
  error: faultOf(error),
})
