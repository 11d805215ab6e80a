import type { FailureCode } from '../../domain/failure-code.ts'
import { withDatabase } from './database.ts'
import { usedWrongly } from './errors.ts'
import { print, printJson } from './output.ts'
import { runChange } from './run-change.ts'
import type { StaffOptions } from './staff-action.ts'
import { resolveTransaction } from '../operations/resolve-transaction.ts'
import { transactionNamed } from '../operations/transaction-named.ts'
import { toRecord } from '../queries/transaction-record.ts'

interface ResolveOptions extends StaffOptions {
  readonly completed?: true
  readonly failed?: string
  readonly code?: FailureCode
  readonly merchant?: string
}

/** `transaction resolve`: a staff member records an outcome that the rail does not report. */
export async function resolve(reference: string, options: ResolveOptions): Promise<void> {
  const { completed, failed, code, merchant, json } = options
  if ((completed === undefined) === (failed === undefined))
    throw usedWrongly('malipo: set either --completed or --failed <reason>')
  if (code !== undefined && failed === undefined) throw usedWrongly('malipo: --code goes with --failed')
  const outcome =
    failed === undefined ? ({ status: 'COMPLETED' } as const) : ({ status: 'FAILED', message: failed, code } as const)
  const { transaction, resolution } = await withDatabase(async (context) => {
    const input = { transaction: reference, merchant, outcome }
    const { internal_reference: resolved, resolution } = await runChange(context, resolveTransaction, input, options)
    return { transaction: await transactionNamed(context, resolved, undefined), resolution }
  })
  if (json) return printJson(toRecord(transaction, false))
  // A transaction that the rail never paid was FAILED already, and its merchant was notified then.
  const reported = resolution === 'resolved' ? ' The server delivers the callback.' : ''
  print(`${reference} is now ${transaction.status}: ${transaction.statusMessage}.${reported}`)
}
