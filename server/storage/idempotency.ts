import type { FirstOutcome, IdempotencyClaim, IdempotencyStore } from '../actions/ports/idempotency.ts'
import type { Unit } from '../actions/ports/unit.ts'
import { IDEMPOTENCY_WINDOW_MS } from '../domain/idempotency.ts'
import { available, type Pool, type Queryable } from './pool.ts'
import { jsonRows } from './rows.ts'

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

export const idempotencyStatements = (client: Queryable): Pick<Unit, 'rememberOutcome'> => ({
  async rememberOutcome(claim, outcome, now) {
    const { rowCount } = await client.query(INSERT_KEYS, [
      jsonRows([keyRow(claim, outcome, now)]),
      new Date(now.getTime() - IDEMPOTENCY_WINDOW_MS),
    ])
    return rowCount === 1
  },
})

export const keyRow = (claim: IdempotencyClaim, outcome: FirstOutcome, now: Date) => ({
  merchant_id: claim.merchantId,
  key: claim.key,
  request_digest: `\\x${Buffer.from(claim.digest).toString('hex')}`,
  outcome,
  created_at: now,
})

// A key older than the window is free again; a fresh one stays with its first outcome. No key may come twice: one
// statement cannot update a row twice.
export const INSERT_KEYS = `
  insert into idempotency_keys as k (merchant_id, key, request_digest, outcome, created_at)
  select merchant_id, key, request_digest, outcome, created_at
  from json_to_recordset($1) as r(merchant_id bigint, key text, request_digest bytea, outcome json, created_at timestamptz)
  order by merchant_id, key
  on conflict (merchant_id, key) do update set request_digest = excluded.request_digest, outcome = excluded.outcome, created_at = excluded.created_at
  where k.created_at <= $2
  returning merchant_id, key`
