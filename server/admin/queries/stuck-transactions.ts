import { available, type Pool } from '../../storage/pool.ts'
import {
  HAS_JOB,
  OPERATOR_TRANSACTION,
  toStaffTransaction,
  type StaffTransaction,
  type StaffTransactionRow,
} from './transactions.ts'

export interface StuckTransaction extends StaffTransaction {
  /** When it was submitted to the rail, or when the rail paid what could not be booked. */
  readonly stuckSince: Date
  /** Unknown outcome at a rail that must not get the order twice: only a result or a staff decision ends it. */
  readonly isOutcomeUnknown: boolean
  /** Its operator reported a result code that no table explains: a person can look it up. */
  readonly isUnmapped: boolean
}

/** Cursor: the position of a transaction among those that are stuck. */
export interface StuckPlace {
  readonly since: Date
  readonly id: bigint
}

interface StuckFilter {
  /**
   * PROCESSING since before then. An unknown outcome, an unmapped code, or a payment that was paid and not booked is
   * listed at once.
   */
  readonly before: Date
  readonly merchantId: bigint | undefined
  /** Only those after this position. */
  readonly after?: StuckPlace | undefined
  readonly limit: number
}

/** Transactions that have waited too long for their rail, or that it paid and nobody could book; the longest first. */
export const listStuck = (pool: Pool, { before, merchantId, after, limit }: StuckFilter): Promise<StuckTransaction[]> =>
  available(async () => {
    // A collection may wait half an hour on its payment page before it is submitted: that time is not the rail's.
    const { rows } = await pool.query<StuckRow>(
      `select * from (
       select o.*, coalesce((select min(e.at) from transaction_events e
         where e.transaction_id = o.id and e.kind = 'submitted'), o.created_at) as stuck_since,
         exists (select from jobs w where w.kind in ('resolveUnknownOutcome', 'resolveRefund') and w.subject_id = o.id) as is_unresolved,
         exists (${UNMAPPED_OF} o.id) as is_unmapped
       from (${OPERATOR_TRANSACTION} where t.status = 'PROCESSING' and ${HAS_JOB}
         and (t.created_at <= $1
           or exists (select from jobs w where w.kind in ('resolveUnknownOutcome', 'resolveRefund') and w.subject_id = t.id)
           or exists (${UNMAPPED_OF} t.id))
         and ($2::bigint is null or t.merchant_id = $2)) o
       union all
       select o.*, o.rail_paid_at, false, false from (${OPERATOR_TRANSACTION}
         where t.rail_paid_at is not null and t.status = 'FAILED' and ($2::bigint is null or t.merchant_id = $2)) o
     ) s cross join lateral (select date_trunc('milliseconds', stuck_since) as since_ms) p
     where (stuck_since <= $1 or is_unresolved or is_unmapped or status = 'FAILED')
       and ($4::timestamptz is null or (since_ms, id) > ($4, $5::bigint))
     order by since_ms, id limit $3`,
      [before, merchantId, limit, after?.since, after?.id],
    )
    return rows.map((row) => ({
      ...toStaffTransaction(row),
      stuckSince: row.stuck_since,
      isOutcomeUnknown: row.is_unresolved,
      isUnmapped: row.is_unmapped,
    }))
  })

interface StuckRow extends StaffTransactionRow {
  readonly stuck_since: Date
  readonly is_unresolved: boolean
  readonly is_unmapped: boolean
}

const UNMAPPED_OF = `select from transaction_events e where e.kind = 'unmapped_result' and e.transaction_id =`

/**
 * `result`: the rail may have the order and must not get it twice, so it waits for a result or a staff
 * decision. `code`: its result code is in no table; the history shows it.
 */
export function waitsFor(transaction: StuckTransaction): 'booking' | 'code' | 'result' | 'rail' {
  const { status, isOutcomeUnknown, isUnmapped } = transaction
  if (status === 'FAILED') return 'booking'
  if (isUnmapped) return 'code'
  return isOutcomeUnknown ? 'result' : 'rail'
}

/** Where a transaction stands among those that are stuck, as a cursor. */
export const placeText = ({ stuckSince, id }: StuckTransaction): string => `${stuckSince.toISOString()}_${id}`

/** Undefined unless it is a cursor. */
export function parsePlace(text: string): StuckPlace | undefined {
  const [, at = '', id = ''] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)_(\d{1,18})$/.exec(text) ?? []
  const since = new Date(at)
  return Number.isNaN(since.getTime()) ? undefined : { since, id: BigInt(id) }
}
