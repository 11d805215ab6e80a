import type { Transaction } from '../../domain/transaction.ts'
import { STATEMENT_WITHOUT_IT, type SimulatedGateway } from './gateway.ts'
import { OPERATORS_REASON } from './operator.ts'

/** Failures without a code: the code is optional for operators. */
const WITHOUT_CODE: readonly string[] = [STATEMENT_WITHOUT_IT, OPERATORS_REASON]

interface ReportedFailure {
  readonly transaction_status: string
  readonly status_message: string
  readonly failure_code?: string
}

/**
 * A failure code is stored and reported for a payment that failed for a known reason, and for no other: not for one
 * that was paid after all.
 */
export function failureCodes({ world }: SimulatedGateway, transaction: Transaction): string[] {
  const { id, merchantReference, status, statusMessage, failureCode } = transaction
  const callbacks = [...world.callbacks.values()].filter(({ transactionId }) => transactionId === id)
  const reported = callbacks.map(({ body }) => (JSON.parse(body) as { payload: ReportedFailure }).payload)
  const kept = { transaction_status: status, status_message: statusMessage, failure_code: failureCode }
  return [kept, ...reported].flatMap(({ transaction_status, status_message, failure_code }) => {
    const isDue =
      (transaction_status === 'FAILED' || transaction_status === 'CANCELLED') && !WITHOUT_CODE.includes(status_message)
    return isDue === (failure_code !== undefined)
      ? []
      : [
          `${merchantReference} (${transaction_status}: ${status_message}) has the failure code ${failure_code ?? 'none'}`,
        ]
  })
}
