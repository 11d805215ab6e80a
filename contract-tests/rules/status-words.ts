import type { Contract } from '../../openapi/reading/contract.ts'
import { faultIf, type Judge } from './observed-exchange.ts'
import { NOTHING_JUDGED, type Rule } from './rule.ts'
import { lifecyclePage } from './status-words/lifecycle-page.ts'

/**
 * A sandbox payment record has a status message that the contract declares for its status, and the code of that
 * reason.
 */
function statusWordsJudge(contract: Contract): Judge {
  const lifecycle = lifecyclePage(contract)
  return (seen) => {
    if (!lifecycle) return []
    const { transaction_status: status, status_message: message, failure_code: code } = seen.record
    if (typeof status !== 'string' || typeof message !== 'string') return []
    const reason = lifecycle.reasons.find(({ sentence }) => sentence.pattern.test(message))
    const isWord =
      status === 'FAILED'
        ? reason !== undefined
        : (lifecycle.byStatus.get(status)?.some(({ pattern }) => pattern.test(message)) ?? true)
    return [
      ...faultIf(
        !isWord,
        `status words ${status}`,
        `status_message of a transaction that is ${status} is ${JSON.stringify(message.slice(0, 120))}, which the page "Life of a transaction" does not have for it`,
      ),
      ...faultIf(
        status === 'FAILED' && reason !== undefined && reason.code !== code,
        `failure code ${reason?.code}`,
        `failure_code of ${JSON.stringify(message.slice(0, 120))} is ${JSON.stringify(code) ?? 'absent'}, not ${reason?.code}`,
      ),
    ]
  }
}

export const statusMessagesRule: Rule = {
  name: 'status messages',
  reason:
    'A transaction has a status message that the page "Life of a transaction" has for its status, and the code of that reason.',
  plantedFault: 'silence-called-expired',
  judging: ({ contract, sandbox }) => (sandbox ? { each: statusWordsJudge(contract) } : NOTHING_JUDGED),
}
