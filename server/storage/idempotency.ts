import type { FirstOutcome, IdempotencyStore } from '../actions/ports.ts'
import { IDEMPOTENCY_WINDOW_MS } from '../domain/idempotency.ts'
import { INSERT_KEYS, keyRow } from './accept-transactions.ts'
import { available, type Pool } from './pool.ts'
import { jsonRows } from './rows.ts'

export const createIdempotencyStore = (pool: Pool): IdempotencyStore => ({
  find: (claim, since) => available(async () => {
    const { rows: [row] } = await pool.query<{ request_digest: Uint8Array; outcome: FirstOutcome }>(
      'select request_digest, outcome from idempotency_keys where merchant_id = $1 and key = $2 and created_at > $3', [claim.merchantId, claim.key, since])
    return row && { digest: row.request_digest, outcome: row.outcome }
  }),
  remember: (claim, outcome, now) => available(async () => {
    await pool.query(INSERT_KEYS, [jsonRows([keyRow(claim, outcome, now)]), new Date(now.getTime() - IDEMPOTENCY_WINDOW_MS)])
  }),
})
