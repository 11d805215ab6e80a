import { cancelPayout } from '../operations/cancel-payout.ts'
import { refundCollection } from '../operations/refund-collection.ts'
import { transactionNamed } from '../operations/transaction-named.ts'
import { toRecord } from '../queries/transaction-record.ts'
import { withDatabase } from './database.ts'
import { print, printJson } from './output.ts'
import { runChange } from './run-change.ts'
import type { StaffOptions } from './staff-action.ts'

interface NamedOptions extends StaffOptions {
  readonly merchant?: string
}
interface RefundOptions extends NamedOptions {
  readonly amount?: string
  readonly reference?: string
}

/** `transaction refund`: gives money of a collection back to whoever paid it. */
export async function refund(transaction: string, options: RefundOptions): Promise<void> {
  const { merchant, amount, reference, reason, json } = options
  const refunded = await withDatabase(async (context) => {
    const input = { transaction, merchant, amount, reference, reason }
    const { internal_reference: made } = await runChange(context, refundCollection, input, options)
    return transactionNamed(context, made, undefined)
  })
  if (json) return printJson(toRecord(refunded, false))
  print(`${refunded.merchantReference} is ${refunded.status}: ${refunded.statusMessage}. The server sends it.`)
}

/** `transaction cancel`: ends a payout that was not handed over. */
export async function cancel(transaction: string, options: NamedOptions): Promise<void> {
  const cancelled = await withDatabase(async (context) => {
    const input = { transaction, merchant: options.merchant }
    const { internal_reference: ended } = await runChange(context, cancelPayout, input, options)
    return transactionNamed(context, ended, undefined)
  })
  if (options.json) return printJson(toRecord(cancelled, false))
  print(`${transaction} is now ${cancelled.status}: ${cancelled.statusMessage}. The server delivers the callback.`)
}
