import type { ReceivedPayment } from '../../../domain/expected-payment.ts'
import { differenceTransfer } from '../../../domain/ledger.ts'
import { money } from '../../../domain/money.ts'
import type { AuditedPool } from '../../../storage/audited-pool.ts'
import { bookingRows } from '../../../storage/ledger.ts'
import { available, inTransaction, type Pool } from '../../../storage/pool.ts'
import { nextTransferIds } from '../../../storage/transfer-ids.ts'
import { BY_RECONCILIATION } from './exceptions.ts'

/** An open exception `e` with its line `l`: a customer's payment without an order, on suspense. */
const UNEXPECTED = `reconciliation_exceptions e join statement_lines l on l.id = e.line_id
  where e.id = $1 and e.ended_at is null and e.transaction_id is null and e.suspense_minor > 0
    and e.suspense_minor = l.amount_minor and e.kind in ('unclear', 'missing_with_us') and e.corrected = 'rail'
    and l.direction = 'in' and l.transaction_id is null and l.reference <> ''`

interface UnexpectedRow {
  readonly receipt: string
  readonly amount_minor: bigint
  readonly currency: string
  readonly account: string | null
  readonly at: Date
  readonly has_rail_account: boolean
}

/** The payment that an exception keeps on suspense; undefined if it keeps none. */
export const paymentOf = (
  pool: Pool,
  id: bigint,
): Promise<(ReceivedPayment & { readonly hasRailAccount: boolean }) | undefined> =>
  available(async () => {
    const { rows } = await pool.query<UnexpectedRow>(
      `select l.reference as receipt, l.amount_minor, e.currency, l.account, l.at,
         exists (select from rail_accounts r where r.name = e.rail_account) as has_rail_account from ${UNEXPECTED}`,
      [id],
    )
    const [row] = rows
    return (
      row && {
        receipt: row.receipt,
        amount: money(row.amount_minor, row.currency),
        ...(row.account !== null && { account: row.account }),
        paidAt: row.at,
        hasRailAccount: row.has_rail_account,
      }
    )
  })

/**
 * Ends an exception whose payment a person has taken for a collection, by an attempt of it: the line is that attempt's
 * from now on, and what was booked for the exception is reversed, as by a reconciliation.
 * @returns whether it kept that payment until now
 */
export function endAsTaken(
  pool: AuditedPool,
  id: bigint,
  attemptId: bigint,
  reason: string,
  now: Date,
): Promise<boolean> {
  const transfers: ReturnType<typeof differenceTransfer>[] = []
  const ids: bigint[] = []
  return inTransaction(
    pool,
    async (client) => {
      const { rows } = await client.query<{
        line_id: bigint
        rail_account: string
        currency: string
        suspense_minor: bigint
      }>(`select e.line_id, e.rail_account, e.currency, e.suspense_minor from ${UNEXPECTED} for update of e, l`, [id])
      const [exception] = rows
      if (!exception) return false
      const { rail_account: railAccount, currency, suspense_minor: suspenseMinor, line_id: lineId } = exception
      transfers.push(differenceTransfer('rail', { railAccount, currency }, -suspenseMinor))
      ids.push(...(await nextTransferIds(client, 1, now)))
      await client.query(
        `update reconciliation_exceptions set ended_at = $2, ended_by = '${BY_RECONCILIATION}', reason = $3,
           closing_transfer_id = $4 where id = $1`,
        [id, now, reason, ids[0]],
      )
      await client.query(
        'update statement_lines set transaction_id = $2, doubt = null, note = null, reported_at = $3 where id = $1',
        [lineId, attemptId, now],
      )
      await client.query(
        `update unrequested_payments p set transaction_id = $2 from statement_lines l
         where l.id = $1 and p.rail_account = l.rail_account and p.receipt = l.reference`,
        [lineId, attemptId],
      )
      return true
    },
    (client) => bookingRows(client, transfers, now, ids),
  )
}
