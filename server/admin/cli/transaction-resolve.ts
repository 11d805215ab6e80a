import { resolveTransaction, type Resolution } from '../../actions/resolve-transaction.ts'
import type { FailureCode } from '../../domain/failure-code.ts'
import type { RailOutcome } from '../../domain/transaction.ts'
import type { Pool } from '../../storage/pool.ts'
import { MALIPO } from './called-as.ts'
import { withDatabase } from './database.ts'
import { CliError, usedWrongly } from './errors.ts'
import { print, printJson } from './output.ts'
import { settling } from './settling.ts'
import { shownValues, staffAction, type StaffOptions } from './staff-action.ts'
import { toRecord, transactionNamed } from './transaction-record.ts'

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
  const outcome: RailOutcome =
    failed === undefined
      ? { status: 'COMPLETED' }
      : { status: 'FAILED', reason: failed, ...(code !== undefined && { code }) }
  const { transaction, result } = await withDatabase(async (context) => {
    const { internalReference, merchantId, amount } = await transactionNamed(context, reference, merchant)
    const now = (pool: Pool) => transactionNamed({ ...context, pool }, internalReference, undefined)
    const what = { command: 'transaction resolve', subject: internalReference, merchantId, amount }
    const result = await staffAction(context, what, options, {
      async read(pool) {
        const { status, statusMessage, failureCode } = await now(pool)
        return shownValues({ status, message: statusMessage, 'failure code': failureCode })
      },
      apply: async (pool) =>
        decided(reference, await resolveTransaction(await settling({ ...context, pool }), internalReference, outcome)),
    })
    return { transaction: await now(context.pool), result }
  })
  if (json) return printJson(toRecord(transaction, false))
  // A transaction that the rail never paid was FAILED already, and its merchant was notified then.
  const reported = result === 'resolved' ? ' The server delivers the callback.' : ''
  print(`${reference} is now ${transaction.status}: ${transaction.statusMessage}.${reported}`)
}

/** @throws CliError if nothing was decided */
function decided(reference: string, resolution: Resolution): 'resolved' | 'never_paid' {
  if (resolution.result === 'state')
    throw new CliError(
      `malipo: ${reference} is ${resolution.status}: only what is PROCESSING, or paid by the rail and not booked, can be resolved; a payout that is PENDING can be ended with --failed`,
    )
  if (resolution.result === 'uncovered')
    throw new CliError(
      `malipo: the payout wallet does not hold what ${reference} cost.\nDeposit or transfer first, then resolve it: ${MALIPO} wallet --help`,
    )
  return resolution.result
}
