import type { UnrequestedPayments } from '../../../actions/ports/account-messages.ts'
import type { UnrequestedPayment } from '../../../actions/ports/rail.ts'
import { differenceTransfer } from '../../../domain/ledger.ts'
import { present } from '../../../domain/present.ts'
import { bookingRows } from '../../../storage/ledger.ts'
import { inTransaction, type Connections, type Queryable } from '../../../storage/pool.ts'
import { nextTransferIds } from '../../../storage/transfer-ids.ts'
import { lockRailAccount } from './import.ts'
import { BY_HAND } from './known-lines.ts'

/** Money that nobody asked for, in PostgreSQL. */
export const unrequestedPayments = (pool: Connections): UnrequestedPayments => ({
  claim: (railAccount, payment, now) => claim(pool, railAccount, payment, now),
  book: (railAccount, payment, now) => book(pool, railAccount, payment, now),
})

/** Completes the sentence "the entry …". */
const NOTE = 'is no order of ours: the operator confirms that somebody paid it unasked'

/**
 * Stores what a message claims, for staff. It books nothing: whoever knows the address may have made it up.
 * @returns false for a receipt that is booked, or that a statement has
 */
async function claim(
  pool: Connections,
  railAccount: string,
  { receipt, amount: { amountMinor, currency }, account, reference, paidAt }: UnrequestedPayment,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `with claim as (
       insert into unrequested_payments (rail_account, receipt, currency, amount_minor, account, reference, paid_at,
         recorded_at) select $1, $2, $3, $4, $5, $6, $7, $8 where not exists (${STATED}) on conflict do nothing
     ) ${STATED}`,
    [railAccount, receipt, currency, amountMinor, account, reference, paidAt, now],
  )
  return !rowCount
}

/** The lines of statements, and of bookings before them, with this receipt. */
const STATED = 'select from statement_lines where rail_account = $1 and reference = $2'

/**
 * Books confirmed money that nobody asked for, as the next reconciliation would book an entry that it cannot judge: a doubtful
 * line with the receipt, and its exception, with the amount on suspense. The statement's own line with that receipt
 * takes the doubt away; until then, or until a person ends the exception, it stays there.
 * @returns whether it was booked; false for a receipt that a statement or an earlier message had
 */
function book(pool: Connections, railAccount: string, payment: UnrequestedPayment, now: Date): Promise<boolean> {
  const { amountMinor, currency } = payment.amount
  const transfer = differenceTransfer('rail', { railAccount, currency }, amountMinor)
  const ids: bigint[] = []
  return inTransaction(
    pool,
    async (client) => {
      await lockRailAccount(client, railAccount)
      // Its claim as well: a simulated rail has no rail account.
      const { rows: taken } = await client.query<{ is_taken: boolean }>(
        `select transaction_id is not null as is_taken from unrequested_payments
         where rail_account = $1 and receipt = $2 for update`,
        [railAccount, payment.receipt],
      )
      if (taken[0]?.is_taken) return false
      const { rowCount } = await client.query(`${STATED} limit 1`, [railAccount, payment.receipt])
      if (rowCount) return false
      ids.push(...(await nextTransferIds(client, 1, now)))
      await store(client, railAccount, payment, present(ids[0], 'a transfer'), now)
      return true
    },
    (client) => bookingRows(client, ids.length > 0 ? [transfer] : [], now, ids),
  )
}

const store = (
  client: Queryable,
  railAccount: string,
  { receipt, amount: { amountMinor, currency }, account, reference, paidAt }: UnrequestedPayment,
  transferId: bigint,
  now: Date,
): Promise<unknown> =>
  client.query(
    // Without times: it says nothing about how far the operator's statements reach.
    `with import as (
       insert into statement_imports (rail_account, form, name, imported_at, lines, new_lines, skipped)
       values ($1, '${BY_HAND}', $3, $8, 1, 1, 0) returning id
     ), line as (
       insert into statement_lines (rail_account, currency, import_id, line_number, reference, our_reference, direction,
         amount_minor, fee_minor, at, occurrence, doubt, note)
       select $1, $2, id, 1, $3, $4, 'in', $5, 0, $6, 1, 'unclear', $9 from import returning id
     ), exception as (
       insert into reconciliation_exceptions (rail_account, kind, line_id, currency, found_minor, suspense_minor, corrected,
         opened_at, opening_transfer_id)
       select $1, 'unclear', id, $2, $5, $5, 'rail', $8, $10 from line
     )
     insert into unrequested_payments (rail_account, receipt, line_id, currency, amount_minor, account, reference, paid_at,
       recorded_at)
     select $1, $3, id, $2, $5, $7, $4, $6, $8 from line
     -- The operator's answer, not the claim, is what is booked.
     on conflict (rail_account, receipt) do update set line_id = excluded.line_id, currency = excluded.currency,
       amount_minor = excluded.amount_minor`,
    [railAccount, currency, receipt, reference, amountMinor, paidAt, account, now, NOTE, transferId],
  )
