import type { LedgerFindings } from '../../actions/ports/figures.ts'
import { present } from '../../domain/present.ts'
import type { Queryable } from '../pool.ts'

// Two counts of all entries from the first on, each with the sum of every account up to its mark: `verified`, which
// balances are held against, and `recount`, which takes its place when it is through.

export type Count = 'verified' | 'recount'

/** Entries whose ids lie within so many are added at a time: a second or so. */
export const SLICE_IDS = 2_000_000n

/**
 * An id is given before its transaction commits, so lower ones than the highest may still appear. None does so long
 * after: statements and idle transactions of payments end within seconds, an operator's commands within ten minutes. If
 * one does come later, the next comparison finds its account off, and the recount that follows puts it right.
 */
export const COMMITTED_AFTER_MS = 15 * 60_000

/** Notes the highest id that was given, as a mark for later; forgets those that have served. */
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

/** Ids of the sequences of entries and of events, and the last link of the chain then. */
export interface Given {
  readonly entryId: bigint
  readonly eventId: bigint
  /** What has a higher id than those is in a later link. */
  readonly linkSeq: bigint
}

/** The highest ids up to which everything is there that will ever be. */
export async function ripeCandidate(client: Queryable, now: Date): Promise<Given> {
  const { rows } = await client.query<Given>(RIPE_CANDIDATE, [committedBefore(now)])
  return present(rows[0], 'a candidate')
}

const givenOf = (sequence: string): string =>
  `select case when is_called then last_value else last_value - 1 end as id from ${sequence}`

const committedBefore = (now: Date): Date => new Date(now.getTime() - COMMITTED_AFTER_MS)
const RIPE_CANDIDATE = `
  select coalesce(max(id), 0) as "entryId", coalesce(max(event_id), 0) as "eventId",
    coalesce(max(link_seq), 0) as "linkSeq" from ledger_candidates
  where noted_at <= $1`

export interface Recount {
  /** When the last one was through; null before the first. */
  readonly endedAt: Date | null
  /** This one was begun because a balance was off. */
  readonly doubted: boolean
  /** The last one has found a balance off. */
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
 * @param until its mark goes no further
 * @param endedAt of the recount that the caller takes part in
 * @returns `busy` when another process is at it, `ended` when another has brought this recount to its end
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

/** What was counted may have been counted before something changed: again, from the first entry on. */
export async function beginDoubted(client: Queryable): Promise<void> {
  const { rowCount } = await client.query(
    `update ledger_marks set upto = 0, doubted = true where kind = 'recount' and not doubted`,
  )
  if (rowCount !== 0) await client.query(`delete from ledger_sums where kind = 'recount'`)
}

/**
 * The recount takes the place of what was verified, and balances are held against it.
 * @returns undefined when another process has done so
 */
export async function endRecount(
  client: Queryable,
  endedAt: Date | null,
  now: Date,
): Promise<LedgerFindings | undefined> {
  // In the order in which restartCounts locks them.
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

/** What the last recount has found is over. */
export async function noteBalanced(client: Queryable): Promise<void> {
  await client.query(`update ledger_marks set off = false where kind = 'recount' and off`)
}

/**
 * Where every count begins: at the first entry that is in the database. What was archived is in it with opening entries,
 * so whoever takes entries away calls this first, in the same transaction: before it locks entries, because counts lock
 * their mark first. The caller's commit lets the next ledger check count from there.
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

/** What the balance of each account must be: what was verified, and the entries beyond. @param mark an expression */
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

/** In one statement, and so in one snapshot: what commits meanwhile cannot make the books look wrong. */
export async function compareBalances(client: Queryable): Promise<LedgerFindings> {
  const { rows } = await client.query<LedgerFindings>(COMPARE_BALANCES)
  return present(rows[0], 'a comparison')
}

// A full join, unlike the doctor's: an entry without an account is off too, here where nobody asks for each rule by
// itself.
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
