import type { Backlog, Figures, WaitingForOperator } from '../../actions/ports/figures.ts'
import type { JobKind } from '../../actions/ports/jobs.ts'
import { checkLedger } from './ledger-check.ts'
import { PAID_UNSETTLED } from './suspense.ts'
import { BoundedPool, type Pool } from '../../storage/pool.ts'
import { isFree } from '../../storage/job-leases.ts'
import { oldestUnchained } from '../../storage/ledger-chain.ts'
import { countMonthsAhead, MONTHS_AHEAD } from '../../storage/months.ts'
import { railAccountFigures } from './rail-account-figures.ts'
import { waitingPayouts } from '../../storage/payout-waits.ts'
import { railBalanceFigures } from '../../storage/rail-balances.ts'

/**
 * The metrics that staff monitor, read from the database. Rejects with ConnectionFailed, also when a query times out;
 * the pool then discards the connection.
 */
export const createFigures = (pool: Pool): Figures => ({
  connections: () => ({
    open: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
    exhausted: pool instanceof BoundedPool ? pool.exhaustedCount : 0,
  }),
  backlogCountedMax: BACKLOG_COUNTED_MAX,
  backlog: (kinds, now) => readBacklog(pool, kinds, now),
  waitingForOperator: () => readWaitingForOperator(pool),
  railBalances: () => railBalanceFigures(pool),
  waitingPayouts: () => waitingPayouts(pool, BACKLOG_COUNTED_MAX),
  atRailAccounts: () => railAccountFigures(pool, BACKLOG_COUNTED_MAX, BACKLOG_TIMEOUT_MS),
  monthsAheadMax: MONTHS_AHEAD,
  monthsAhead: (now) => countMonthsAhead(pool, now),
  oldestUnchained: () => oldestUnchained(pool),
  checkLedger: (now, signal) => checkLedger(pool, now, signal),
})

/**
 * A backlog beyond this needs a person, not a more exact number: counting a million jobs at every scrape would make it
 * worse.
 */
const BACKLOG_COUNTED_MAX = 10_000
const BACKLOG_TIMEOUT_MS = 1_000

/**
 * Two short scans of the index (kind, due_at) per kind, never a scan of the table. Claimed jobs do not
 * count until their lease ends.
 */
async function readBacklog(pool: Pool, kinds: readonly JobKind[], now: Date): Promise<readonly Backlog[]> {
  const { rows } = await pool.query<Backlog>({
    name: 'job-backlog',
    text: WORK_BACKLOG,
    values: [kinds, now, BACKLOG_COUNTED_MAX],
    ...waitingAtMost(BACKLOG_TIMEOUT_MS),
  })
  return rows
}

/** Query timeout, as DatabaseClient reads it; after it the pool discards the connection. */
const waitingAtMost = (ms: number): object => ({ answerMsMax: ms })

export const WORK_BACKLOG = `
  select k.kind,
    (select count(*)::int from (select from jobs where jobs.kind = k.kind and due_at <= $2 and ${isFree('jobs', '$2')} order by due_at limit $3)
      as due) as items,
    (select due_at from jobs where jobs.kind = k.kind and due_at <= $2 and ${isFree('jobs', '$2')} order by due_at limit 1) as "oldestDueAt"
  from unnest($1::text[]) as k(kind)`

/** Both use an index that holds nothing else. */
async function readWaitingForOperator(pool: Pool): Promise<WaitingForOperator> {
  const {
    rows: [row],
  } = await pool.query<WaitingForOperator>({
    name: 'waiting-for-operator',
    text: `select (select count(*)::int from transactions t where ${PAID_UNSETTLED})
               as "paidNotBooked",
             (select count(*)::int from jobs where failures > 0)
               + (select count(*)::int from sandbox.reports where failures > 0 and acknowledged_at is null)
                 as "quarantinedJobs"`,
    ...waitingAtMost(BACKLOG_TIMEOUT_MS),
  })
  if (!row) throw new Error('the question gave no row')
  return row
}
