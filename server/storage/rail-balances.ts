import type { RailBalanceFigure } from '../actions/ports/figures.ts'
import { daysLeft, type AverageSpend, type BookedMoney } from '../domain/rail-balance.ts'
import { present } from '../domain/present.ts'
import { available, type Pool } from './pool.ts'

/** What is known of a float when a query begins. */
export interface FloatBefore {
  readonly handedMinor: bigint
  readonly handedWhenReadMinor: bigint
  readonly spend?: AverageSpend
}

interface ClaimedRow {
  readonly handed_minor: bigint
  readonly handed_when_read_minor: bigint
  readonly spent_minor: bigint
  readonly spent_since: Date | null
  readonly checked_at: Date | null
}

/**
 * Claims a balance query, so that one process queries the operator on behalf of all, at most once in `everyMs`, and in
 * `waitedForMs` while payouts wait for a top-up.
 * @returns undefined when this process may not query now
 */
export const claimBalancePoll = (
  pool: Pool,
  railAccount: string,
  currency: string,
  now: Date,
  { everyMs, waitedForMs }: { readonly everyMs: number; readonly waitedForMs: number },
): Promise<FloatBefore | undefined> =>
  available(async () => {
    const { rows } = await pool.query<ClaimedRow>(
      `insert into rail_balances as b (rail_account, currency, asked_at) values ($1, $2, $3)
       on conflict (rail_account, currency) do update set asked_at = $3 where b.asked_at <= $4 or b.asked_at <= $5
         and exists (select from payout_waits where rail_account = $1 and reason = 'float')
       returning handed_minor, handed_when_read_minor, spent_minor, spent_since, checked_at`,
      [railAccount, currency, now, new Date(now.getTime() - everyMs), new Date(now.getTime() - waitedForMs)],
    )
    return rows.map(floatBefore)[0]
  })

const floatBefore = (row: ClaimedRow): FloatBefore => {
  const { spent_minor: spentMinor, spent_since: since, checked_at: readAt } = row
  return {
    handedMinor: row.handed_minor,
    handedWhenReadMinor: row.handed_when_read_minor,
    ...(since && readAt && { spend: { spentMinor, since, readAt } }),
  }
}

/** Kinds of the jobs whose orders a rail may already have paid. */
const OPEN_KINDS = ['submitToRail', 'pollRail', 'resolveUnknownOutcome', 'submitRefund', 'pollRefund', 'resolveRefund']

/** The balance that the operator should have, and what may have moved without our knowledge so far. */
export const bookedMoney = (pool: Pool, railAccount: string, currency: string): Promise<BookedMoney> =>
  available(async () => {
    const { rows } = await pool.query<BookedMoney>(
      `select (select coalesce(-sum(balance_minor), 0)::bigint from accounts
           where kind = 'rail' and currency = $2 and rail_account = $1) as "ledgerMinor",
         coalesce(sum(paid) filter (where type in ('COLLECTION', 'ATTEMPT')), 0)::bigint as "openInMinor",
         coalesce(sum(paid) filter (where type not in ('COLLECTION', 'ATTEMPT')), 0)::bigint as "openOutMinor"
       from (select distinct t.id, t.type,
           t.amount_minor + case when t.type <> 'PAYOUT' and t.charge_customer then t.charge_minor else 0 end as paid
         from jobs w join transactions t on t.id = w.subject_id
         where w.kind = any($3) and t.status = 'PROCESSING' and t.rail_account = $1) o`,
      [railAccount, currency, OPEN_KINDS],
    )
    return present(rows[0], 'the money of a rail account')
  })

/** The operator's balance from before we booked anything: determined at the first query, and never again. */
export const openingOf = (pool: Pool, railAccount: string, currency: string): Promise<bigint | undefined> =>
  available(async () => {
    const { rows } = await pool.query<{ opening_minor: bigint | null }>(
      'select opening_minor from rail_balances where rail_account = $1 and currency = $2',
      [railAccount, currency],
    )
    return rows[0]?.opening_minor ?? undefined
  })

export interface BalanceQuery {
  readonly railAccount: string
  readonly currency: string
  readonly ledgerMinor: bigint
  readonly operatorMinor: bigint
  readonly openingMinor: bigint
  readonly unexplainedMinor: bigint
  /** What payouts may take of it; absent: the operator does not say what it pays from. */
  readonly float?: PolledFloat
}

export interface PolledFloat {
  /** Without orders that may not be paid yet. */
  readonly floatMinor: bigint
  /** What had been handed over when the query began: what was since, is not in that balance, or may not be. */
  readonly handedMinor: bigint
  readonly spend: AverageSpend
  readonly lowMinor?: bigint
}

