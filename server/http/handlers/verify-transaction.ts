import type { operations } from '../../../generated/schema.d.ts'
import { verifyTransaction } from '../../actions/verify-transaction.ts'
import { success } from '../envelope.ts'
import { transactionRecord } from '../../messages/transaction-record.ts'
import type { HandlerDeps, OperationHandler } from './handler.ts'

export const verifyTransactionHandler =
  (deps: HandlerDeps): OperationHandler =>
  async ({ merchant, params }) => {
    const { merchant_reference } = params as operations['verifyTransaction']['parameters']['path']
    return success(
      'Transaction retrieved successfully',
      transactionRecord(await verifyTransaction(deps, merchant, merchant_reference)),
    )
  }
