import { PAYMENT_JOB_KINDS } from '../../actions/ports/jobs.ts'
import type { Transaction } from '../../domain/transaction.ts'
import { available, type Pool } from '../../storage/pool.ts'
import { SHOWN, toShown, type TransactionViewRow } from '../../storage/transaction-row.ts'

/** A payment whose merchant has had no callback yet. */
export interface WaitingPayment {
  readonly transaction: Transaction
  /** Present where a callback failed and goes out again. */
  readonly delivery?: { readonly attempts: number; readonly fault: string; readonly nextAttemptAt: Date }
}

interface WaitingFilter {
  /** Undefined: of all merchants. */
  readonly merchantId?: bigint
  /** The merchant's reference or ours; undefined: all. */
  readonly reference?: string | undefined
  readonly limit: number
}

type WaitingRow = TransactionViewRow & {
  readonly attempts: number | null
  readonly fault: string | null
  readonly next_attempt_at: Date | null
}

const MATCHES = `($1::bigint is null or t.merchant_id = $1)
  and ($2::text is null or t.merchant_reference = $2 or t.internal_reference = $2)`

// By their jobs: of these there are as many as payments are open, not as many as there ever were.
const WAITING = `
  select * from (
    select distinct on (open.id) open.*, null::int as attempts, null as fault, null::timestamptz as next_attempt_at
    from unnest($4::text[]) as k(kind) cross join lateral (
      select ${SHOWN} from jobs j join transactions t on t.id = j.subject_id
      where j.kind = k.kind and ${MATCHES} order by j.subject_id desc limit $3) open
    union all
    (select ${SHOWN}, c.attempts, (select coalesce('HTTP ' || a.http_status, a.error) from callback_attempts a
        where a.callback_id = c.id order by a.attempt desc limit 1), j.due_at
     from jobs j join callbacks c on c.id = j.subject_id join transactions t on t.id = c.transaction_id
     where j.kind = 'deliverCallback' and c.attempts > 0 and ${MATCHES} order by j.subject_id desc limit $3)
  ) waiting order by id desc limit $3`

/** The newest payments that are open, and those whose callback waits for its next attempt. */
export const waitingPayments = (
  pool: Pool,
  { merchantId, reference, limit }: WaitingFilter,
): Promise<readonly WaitingPayment[]> =>
  available(async () => {
    const values = [merchantId ?? null, reference ?? null, limit, PAYMENT_JOB_KINDS]
    return (await pool.query<WaitingRow>(WAITING, values)).rows.map(toWaiting)
  })

const toWaiting = ({ attempts, fault, next_attempt_at: nextAttemptAt, ...row }: WaitingRow): WaitingPayment => ({
  transaction: toShown(row),
  ...(attempts !== null && nextAttemptAt && { delivery: { attempts, fault: fault ?? 'no reply', nextAttemptAt } }),
})
