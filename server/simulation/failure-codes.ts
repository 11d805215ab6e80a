import type { Transaction } from '../domain/transaction.ts'
import { STATEMENT_WITHOUT_IT, type SimulatedGateway } from './gateway.ts'
import { OPERATORS_REASON } from './operator.ts'

/** Operators may leave the code out, and here they do. */
const WITHOUT_CODE: readonly string[] = [STATEMENT_WITHOUT_IT, OPERATORS_REASON]

interface Told {
  readonly transaction_status: string
  readonly status_message: string
  readonly failure_code?: string
}

/** A code is kept and told of what failed for a known reason, and of nothing else: not of what was paid after all. */
export function failureCodes({ world }: SimulatedGateway, transaction: Transaction): string[] {
  const { id, merchantReference, status, statusMessage, failureCode } = transaction
  const callbacks = [...world.callbacks.values()].filter(({ transactionId }) => transactionId === id)
  const told = callbacks.map(({ body }) => (JSON.parse(body) as { payload: Told }).payload)
  const kept = { transaction_status: status, status_message: statusMessage, failure_code: failureCode }
  return [kept, ...told].flatMap(({ transaction_status, status_message, failure_code }) => {
    const isDue =
      (transaction_status === 'FAILED' || transaction_status === 'CANCELLED') && !WITHOUT_CODE.includes(status_message)
    return isDue === (failure_code !== undefined)
      ? []
      : [
          `${merchantReference} (${transaction_status}: ${status_message}) has the failure code ${failure_code ?? 'none'}`,
        ]
  })
}
