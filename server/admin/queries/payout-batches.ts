import { available, type Pool } from '../../storage/pool.ts'
import { rowsOf } from './rows.ts'

/** A batch in a list. */
export interface BatchView {
  readonly id: bigint
  readonly reference: string
  readonly created_at: Date
  /** Null until every payout is final. */
  readonly finished_at: Date | null
  readonly payouts: number
  /** The reference of the batch whose failed payouts it tries again. */
  readonly retry_of: string | null
}

interface BatchFilter {
  readonly merchantId: bigint
  readonly reference?: string | undefined
  /** Only batches with a smaller id. */
  readonly before?: bigint | undefined
  readonly limit: number
}

/** The newest first. */
export const listPayoutBatches = (
  pool: Pool,
  { merchantId, reference, before, limit }: BatchFilter,
): Promise<readonly BatchView[]> =>
  rowsOf<BatchView>(
    pool,
    `select b.id, b.reference, b.created_at, b.finished_at, o.reference as retry_of,
             (select count(*)::int from payout_batch_rows r where r.batch_id = b.id) as payouts
           from payout_batches b left join payout_batches o on o.id = b.retry_of
           where b.merchant_id = $1 and ($2::text is null or b.reference = $2) and ($3::bigint is null or b.id < $3)
           order by b.id desc limit $4`,
    [merchantId, reference, before, limit],
  )

/** What these payments are for, by their ids. */
export const descriptionsOf = (pool: Pool, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> =>
  available(async () => {
    const { rows } = await pool.query<{ id: bigint; description: string }>(
      'select id, description from transactions where id = any($1)',
      [ids],
    )
    return new Map(rows.map(({ id, description }) => [id, description]))
  })
