import type pg from 'pg'
import type { LedgerFindings } from '../../actions/ports/figures.ts'
import type { Pool } from '../../storage/pool.ts'
import {
  beginDoubted,
  compareBalances,
  countOn,
  endRecount,
  isBalanced,
  noteBalanced,
  noteCandidate,
  readRecount,
  ripeCandidate,
  type Count,
  type LedgerMark,
} from './ledger-marks.ts'

/** Timeout of each statement, below the pool's query timeout. A slice takes a second, on one core of a busy machine. */
const STATEMENT_MS_MAX = 18_000
/** Interval of full recounts: only a recount finds a changed entry that was verified before. */
export const RECOUNT_MS = 24 * 60 * 60_000
/** Slices of a recount per check: the next check continues, so no check takes minutes. */
const SLICES_MAX = 20

/** Runs a part of the check in its own transaction. */
type InPart = <T>(run: (client: pg.PoolClient) => Promise<T>) => Promise<T>

/**
 * Compares every account's balance with the verified sums plus the entries since. Before it reports a mismatch it
 * recounts everything from the first entry. Without a mismatch it recounts everything once a day. Every part is a
 * short transaction; if a process dies, the next one continues. The signal stops the check.
 * @returns undefined while another process recounts a mismatch: the next check reports it
 */
export async function checkLedger(pool: Pool, now: Date, signal: AbortSignal): Promise<LedgerFindings | undefined> {
  const inPart: InPart = (run) => inStoppable(pool, signal, run)
  const { until, recount } = await inPart(async (client) => {
    await noteCandidate(client, now)
    return { until: (await ripeCandidate(client, now)).entryId, recount: await readRecount(client) }
  })
  // Nothing is verified before the first recount.
  if (!recount.endedAt) return recountToTheEnd(inPart, until, null, now)
  await countUpTo(inPart, 'verified', until, null)
  const findings = await inPart(compareBalances)
  if (!isBalanced(findings) && !recount.off) {
    await inPart(beginDoubted)
    return recountToTheEnd(inPart, until, recount.endedAt, now)
  }
  if (isBalanced(findings) && recount.off) await inPart(noteBalanced)
  if (!recount.isUnderWay && recount.endedAt.getTime() + RECOUNT_MS > now.getTime()) return findings
  const counted = await countUpTo(inPart, 'recount', until, recount.endedAt, SLICES_MAX)
  const ended = counted === 'done' && (await inPart((client) => endRecount(client, recount.endedAt, now)))
  return ended || findings
}

/**
 * Extends the verified sums, without comparing balances.
 * @returns the mark below which no further rows can appear
 */
export async function verifyOn(pool: Pool, now: Date): Promise<LedgerMark> {
  const inPart: InPart = (run) => inStoppable(pool, NEVER, run)
  const { until, recount } = await inPart(async (client) => {
    await noteCandidate(client, now)
    return { until: await ripeCandidate(client, now), recount: await readRecount(client) }
  })
  if (recount.endedAt) await countUpTo(inPart, 'verified', until.entryId, null)
  else await recountToTheEnd(inPart, until.entryId, null, now)
  return until
}

const NEVER = new AbortController().signal

async function recountToTheEnd(
  inPart: InPart,
  until: bigint,
  endedAt: Date | null,
  now: Date,
): Promise<LedgerFindings | undefined> {
  const counted = await countUpTo(inPart, 'recount', until, endedAt)
  const ended = counted === 'done' ? await inPart((client) => endRecount(client, endedAt, now)) : undefined
  if (ended || counted === 'busy') return ended
  return inPart(compareBalances) // another process finished first
}

async function countUpTo(
  inPart: InPart,
  count: Count,
  until: bigint,
  endedAt: Date | null,
  slicesMax = Number.POSITIVE_INFINITY,
): Promise<Awaited<ReturnType<typeof countOn>>> {
  let result: Awaited<ReturnType<typeof countOn>> = 'counted'
  for (let slice = 0; result === 'counted' && slice <= slicesMax; slice += 1)
    result = await inPart((client) => countOn(client, count, until, endedAt))
  return result
}

/** Runs it in a transaction; the signal cancels the current statement. */
async function inStoppable<T>(pool: Pool, signal: AbortSignal, run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const session = await pool.connect()
  let cancelling: Promise<unknown> | undefined
  let broken: Error | undefined
  try {
    await session.query('begin isolation level read committed')
    // No parallel workers: a check may take its time, and payments need the other cores. No index scans except bitmap
    // scans of the id index, which leads to adjacent pages.
    await session.query(
      `set local statement_timeout = ${STATEMENT_MS_MAX}; set local lock_timeout = ${STATEMENT_MS_MAX};
         set local max_parallel_workers_per_gather = 0; set local enable_indexscan = off; set local work_mem = '64MB'`,
    )
    const {
      rows: [backend],
    } = await session.query<{ pid: number }>('select pg_backend_pid() as pid')
    // Closing the connection would not end the statement: pg waits for the statement that it sent.
    const cancel = () => {
      cancelling = pool.query('select pg_cancel_backend($1)', [backend?.pid]).catch(() => undefined)
    }
    signal.throwIfAborted()
    signal.addEventListener('abort', cancel)
    const result = await run(session).finally(() => signal.removeEventListener('abort', cancel))
    // Behind a pooler another client has the session after the commit.
    await cancelling
    await session.query('commit')
    return result
  } catch (error) {
    broken = error instanceof Error ? error : new Error('the ledger check failed', { cause: error })
    throw error
  } finally {
    await cancelling
    // A cancellation may arrive late: no other client may get a connection that it could hit.
    session.release(signal.aborted ? new Error('the ledger check was stopped') : broken)
  }
}
