import type { RailAnswer } from '../../actions/ports/rail.ts'
import type { TransactionType } from '../../domain/provider.ts'
import { NotSent } from '../operator-errors.ts'
import { codeIn, faultOf, toldOf, type Reply } from './calls.ts'
import { causeOf, MALFORMED, meaningOf, type Cause } from './codes.ts'

/** What MTN's answer to a submission says about the money. What is not documented as final is unknown. */
export function readSubmission(reply: Reply<unknown>, type: TransactionType): RailAnswer {
  const { status } = reply.response
  switch (status) {
    case 202:
      return { answer: 'accepted' }
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
  return reply.response.status === 400 ? refused(MALFORMED) : unknown
}

const refused = (cause: Cause): RailAnswer => ({ answer: 'refused', ...cause })

/** What a call that was not answered means for its order. */
export const unanswered = (error: unknown): Extract<RailAnswer, { error: string }> => ({
  answer: error instanceof NotSent ? 'not_sent' : 'unreachable',
  error: faultOf(error),
})
