import type pg from 'pg'
import type { LedgerFindings } from '../../actions/ports/figures.ts'
import type { Pool } from '../pool.ts'
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
  type Given,
} from './ledger-marks.ts'

/** Each statement; less than a pool waits for an answer. A slice takes a second, on one core of a busy machine. */
const STATEMENT_MS_MAX = 18_000
/** What was verified is counted again so often: an entry that was changed is found by nothing else. */
export const RECOUNT_MS = 24 * 60 * 60_000
/** How many slices of such a recount one check makes: the next check goes on, and none takes minutes. */
const SLICES_MAX = 20

/** Runs a part of the check in a transaction of its own. */
type InPart = <T>(run: (client: pg.PoolClient) => Promise<T>) => Promise<T>

/**
 * Holds every account's balance against what was verified and the entries since. What is off is counted again from the
 * first entry on before it is told; without such a reason everything is counted again once a day. Every part is a short
 * transaction, and a process that dies leaves the next one to go on. The signal ends it.
 * @returns undefined while another process counts again what looks off: the next check tells
 */
export async function checkLedger(pool: Pool, now: Date, signal: AbortSignal): Promise<LedgerFindings | undefined> {
  const inPart: InPart = (run) => inStoppable(pool, signal, run)
  const { until, recount } = await inPart(async (client) => {
    await noteCandidate(client, now)
    return { until: (await ripeCandidate(client, now)).entryId, recount: await readRecount(client) }
  })
  // Before the first recount nothing is verified.
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
 * Brings what was verified up to date, without holding balances against it.
 * @returns up to where everything is there that will ever be
 */
export async function verifyOn(pool: Pool, now: Date): Promise<Given> {
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
  return inPart(compareBalances) // another process was through first
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

/** Runs it in a transaction; the signal cancels the statement that is under way. */
async function inStoppable<T>(pool: Pool, signal: AbortSignal, run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const session = await pool.connect()
  let cancelling: Promise<unknown> | undefined
  let broken: Error | undefined
  try {
    await session.query('begin isolation level read committed')
    // No helpers: a check may take its time, payments need the other cores. Only by the index on ids, which is the one
    // that leads to pages that lie together.
    await session.query(
      `set local statement_timeout = ${STATEMENT_MS_MAX}; set local lock_timeout = ${STATEMENT_MS_MAX};
         set local max_parallel_workers_per_gather = 0; set local enable_indexscan = off; set local work_mem = '64MB'`,
    )
    const {
      rows: [backend],
    } = await session.query<{ pid: number }>('select pg_backend_pid() as pid')
    // To end the connection would not end the statement: pg waits for what it has sent.
    const cancel = () => {
      cancelling = pool.query('select pg_cancel_backend($1)', [backend?.pid]).catch(() => undefined)
    }
    signal.throwIfAborted()
    signal.addEventListener('abort', cancel)
    const result = await run(session).finally(() => signal.removeEventListener('abort', cancel))
    // Behind a pooler somebody else has the session after the commit.
    await cancelling
    await session.query('commit')
    return result
  } catch (error) {
    broken = error instanceof Error ? error : new Error('the ledger check failed', { cause: error })
    throw error
  } finally {
    await cancelling
    // A cancellation may arrive late: nobody else shall get a connection that it could hit.
    session.release(signal.aborted ? new Error('the ledger check was stopped') : broken)
  }
}
