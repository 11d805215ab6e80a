import type { components } from '../../../generated/schema.d.ts'
import { listTransactions } from '../../actions/list-transactions.ts'
import type { Transaction } from '../../domain/transaction.ts'
import { refundRecord, transactionRecord } from '../../messages/transaction-record.ts'
import { success } from '../envelope.ts'
import type { Handler, HandlerDeps } from './handler.ts'

export const PAGE_LIMIT = 50

export const listTransactionsHandler =
  (deps: HandlerDeps): Handler<'listTransactions'> =>
  async ({ merchant, query }) => {
    const { transactions, next } = await listTransactions(deps, merchant, {
      from: timeOf(query.from),
      to: timeOf(query.to),
      status: query.transaction_status,
      type: query.transaction_type,
      providerCode: query.provider_code,
      prefix: query.reference,
      after: query.after === undefined ? undefined : BigInt(query.after),
      limit: query.limit ?? PAGE_LIMIT,
    })
    return success('Transactions retrieved successfully', {
      transactions: transactions.map(recordOf),
      ...(next !== undefined && { next: String(next) }),
    })
  }

const recordOf = (transaction: Transaction): components['schemas']['ListedTransaction'] =>
  transaction.type === 'REFUND' ? refundRecord(transaction) : transactionRecord(transaction)

/** The time of a parameter. */
export const timeOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text))
