import type { Backlog, Figures, LedgerFindings, WaitingForOperator } from '../../actions/ports/figures.ts'
import type { WorkKind } from '../../actions/ports/work.ts'
import { ENTRIES_REPLAYED } from './doctor.ts'
import type { Pool } from '../pool.ts'
import { installationFigures } from './installation-figures.ts'
import { railBalanceFigures } from '../rail-balances.ts'

/**
 * What operators watch, read from the database. Rejects with ConnectionFailed, also when an answer takes too long; its
 * connection is given up then.
 */
export const createFigures = (pool: Pool): Figures => ({
  connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  backlogCountedMax: BACKLOG_COUNTED_MAX,
  backlog: (kinds, now) => readBacklog(pool, kinds, now),
  waitingForOperator: () => readWaitingForOperator(pool),
  railBalances: () => railBalanceFigures(pool),
  atInstallations: () => installationFigures(pool, BACKLOG_COUNTED_MAX, BACKLOG_TIMEOUT_MS),
  sumLedger: (signal) => sumLedger(pool, signal),
})

/**
 * A backlog beyond this needs a person, not a more exact number: counting a million items at every scrape would make it
 * worse.
 */
const BACKLOG_COUNTED_MAX = 10_000
const BACKLOG_TIMEOUT_MS = 1_000

/**
 * Two short walks along the index (kind, due_at) per kind, never a scan of the table. Claimed work is due only when its
 * lease ends, and so does not count.
 */
async function readBacklog(pool: Pool, kinds: readonly WorkKind[], now: Date): Promise<readonly Backlog[]> {
  const { rows } = await pool.query<Backlog>({
    name: 'work-backlog',
    text: WORK_BACKLOG,
    values: [kinds, now, BACKLOG_COUNTED_MAX],
    ...waitingAtMost(BACKLOG_TIMEOUT_MS),
  })
  return rows
}

/** How long we wait for the answer, as DatabaseClient has it; the pool then gives up the connection. */
const waitingAtMost = (ms: number): object => ({ answerMsMax: ms })

export const WORK_BACKLOG = `
  select k.kind,
    (select count(*)::int from (select from work where work.kind = k.kind and due_at <= $2 order by due_at limit $3)
      as due) as items,
    (select due_at from work where work.kind = k.kind and due_at <= $2 order by due_at limit 1) as "oldestDueAt"
  from unnest($1::text[]) as k(kind)`

/** Both by an index that holds nothing else. */
async function readWaitingForOperator(pool: Pool): Promise<WaitingForOperator> {
  const {
    rows: [row],
  } = await pool.query<WaitingForOperator>({
    name: 'waiting-for-operator',
    text: `select (select count(*)::int from transactions where rail_paid_at is not null and status = 'FAILED')
               as "paidNotBooked",
             (select count(*)::int from work where failures > 0)
               + (select count(*)::int from sandbox.reports where failures > 0 and acknowledged_at is null)
                 as "workPutAside"`,
    ...waitingAtMost(BACKLOG_TIMEOUT_MS),
  })
  if (!row) throw new Error('the question gave no row')
  return row
}

/** The check reads every entry there is. Measured: 2.4 s for 5 million of them, on one core of a busy machine. */
const LEDGER_TIMEOUT_MS = 30_000
/** How much longer we wait than the database works: its own limit should be the one that ends the statement. */
const LEDGER_GRACE_MS = 2_000

/**
 * Sums the whole ledger in one statement, and so in one snapshot: what commits meanwhile cannot make it look wrong. The
 * signal cancels it.
 */
async function sumLedger(pool: Pool, signal: AbortSignal): Promise<LedgerFindings> {
  const session = await pool.connect()
  let cancelling: Promise<unknown> | undefined
  let broken: Error | undefined
  try {
    await session.query('begin isolation level read committed read only')
    // No helpers: a check may take its time, payments need the other cores. It reads whole tables, unlike everything
    // else that a pool does.
    await session.query(
      `set local statement_timeout = ${LEDGER_TIMEOUT_MS}; set local max_parallel_workers_per_gather = 0;
         set local enable_seqscan = on`,
    )
    const {
      rows: [backend],
    } = await session.query<{ pid: number }>('select pg_backend_pid() as pid')
    // To end the connection would not end the statement: pg waits for what it has sent.
    const cancel = () => {
      cancelling = pool
        .query({ text: 'select pg_cancel_backend($1)', values: [backend?.pid], ...waitingAtMost(LEDGER_GRACE_MS) })
        .catch(() => undefined)
    }
    signal.throwIfAborted()
    signal.addEventListener('abort', cancel)
    const {
      rows: [findings],
    } = await session
      .query<LedgerFindings>({ text: SUM_LEDGER, ...waitingAtMost(LEDGER_TIMEOUT_MS + LEDGER_GRACE_MS) })
      .finally(() => signal.removeEventListener('abort', cancel))
    await session.query('commit')
    if (!findings) throw new Error('the ledger check gave no row')
    return findings
  } catch (error) {
    broken = error instanceof Error ? error : new Error('the ledger check failed', { cause: error })
    throw error
  } finally {
    await cancelling
    // A cancellation may arrive late: nobody else shall get a connection that it could hit.
    session.release(signal.aborted ? new Error('the ledger check was stopped') : broken)
  }
}

// A full join, unlike the doctor's: an entry without an account is off too, here where nobody asks for each rule by
// itself.
const SUM_LEDGER = `
  with replayed as (${ENTRIES_REPLAYED}), compared as materialized (
    select coalesce(a.currency, '') as currency, coalesce(r.replayed, 0) as total_minor,
      a.balance_minor is distinct from coalesce(r.replayed, 0) as is_off
    from accounts a full join replayed r on r.account_id = a.id
  )
  select (select count(*)::int from compared where is_off) as "accountsOff",
    (select count(*)::int from (select from compared group by currency having sum(total_minor) <> 0) as unbalanced)
      as "currenciesOff"`
