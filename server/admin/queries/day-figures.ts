import type { OrderType } from '../../domain/provider.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'
import { codeOf } from '../../storage/driver-errors.ts'
import { inTransaction, type Pool, type Queryable } from '../../storage/pool.ts'
import { forStatements, long } from './statements/bounds.ts'
import { idsOfPeriod } from './transactions.ts'

// Counts the payments of each day once the day is over, and remembers the result. It is exact:
//
// 1. Whatever stores or changes a payment of a day that is over leaves a row in day_changes, by trigger, in its commit.
//    While there is one, the figures of that day are not used. Counting again removes those that it has seen.
// 2. What changed a payment before the end of its day may commit after it, without a row. So a day first gets a
//    transaction id that is above theirs, and is counted once no transaction below that id runs any more.
// 3. One process counts at a time: the lock is taken before the snapshot.

const DAY_MS = 24 * 3_600_000
/** How often a process looks for days to count. */
export const COUNT_DAYS_MS = 60_000
/** Those from before these figures wait for the next runs. */
const DAYS_AT_ONCE_MAX = 10

/** Sums of payments that are alike. */
export interface Figure {
  /** `2026-11-20`, in UTC. */
  readonly day: string
  readonly provider_code: string
  readonly type: OrderType
  readonly currency: string
  readonly status: TransactionStatus
  readonly payments: number
  readonly amount_minor: bigint
  /** Zero for what moved no money. */
  readonly charge_minor: bigint
}

/** Runs a query, with the timeouts of whoever reads. */
export type Read = <Row extends object>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>

/** With the timeouts of statements, for a client within a transaction of them. */
export const readLong =
  (client: Queryable): Read =>
  async <Row extends object>(text: string, values: readonly unknown[]) =>
    (await client.query<Row>(long(text, values))).rows

const COUNT = `
  select to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, t.provider_code, t.type, t.currency, t.status,
    count(*)::int as payments, sum(t.amount_minor)::bigint as amount_minor,
    sum(case when t.status in ('FAILED', 'CANCELLED') then 0 else t.charge_minor end)::bigint as charge_minor
  from transactions t where t.id >= $1 and t.id < $2 and t.created_at >= $3 and t.created_at < $4
    and ($5::bigint is null or t.merchant_id = $5) and t.type <> 'ATTEMPT'
  group by 1, 2, 3, 4, 5`

/** Counted from the payments. @param merchantId undefined for all merchants */
export function countFigures(read: Read, since: Date, until: Date, merchantId?: bigint): Promise<readonly Figure[]> {
  const { low, high } = idsOfPeriod(since, until)
  return read<Figure>(COUNT, [low, high, since, until, merchantId])
}

const REMEMBERED = `
  select to_char(d.day, 'YYYY-MM-DD') as day, f.* from day_figures d
    left join lateral json_to_recordset(d.figures) as f(provider_code text, type text, currency text, status text,
      payments int, amount_minor bigint, charge_minor bigint) on true
  where d.day >= $1 and d.day < $2 and d.figures is not null
    and not exists (select from day_changes c where c.day = d.day)`

/** Of all merchants: remembered where that is exact, and otherwise counted from the payments. */
export async function readFigures(read: Read, since: Date, until: Date): Promise<readonly Figure[]> {
  const [first, end] = [Math.ceil(since.getTime() / DAY_MS), Math.floor(until.getTime() / DAY_MS)]
  const days = [dayOf(first * DAY_MS), dayOf(Math.max(first, end) * DAY_MS)]
  const rows = await read<Figure | { readonly day: string; readonly provider_code: null }>(REMEMBERED, days)
  const known = new Set(rows.map(({ day }) => day))
  const figures = rows.filter((row) => row.provider_code !== null)
  let from = since.getTime()
  for (let day = first; day < end; day += 1) {
    if (!known.has(dayOf(day * DAY_MS))) continue
    if (from < day * DAY_MS) figures.push(...(await countFigures(read, new Date(from), new Date(day * DAY_MS))))
    from = (day + 1) * DAY_MS
  }
  return from < until.getTime() ? [...figures, ...(await countFigures(read, new Date(from), until))] : figures
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

// The clock of a machine that takes over may be behind: a day is over a little later.
const MARK_DAYS = `
  insert into day_figures (day) select day::date from
    lateral (select (clock_timestamp() at time zone 'UTC' - interval '5 minutes')::date as today) now,
    generate_series(coalesce((select max(day) + 1 from day_figures), today - 366), today - 1, interval '1 day') as day
  on conflict do nothing`

// A transaction id beyond those of this cluster comes from another cluster, whose dump was restored here.
const NEXT_DAY = `
  select d.day::text from day_figures d, pg_current_snapshot() s
  where (d.figures is null or exists (select from day_changes c where c.day = d.day))
    and (d.after_xid < pg_snapshot_xmin(s) or d.after_xid >= pg_snapshot_xmax(s))
  order by d.day desc limit 1`

/** Counts some of the days that are over and have no exact figures, the latest first. For one process at a time. */
export async function countDays(pool: Pool): Promise<void> {
  await pool.query(MARK_DAYS)
  for (let days = 0; days < DAYS_AT_ONCE_MAX; days += 1) if (!(await countNextDay(pool))) return
}

/** @returns whether there was one; not when another process is at it */
const countNextDay = (pool: Pool): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    await client.query('set transaction isolation level repeatable read')
    await forStatements(client)
    await client.query('lock table day_figures in share update exclusive mode nowait')
    const [next] = (await client.query<{ day: string }>(NEXT_DAY)).rows
    if (!next) return false
    const from = new Date(`${next.day}T00:00:00Z`)
    const until = new Date(from.getTime() + DAY_MS)
    const figures = await countFigures(readLong(client), from, until)
    const json = JSON.stringify(figures, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
    await client.query('update day_figures set figures = $2 where day = $1', [next.day, json])
    await client.query('delete from day_changes where day = $1', [next.day])
    return true
  }).catch((error: unknown) => {
    if (codeOf(error) === LOCKED || codeOf((error as Error).cause) === LOCKED) return false
    throw error
  })

/** lock_not_available. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const LOCKED = '55P03'
