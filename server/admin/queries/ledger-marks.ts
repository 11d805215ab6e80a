import type { LedgerFindings } from '../../actions/ports/figures.ts'
import { present } from '../../domain/present.ts'
import type { Queryable } from '../../storage/pool.ts'

// Two running counts of all entries from the first on, each with every account's sum up to its mark: balances are
// compared with `verified`, and `recount` replaces it once it is complete.

export type Count = 'verified' | 'recount'

/** Adds entries in slices of this many ids: a slice takes about a second. */
export const SLICE_IDS = 2_000_000n

/**
 * A sequence assigns an id before its transaction commits, so lower ids than the highest may still appear. None
 * appears this late: statements and idle transactions of payments end within seconds, staff commands within ten
 * minutes. If one does appear later, the next comparison finds a mismatch on its account, and the recount that follows
 * corrects it.
 */
export const COMMITTED_AFTER_MS = 15 * 60_000

/** Stores the highest assigned ids, as a later mark; deletes those that are no longer needed. */
export async function noteCandidate(client: Queryable, now: Date): Promise<void> {
  await client.query(
    `insert into ledger_candidates (id, event_id, link_seq, noted_at)
       select e.id, v.id, (select coalesce(max(seq), 0) from ledger_links), $1 from (${givenOf('entries_ids')}) e cross join (${givenOf('transaction_events_ids')}) v on conflict do nothing`,
    [now],
  )
  await client.query(
    `delete from ledger_candidates c using (${RIPE_CANDIDATE}) ripe
     where c.noted_at <= $1 and (c.id < ripe."entryId" or c.event_id < ripe."eventId")`,
    [committedBefore(now)],
  )
}

/** Ids of the sequences of entries and of events, and the last link of the chain at that time. */
export interface LedgerMark {
  readonly entryId: bigint
  readonly eventId: bigint
  /** Rows with a higher id are in a later link. */
  readonly linkSeq: bigint
}

/** The highest ids below which no further rows can appear. */
export async function ripeCandidate(client: Queryable, now: Date): Promise<LedgerMark> {
  const { rows } = await client.query<LedgerMark>(RIPE_CANDIDATE, [committedBefore(now)])
  return present(rows[0], 'a candidate')
}

const givenOf = (sequence: string): string =>
  `select case when is_called then last_value else last_value - 1 end as id from ${sequence}`

const committedBefore = (now: Date): Date => new Date(now.getTime() - COMMITTED_AFTER_MS)
const RIPE_CANDIDATE = `
  select coalesce(max(id), 0) as "entryId", coalesce(max(event_id), 0) as "eventId",
    coalesce(max(link_seq), 0) as "linkSeq" from ledger_candidates
  where noted_at <= $1`

interface Recount {
  /** End of the last complete recount; null before the first. */
  readonly endedAt: Date | null
  /** The recount was started because of a mismatch. */
  readonly doubted: boolean
  /** The last recount found a mismatch. */
  readonly off: boolean
  readonly isUnderWay: boolean
}

export async function readRecount(client: Queryable): Promise<Recount> {
  const { rows } = await client.query<Recount>(
    `select ended_at as "endedAt", doubted, off, upto > 0 or doubted as "isUnderWay" from ledger_marks
     where kind = 'recount'`,
  )
  return present(rows[0], 'the mark of the recount')
}

/**
 * Adds the next entries to a count, within the caller's transaction.
 * @param until the mark goes no further than this
 * @param endedAt identifies the recount that the caller takes part in
 * @returns `busy` when another process is counting, `ended` when another process has finished this recount
 */
export async function countOn(
  client: Queryable,
  count: Count,
  until: bigint,
  endedAt: Date | null,
): Promise<'counted' | 'done' | 'busy' | 'ended'> {
  const { rows } = await client.query<{ upto: bigint; ended_at: Date | null }>(
    'select upto, ended_at from ledger_marks where kind = $1 for update skip locked',
    [count],
  )
  const mark = rows[0]
  if (!mark) return 'busy'
  if (count === 'recount' && mark.ended_at?.getTime() !== endedAt?.getTime()) return 'ended'
  if (mark.upto >= until) return 'done'
  const upto = mark.upto + SLICE_IDS < until ? mark.upto + SLICE_IDS : until
  await client.query(
    `insert into ledger_sums (kind, account_id, minor)
     select $1, account_id, sum(amount_minor) from entries where id > $2 and id <= $3 group by account_id
     on conflict (kind, account_id) do update set minor = ledger_sums.minor + excluded.minor`,
    [count, mark.upto, upto],
  )
  await client.query('update ledger_marks set upto = $2 where kind = $1', [count, upto])
  return 'counted'
}