/** Stores a balance query. A difference that was already unexplained keeps the time since when it has been. */
export const saveBalancePoll = (pool: Pool, poll: BalanceQuery, now: Date): Promise<void> =>
  available(async () => {
    await pool.query(
      `update rail_balances set ledger_minor = $3, operator_minor = $4, opening_minor = $5, unexplained_minor = $6::bigint,
         unexplained_since = case when $6::bigint = 0 then null else coalesce(unexplained_since, $7) end, checked_at = $7,
         float_minor = $8::bigint - (handed_minor - $9::bigint), handed_when_read_minor = coalesce($9, handed_minor),
         spent_minor = coalesce($10, spent_minor), spent_since = $11, float_low_minor = $12
       where rail_account = $1 and currency = $2`,
      [
        poll.railAccount,
        poll.currency,
        poll.ledgerMinor,
        poll.operatorMinor,
        poll.openingMinor,
        poll.unexplainedMinor,
        now,
        poll.float?.floatMinor,
        poll.float?.handedMinor,
        poll.float?.spend.spentMinor,
        poll.float?.spend.since,
        poll.float?.lowMinor,
      ],
    )
  })

/** The latest balance query of each rail account in use. */
export async function railBalanceFigures(pool: Pool): Promise<readonly RailBalanceFigure[]> {
  const { rows } = await pool.query<Omit<RailBalanceFigure, 'daysLeft'> & FloatRow>({
    name: 'rail-balances',
    text: `select b.rail_account as "railAccount", b.currency, b.operator_minor - b.opening_minor - b.ledger_minor as "differenceMinor",
             b.unexplained_minor as "unexplainedMinor", b.checked_at as "checkedAt", b.float_minor as "floatMinor",
             b.float_low_minor as "lowMinor", b.spent_minor, b.spent_since
           from rail_balances b join rail_accounts i on i.name = b.rail_account and i.removed_at is null
           where b.checked_at is not null order by 1, 2`,
  })
  return rows.map(({ spent_minor: spentMinor, spent_since: since, ...row }) => ({
    ...row,
    daysLeft:
      row.floatMinor !== null && since
        ? daysLeft(row.floatMinor, { spentMinor, since, readAt: row.checkedAt })
        : undefined,
  }))
}

interface FloatRow {
  readonly spent_minor: bigint
  readonly spent_since: Date | null
}

/** An answer that comes later than this is not believed: the money has moved on. */
export const QUESTIONS_KEPT_MS = 60 * 60_000

/** What our books said when a question began: its answer is about that time, or later. */
export type MoneyWhenAsked = BookedMoney & Pick<FloatBefore, 'handedMinor'>

/** Stores a question about balances that the operator answers by a message. */
export const saveQuestion = (
  pool: Pool,
  railAccount: string,
  question: string,
  asked: MoneyWhenAsked,
  now: Date,
): Promise<void> =>
  available(async () => {
    await pool.query(
      `insert into rail_questions (rail_account, question, asked_at, ledger_minor, open_in_minor, open_out_minor,
         handed_minor) values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
      [railAccount, question, now, asked.ledgerMinor, asked.openInMinor, asked.openOutMinor, asked.handedMinor],
    )
  })

/** A question that was answered. */
interface AnsweredQuestion {
  /** Absent: a process of another release asked. */
  readonly asked?: MoneyWhenAsked
  readonly float?: FloatBefore
}

/** @returns undefined unless we asked this question, and it had no answer yet */
export const takeQuestion = (
  pool: Pool,
  railAccount: string,
  question: string,
): Promise<AnsweredQuestion | undefined> =>
  available(async () => {
    const { rows } = await pool.query<MoneyWhenAsked & ClaimedRow & { readonly is_known: boolean }>(
      `with q as (delete from rail_questions where rail_account = $1 and question = $2
         returning ledger_minor, open_in_minor, open_out_minor, handed_minor)
       select q.ledger_minor as "ledgerMinor", q.open_in_minor as "openInMinor", q.open_out_minor as "openOutMinor",
         q.handed_minor as "handedMinor", q.handed_minor, q.handed_minor is not null as is_known,
         b.handed_when_read_minor, b.spent_minor, b.spent_since, b.checked_at
       from q join rail_balances b on b.rail_account = $1 limit 1`,
      [railAccount, question],
    )
    return rows.map(({ is_known: isKnown, ...row }) => (isKnown ? { asked: row, float: floatBefore(row) } : {}))[0]
  })
