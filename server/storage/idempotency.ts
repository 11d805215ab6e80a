import type {
  FirstOutcome,
  IdempotencyClaim,
  IdempotencyStore,
  IdempotencyWrites,
} from '../actions/ports/idempotency.ts'
import { idempotencyWindowStart } from '../domain/idempotency.ts'
import { available, type Pool, type Queryable } from './pool.ts'
import { columns } from './rows.ts'

/** Finds first outcomes, outside of a unit of work. Rejects with StorageUnavailable. */
export const createIdempotencyStore = (pool: Pool): IdempotencyStore => ({
  find: (claim, since) =>
    available(async () => {
      const {
        rows: [row],
      } = await pool.query<{ request_digest: Uint8Array; outcome: FirstOutcome }>(
        'select request_digest, outcome from idempotency_keys where merchant_id = $1 and key = $2 and created_at > $3',
        [claim.merchantId, claim.key, since],
      )
      return row && { digest: row.request_digest, outcome: row.outcome }
    }),
})

export const idempotencyStatements = (client: Queryable): IdempotencyWrites => ({
  async rememberOutcome(claim, outcome, now) {
    const { rowCount } = await client.query(INSERT_KEYS, [
      IDEMPOTENCY_KEY.json([keyRow(claim, outcome, now)]),
      idempotencyWindowStart(now),
    ])
    return rowCount === 1
  },
})

interface StoredKey {
  readonly merchantId: bigint
  readonly key: string
  readonly requestDigest: Uint8Array
  readonly outcome: FirstOutcome
  readonly createdAt: Date
}

export const IDEMPOTENCY_KEY = columns<StoredKey>({
  merchantId: 'bigint',
  key: 'text',
  requestDigest: 'bytea',
  outcome: 'json',
  createdAt: 'timestamptz',
})

/** The row of a first outcome, as INSERT_KEYS takes it. */
export const keyRow = ({ merchantId, key, digest }: IdempotencyClaim, outcome: FirstOutcome, now: Date): StoredKey => ({
  merchantId,
  key,
  requestDigest: digest,
  outcome,
  createdAt: now,
})

// A key older than the window is free again; a more recent one keeps its first outcome. No key may occur twice: one
// statement cannot upsert a row twice.
export const INSERT_KEYS = `
  insert into idempotency_keys as k (${IDEMPOTENCY_KEY.names()})
  select ${IDEMPOTENCY_KEY.names()} from json_to_recordset($1) as r(${IDEMPOTENCY_KEY.definition})
  order by merchant_id, key
  on conflict (merchant_id, key) do update
  set request_digest = excluded.request_digest, outcome = excluded.outcome, created_at = excluded.created_at
  where k.created_at <= $2
  returning merchant_id, key`
