import type { RailAnswer } from '../../actions/ports/rail.ts'
import { fieldAt } from '../foreign-fields.ts'
import { isInvalidField, isTurnedAway, reportedOf, type CallResult } from './calls.ts'
import { codeIn, idIn, reportableCode } from './result-fields.ts'

/**
 * Reads the reply to an order that M-PESA only queues.
 * @param order its name in errors
 * @param ids the ids of M-PESA's that are kept
 */
export function answerOfQueued(
  answer: CallResult<unknown>,
  order: 'reversal' | 'payout',
  ids: readonly string[],
): RailAnswer {
  switch (answer.got) {
    case 'data': {
      const code = codeIn(fieldAt(answer.data, 'ResponseCode'))
      if (code !== '0')
        return { answer: 'unreachable', error: `M-PESA answered ${reportableCode(code ?? 'nothing')} to the ${order}` }
      const named = ids.flatMap((name) => {
        const id = idIn(fieldAt(answer.data, name))
        return id === undefined ? [] : [[name, id] as const]
      })
      return { answer: 'accepted', ...(named.length > 0 && { externalIds: Object.fromEntries(named) }) }
    }
    case 'not_sent':
      return { answer: 'not_sent', error: answer.error }
    case 'no_answer':
      return { answer: 'unreachable', error: answer.error }
    case 'refused':
      if (isTurnedAway(answer)) return { answer: 'not_sent', error: reportedOf(answer) }
      if (isInvalidField(answer))
        return {
          answer: 'refused',
          reason: `M-PESA did not take the ${order === 'payout' ? 'payout' : 'refund'}`,
          code: 'not_allowed',
        }
      return { answer: 'unreachable', error: reportedOf(answer) }
  }
}
