import type { AuditedPool } from '../../storage/audited-pool.ts'
import type { Pool } from '../../storage/pool.ts'
import { firstRowOf } from './rows.ts'

// The idempotency keys of people: a double click, a reload or the back button changes something once.

/** What identifies a request of a person, by its key. */
export interface RequestClaim {
  readonly personId: bigint
  readonly key: string
  /** Of all that the request says. */
  readonly digest: string
}

interface FirstRequest {
  readonly operation: string
  readonly digest: string
  /** Null: its result has secrets, which are not stored. */
  readonly outcome: unknown
}

/** How long a key is remembered. */
const REMEMBERED = `interval '7 days'`

/** The first request with the key, if there was one. */
export const findOutcome = (pool: Pool, { personId, key }: RequestClaim): Promise<FirstRequest | undefined> =>
  firstRowOf<FirstRequest>(
    pool,
    'select operation, digest, outcome from admin_requests where person_id = $1 and key = $2',
    [personId, key],
  )

/**
 * Takes the key of a request in the transaction of its change, and forgets the old ones of the person. Waits for a
 * concurrent request with the same key. @returns whether it was free
 */
export async function claimRequest(
  pool: AuditedPool,
  { personId, key, digest }: RequestClaim,
  operation: string,
  now: Date,
): Promise<boolean> {
  await pool.query(`delete from admin_requests where person_id = $1 and at < $2::timestamptz - ${REMEMBERED}`, [
    personId,
    now,
  ])
  const { rowCount } = await pool.query(
    `insert into admin_requests (person_id, key, operation, digest, at) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [personId, key, operation, digest, now],
  )
  return rowCount === 1
}

/** Forgets a request that failed after it took its key. */
export const releaseClaim = (pool: AuditedPool, { personId, key }: RequestClaim): Promise<unknown> =>
  pool.query('delete from admin_requests where person_id = $1 and key = $2', [personId, key])

/** Stores the outcome for whoever sends the request again. */
export const storeOutcome = (
  pool: AuditedPool,
  { personId, key }: RequestClaim,
  outcome: Readonly<Record<string, unknown>>,
): Promise<unknown> =>
  pool.query('update admin_requests set outcome = $3 where person_id = $1 and key = $2', [personId, key, outcome])
