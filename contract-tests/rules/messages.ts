import type { Contract } from '../../openapi/reading/contract.ts'
import { isFields } from '../harness/json.ts'
import { batchFaults, rowJudge } from './messages/batch-faults.ts'
import { declaredFaults, reasonFaults } from './messages/declared-faults.ts'
import { createFieldSentences } from './messages/field-sentences.ts'
import { firstFault } from './messages/first-fault.ts'
import { keyFaults } from './messages/key-faults.ts'
import { readSentences } from './messages/known-sentences.ts'
import { firstFaults } from './messages/message-faults.ts'
import { outsideFaults } from './messages/outside-faults.ts'
import type { Judge } from './observed-exchange.ts'
import type { Rule } from './rule.ts'

/**
 * A reply has a message that the contract allows: that of an example for its status, or of the page "Errors", with the
 * values of this request, and the reason that stands there. For an invalid request it is the first fault's.
 */
function messageJudge(contract: Contract): Judge {
  const sentences = readSentences(contract)
  const fieldSentences = createFieldSentences(contract)
  const rowFaults = rowJudge(contract, sentences, fieldSentences)
  return (seen) => {
    const { response, replyBody: reported, direction, exchange } = seen
    if (direction === 'received' || !isFields(reported) || typeof reported.message !== 'string') return []
    const { message } = reported
    const { status } = exchange.reply
    if (!response) return status === 404 || status === 405 ? outsideFaults(sentences.page, seen, message) : []
    const shown = sentences.of(response)
    if (shown.length === 0) return []
    const first = status === 400 ? firstFault(contract, fieldSentences, seen) : 'none'
    // What breaks a schema has the reason of that, even with the words of a business rule.
    const strange = first === 'none' ? reasonFaults(seen, message, shown) : []
    if (strange.length > 0) return strange
    if (status === 401) return keyFaults(seen, message)
    const ofBatch = status === 400 ? batchFaults(contract, seen, rowFaults) : undefined
    if (ofBatch) return ofBatch
    if (Array.isArray(first)) return firstFaults(first, seen, message)
    return declaredFaults(seen, message, status < 400 ? shown : [...shown, ...sentences.page], {
      isValid: first === 'none',
      isOfSchemas: () => seen.operation !== undefined && sentences.isOfSchemas(seen.operation, message),
    })
  }
}

export const messagesRule: Rule = {
  name: 'messages',
  reason:
    'Programs and people read `message`: a reply has one that the contract shows for its status, with the values of this request.',
  plantedFault: 'last-missing-named',
  judging: ({ contract }) => ({ each: messageJudge(contract) }),
}
