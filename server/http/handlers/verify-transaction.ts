import { verifyTransaction } from '../../actions/verify-transaction.ts'
import { success } from '../envelope.ts'
import { transactionRecord } from '../../messages/transaction-record.ts'
import type { Handler, HandlerDeps } from './handler.ts'

export const verifyTransactionHandler =
  (deps: HandlerDeps): Handler<'verifyTransaction'> =>
  async ({ merchant, params: { merchant_reference } }) =>
    success(
      'Transaction retrieved successfully',
      transactionRecord(await verifyTransaction(deps, merchant, merchant_reference)),
    )
