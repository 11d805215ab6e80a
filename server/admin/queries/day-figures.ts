import type { OrderType } from '../../domain/provider.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'
import { codeOf } from '../../storage/driver-errors.ts'
import { inTransaction, type Pool, type Queryable } from '../../storage/pool.ts'
import { paymentsOfMerchant, SEARCH_MARK, searchKey } from '../../storage/search.ts'
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

/** Sums of payments that are alike. Absent are the columns that were not asked for. */
export interface Figure {
  /** `2026-11-20`, in UTC. */
  readonly day: string
  readonly merchant_id: bigint
  readonly provider_code: string
  readonly type: OrderType
  readonly currency: string
  readonly status: TransactionStatus
  readonly payments: number
  readonly amount_minor: bigint
  /** Zero for what moved no money. */
  readonly charge_minor: bigint
}

/** What figures tell apart. */
export const FIGURES_BY = ['provider_code', 'type', 'currency', 'status', 'day', 'merchant_id'] as const
type By = readonly (typeof FIGURES_BY)[number][]

interface Wanted {
  /** Absent: of all merchants. */
  readonly merchantId?: bigint | undefined
  readonly by: By
}

/** Runs a query, with the timeouts of whoever reads. */
export type Read = <Row extends object>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>

/** With the timeouts of statements, for a client within a transaction of them. */
export const readLong =
  (client: Queryable): Read =>
  async <Row extends object>(text: string, values: readonly unknown[]) =>
    (await client.query<Row>(long(text, values))).rows

const grouped = (by: By, from: string): string => `
  select ${by.join(', ')}, sum(payments)::int as payments, sum(amount_minor)::bigint as amount_minor,
    sum(charge_minor)::bigint as charge_minor
  from ${from} group by ${by.join(', ')}`

const OWN = `(${paymentsOfMerchant({ merchant: '$5', key: '$6', low: '$1', high: '$2', mark: '$7' })}) k
  cross join lateral (select * from transactions where id = k.id offset 0) t`

/** $1 and $2 is the range of ids, $3 and $4 the period, $5 a merchant, $6 the key of its search rows, $7 their mark. */
const countBy = (by: By, ofMerchant: boolean): string =>
  grouped(
    by,
    `(select to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, t.merchant_id, t.provider_code, t.type,
        t.currency, t.status, 1 as payments, t.amount_minor,
        case when t.status in ('FAILED', 'CANCELLED') then 0 else t.charge_minor end as charge_minor
      from ${ofMerchant ? OWN : 'transactions t'}
      where t.id >= $1 and t.id < $2 and t.created_at >= $3 and t.created_at < $4 and t.type not in ('ATTEMPT', 'RETURN')) f`,
  )

/** Counted from the payments; of one merchant from its own ones. */
export async function countFigures(
  read: Read,
  since: Date,
  until: Date,
  { merchantId, by }: Wanted,
): Promise<readonly Figure[]> {
  const { low, high } = idsOfPeriod(since, until)
  const values = [low, high, since, until]
  if (merchantId === undefined) return read<Figure>(countBy(by, false), values)
  const [mark] = await read<{ upto: bigint }>(SEARCH_MARK, [])
  return read<Figure>(countBy(by, true), [...values, merchantId, searchKey.merchant(merchantId), mark?.upto])
}

const columnOf = (column: string): string =>
  ({ payments: 'int', merchant_id: 'bigint', amount_minor: 'bigint', charge_minor: 'bigint' })[column] ?? 'text'
const REMEMBERED_COLUMNS = [...FIGURES_BY.filter((one) => one !== 'day'), 'payments', 'amount_minor', 'charge_minor']
/** @param json an SQL expression */
const recordsOf = (json: string): string =>
  `json_to_recordset(${json}) as f(${REMEMBERED_COLUMNS.map((name) => `${name} ${columnOf(name)}`).join(', ')})`

const OF_ALL: By = ['provider_code', 'type', 'currency', 'status']
const SET_FIGURES = `update day_figures set figures = (
  select coalesce(json_agg(f), '[]') from (${grouped(OF_ALL, recordsOf('$2'))}) f) where day = $1`

/** The days that are known, and their figures. */
const rememberedBy = (by: By, column: 'figures' | 'by_merchant'): string => `
  with known as materialized (
    select to_char(d.day, 'YYYY-MM-DD') as day, d.${column} from day_figures d
    where d.day >= $1 and d.day < $2 and d.${column} is not null
      and not exists (select from day_changes c where c.day = d.day)
  )
  select null as known, f.* from (${grouped(
    by,
    `known cross join lateral ${recordsOf(`known.${column}`)}
    where $3::bigint is null or merchant_id = $3`,
  )}) f
  union all select day, ${by.map(() => 'null').join(', ')}, null, null, null from known`

/** Remembered where that is exact, and otherwise counted from the payments. */
export async function readFigures(read: Read, since: Date, until: Date, wanted: Wanted): Promise<readonly Figure[]> {
  const { merchantId, by } = wanted
  const [first, end] = [Math.ceil(since.getTime() / DAY_MS), Math.floor(until.getTime() / DAY_MS)]
  const column = merchantId === undefined && !by.includes('merchant_id') ? 'figures' : 'by_merchant'
  const days = [dayOf(first * DAY_MS), dayOf(Math.max(first, end) * DAY_MS), merchantId]
  const rows = await read<Figure & { readonly known: string | null }>(rememberedBy(by, column), days)
  const known = new Set(rows.map((row) => row.known))
  const figures: Figure[] = rows.filter((row) => row.known === null)
  const count = async (from: number, to: number) =>
    figures.push(...(await countFigures(read, new Date(from), new Date(to), wanted)))
  let from = since.getTime()
  for (let day = first; day < end; day += 1) {
    if (!known.has(dayOf(day * DAY_MS))) continue
    if (from < day * DAY_MS) await count(from, day * DAY_MS)
    from = (day + 1) * DAY_MS
  }
  if (from < until.getTime()) await count(from, until.getTime())
  return figures
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
  where (d.figures is null or d.by_merchant is null and d.day > clock_timestamp() - interval '366 days' or exists (select from day_changes c where c.day = d.day))
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
    const figures = await countFigures(readLong(client), from, until, { by: FIGURES_BY })
    const json = JSON.stringify(figures, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
    // In this order: a trigger takes away what an older process would leave beside new figures.
    await client.query(SET_FIGURES, [next.day, json])
    await client.query('update day_figures set by_merchant = $2 where day = $1', [next.day, json])
    await client.query('delete from day_changes where day = $1', [next.day])
    return true
  }).catch((error: unknown) => {
    if (codeOf(error) === LOCKED || codeOf((error as Error).cause) === LOCKED) return false
    throw error
  })

/** lock_not_available. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const LOCKED = '55P03'
