import { DAILY_WINDOW_MS } from '../domain/amount-limits.ts'
import { IDEMPOTENCY_WINDOW_MS } from '../domain/idempotency.ts'
import { available, type Pool } from './pool.ts'

/** Removes what no rule looks at any more: usage outside the daily window and replies of expired Idempotency-Keys. */
export const removeExpired = (pool: Pool, now: Date): Promise<void> => available(async () => {
  const before = (windowMs: number) => new Date(now.getTime() - windowMs)
  await pool.query('delete from limit_usage where created_at <= $1', [before(DAILY_WINDOW_MS)])
  await pool.query('delete from idempotency_keys where created_at <= $1', [before(IDEMPOTENCY_WINDOW_MS)])
})