/** Restarts the recount at the first entry: entries counted so far may have changed since. */
export async function beginDoubted(client: Queryable): Promise<void> {
  const { rowCount } = await client.query(
    `update ledger_marks set upto = 0, doubted = true where kind = 'recount' and not doubted`,
  )
  if (rowCount !== 0) await client.query(`delete from ledger_sums where kind = 'recount'`)
}

/**
 * Replaces the verified sums with the recount's, and compares balances with them.
 * @returns undefined when another process has done so
 */
export async function endRecount(
  client: Queryable,
  endedAt: Date | null,
  now: Date,
): Promise<LedgerFindings | undefined> {
  // In the lock order of restartCounts.
  const { rows } = await client.query<{ ended_at: Date | null }>(
    `select ended_at from ledger_marks where kind = 'recount' for update`,
  )
  if (rows[0]?.ended_at?.getTime() !== endedAt?.getTime()) return undefined
  await client.query(`select from ledger_marks where kind = 'verified' for update`)
  await client.query(`delete from ledger_sums where kind = 'verified'`)
  await client.query(`update ledger_sums set kind = 'verified' where kind = 'recount'`)
  await client.query(
    `update ledger_marks set upto = (select upto from ledger_marks where kind = 'recount') where kind = 'verified'`,
  )
  const findings = await compareBalances(client)
  await client.query(
    `update ledger_marks set upto = 0, doubted = false, ended_at = $1, off = $2 where kind = 'recount'`,
    [now, !isBalanced(findings)],
  )
  return { ...findings, recountedAt: now }
}

/** Clears the mismatch of the last recount. */
export async function noteBalanced(client: Queryable): Promise<void> {
  await client.query(`update ledger_marks set off = false where kind = 'recount' and off`)
}

/**
 * Resets every count to the first entry in the database. Archived entries are represented by opening entries. Whoever
 * removes entries calls this first, in the same transaction and before it locks entries, because counts lock their
 * mark first. After the caller's commit the next ledger check counts from there.
 */
export async function restartCounts(client: Queryable): Promise<void> {
  for (const count of ['recount', 'verified'] satisfies Count[]) {
    await client.query(
      `update ledger_marks set upto = 0, ended_at = null, doubted = false, off = false where kind = $1`,
      [count],
    )
    await client.query('delete from ledger_sums where kind = $1', [count])
  }
}

export const isBalanced = ({ accountsOff, currenciesOff }: LedgerFindings): boolean => accountsOff + currenciesOff === 0

/** The expected balance of each account: the verified sum plus the later entries. @param mark an SQL expression */
export const replayedSince = (mark: string): string =>
  `select account_id, sum(minor) as replayed from (
     select account_id, minor from ledger_sums where kind = 'verified'
     union all
     select account_id, sum(amount_minor) from entries where id > ${mark} group by account_id
   ) as counted group by account_id`

export async function readVerifiedUpto(client: Queryable): Promise<bigint> {
  const { rows } = await client.query<{ upto: bigint }>(`select ${VERIFIED_MARK} as upto`)
  return present(rows[0], 'the mark').upto
}

const VERIFIED_MARK = `(select upto from ledger_marks where kind = 'verified')`

/** One statement, and so one snapshot: a concurrent commit cannot make the books look wrong. */
export async function compareBalances(client: Queryable): Promise<LedgerFindings> {
  const { rows } = await client.query<LedgerFindings>(COMPARE_BALANCES)
  return present(rows[0], 'a comparison')
}

// A full join, unlike the doctor's: an entry without an account is a mismatch here too, because nothing else checks
// that rule here.
const COMPARE_BALANCES = `
  with replayed as (${replayedSince(VERIFIED_MARK)}), compared as materialized (
    select coalesce(a.currency, '') as currency, coalesce(r.replayed, 0) as total_minor,
      a.balance_minor is distinct from coalesce(r.replayed, 0) as is_off
    from accounts a full join replayed r on r.account_id = a.id
  )
  select (select count(*)::int from compared where is_off) as "accountsOff",
    (select count(*)::int from (select from compared group by currency having sum(total_minor) <> 0) as unbalanced)
      as "currenciesOff",
    (select ended_at from ledger_marks where kind = 'recount') as "recountedAt"`
