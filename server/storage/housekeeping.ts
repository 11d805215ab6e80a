import { HOLDER_QUERIES_KEPT_MS } from '../actions/ports/account-holders.ts'
import { DAILY_WINDOW_MS } from '../domain/amount-limits.ts'
import { IDEMPOTENCY_WINDOW_MS } from '../domain/idempotency.ts'
import { SESSION_MS } from '../domain/people/session-times.ts'
import { DRIFT_KEPT_MS } from './operator-drift.ts'
import { EXCHANGES_KEPT_MS } from './operator-exchanges.ts'
import { removeOldChanges } from './merchant-changes.ts'
import { QUESTIONS_KEPT_MS } from './rail-balances.ts'
import { CALLBACKS_KEPT_MS } from './rail-callbacks.ts'
import { available, type Pool } from './pool.ts'

/**
 * Deletes expired rows: usage outside the daily window, usage that no longer counts for an account number, payer
 * references that are free again, payouts that waited and ended another way, replies of expired Idempotency-Keys, operator exchanges and contract drift that are
 * past their retention (90 days), operator messages that were read and payments that only they claimed, queries about account holders with their answers, what test
 * receivers received, sessions, links and counts of the sign-in that are over, and changes of merchants that every process has
 * received.
 */
export const removeExpired = (pool: Pool, now: Date): Promise<void> =>
  available(async () => {
    const before = (windowMs: number) => new Date(now.getTime() - windowMs)
    await deleteOld(pool, 'limit_usage', before(DAILY_WINDOW_MS))
    await deleteOld(pool, 'idempotency_keys', before(IDEMPOTENCY_WINDOW_MS))
    await deleteOld(pool, 'account_usage', now, 'counts_until')
    await deleteOld(pool, 'payer_references', now, 'reserved_until')
    await deleteOld(pool, 'payout_waits', before(PAYOUT_WAITS_KEPT_MS), 'since')
    await deleteOld(pool, 'operator_exchanges', before(EXCHANGES_KEPT_MS), 'at')
    await deleteOld(pool, 'operator_drift', before(DRIFT_KEPT_MS), 'last_seen_at')
    await removeOldChanges(pool, now)
    await deleteOld(pool, 'sign_in_tokens', now, 'expires_at')
    await deleteOld(pool, 'sign_in_failures', now, 'expires_at')
    await deleteOld(pool, 'sessions', before(SESSION_MS))
    await deleteOld(pool, 'rail_callbacks', before(CALLBACKS_KEPT_MS), 'received_at', 'and sealed_body is null')
    await deleteOld(pool, 'account_messages', before(CALLBACKS_KEPT_MS), 'received_at', 'and sealed_body is null')
    await deleteOld(
      pool,
      'unrequested_payments',
      before(CALLBACKS_KEPT_MS),
      'recorded_at',
      'and line_id is null and transaction_id is null',
    )
    await deleteOld(pool, 'rail_tokens', now, 'ends_at')
    await deleteOld(pool, 'sandbox.inbox', now, 'expires_at')
    await deleteOld(pool, 'account_holder_queries', before(HOLDER_QUERIES_KEPT_MS), 'asked_at')
    await deleteOld(pool, 'rail_questions', before(QUESTIONS_KEPT_MS), 'asked_at')
  })

/** No payout waits for longer than a day. */
const PAYOUT_WAITS_KEPT_MS = 2 * 24 * 3_600_000
const CHUNK_ROWS = 5_000

/**
 * Deletes in chunks, and skips rows that another session is changing: a long delete would block other sessions, and
 * could deadlock with a batch that settles payments.
 */
async function deleteOld(
  pool: Pool,
  table:
    | 'limit_usage'
    | 'idempotency_keys'
    | 'account_usage'
    | 'payer_references'
    | 'payout_waits'
    | 'operator_exchanges'
    | 'operator_drift'
    | 'rail_callbacks'
    | 'account_messages'
    | 'rail_questions'
    | 'account_holder_queries'
    | 'unrequested_payments'
    | 'rail_tokens'
    | 'sandbox.inbox'
    | 'sign_in_tokens'
    | 'sign_in_failures'
    | 'sessions',
  before: Date,
  column = 'created_at',
  condition = '',
): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      `delete from ${table} where ctid = any(array(select ctid from ${table}
       where ${column} <= $1 ${condition} limit ${CHUNK_ROWS} for update skip locked))`,
      [before],
    )
    if ((rowCount ?? 0) < CHUNK_ROWS) return
  }
}
