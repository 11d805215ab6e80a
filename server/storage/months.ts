import { StorageUnavailable } from '../actions/ports/store.ts'
import { present } from '../domain/present.ts'
import { available, type Pool, inTransaction, type Queryable } from './pool.ts'
import { FIRST_MONTH, idBound } from './time-ids.ts'

/** A month of the history: the transactions accepted in it, with everything that belongs to them. */
export interface Month {
  /** `2026-11`, in UTC. */
  readonly name: string
  readonly from: Date
  readonly until: Date
}

const monthStarting = (from: Date): Month => ({
  name: from.toISOString().slice(0, 7),
  from,
  until: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1)),
})

/** The month of this time; undefined for the times before the first month, which share one partition. */
export const monthOf = (at: Date): Month | undefined =>
  at < FIRST_MONTH ? undefined : monthStarting(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)))

/** The month of this time and the following ones. */
export function monthsAhead(at: Date, count: number): Month[] {
  const first = monthOf(at) ?? monthStarting(FIRST_MONTH)
  return Array.from({ length: count + 1 }, (_, n) =>
    monthStarting(new Date(Date.UTC(first.from.getUTCFullYear(), first.from.getUTCMonth() + n, 1))),
  )
}

/** How many months are created in advance. */
export const MONTHS_AHEAD = 6
/** Fewer months than this are reported: the task that creates them is not running. */
export const MONTHS_AHEAD_MIN = 3

interface HistoryTable {
  readonly name: string
  /**
   * DDL for each partition beyond what it inherits from its table.
   * @param partition its name
   */
  readonly own?: (partition: string) => readonly string[]
  /**
   * Leaves space on a page for HOT updates, which touch no index; in percent filled. A whole batch is updated in one
   * commit, so most rows of a page need space at once: about half of each page instead of 15 and 25 % saves 900 bytes
   * of WAL for each payment (one index entry and one full row less for every update that stays on its page) and costs
   * 160 bytes on disk. 52 and 57 hold one row more of the usual length than 50 and 55: 92 bytes on disk less for
   * 18 bytes of WAL more.
   */
  readonly fillfactor?: number
}

const appendOnly = (partition: string): readonly string[] => [
  `create trigger append_only before update or delete or truncate on ${partition}
     for each statement execute function refuse_change()`,
]

/** The tables of the history, in lock order: the order in which payments lock them. */
export const HISTORY: readonly HistoryTable[] = [
  {
    name: 'transactions',
    fillfactor: 52,
    // Unique within its month. The reference contains the time of the payment; a global unique index would have to span
    // all months.
    own: (partition) => [`create unique index ${partition}_internal_reference on ${partition} (internal_reference)`],
  },
  { name: 'callbacks', fillfactor: 57 },
  { name: 'callback_attempts' },
  { name: 'transaction_events', own: appendOnly },
  { name: 'transfers', own: appendOnly },
  { name: 'entries', own: appendOnly },
]

/**
 * The name of a table's partition.
 * @param month in the format of `Month.name`
 */
export const partitionOf = (table: string, month: string): string => `${table}_${month.replace('-', '_')}`

/** Attaches the partition instead of creating it in place, which would take an exclusive lock on the whole table. */
function createTable({ name, own, fillfactor = 100 }: HistoryTable, month: Month): readonly string[] {
  const partition = partitionOf(name, month.name)
  return [
    `create table ${partition} (like ${name} including defaults including constraints) with (fillfactor = ${fillfactor})`,
    ...(own?.(partition) ?? []),
    `alter table ${name} attach partition ${partition} for values from (${idBound(month.from)}) to (${idBound(month.until)})`,
  ]
}

/**
 * Creates the missing months, all of them or none. Of two concurrent calls, one creates them and the other waits for
 * it. If all months exist, it only reads.
 * @throws MonthMissing when the role may not create them
 */
export async function ensureMonthsWithin(client: Queryable, months: readonly Month[], now: Date): Promise<void> {
  const missing = await monthsToCreate(client, months)
  for (const month of months) if (missing.includes(month.name)) await createMonth(client, month, now)
}

async function createMonth(client: Queryable, month: Month, now: Date): Promise<void> {
  const { rowCount } = await client.query(
    `insert into history_months (month, from_id, until_id, created_at) values ($1, $2, $3, $4) on conflict do nothing`,
    [month.name, idBound(month.from), idBound(month.until), now],
  )
  if (rowCount !== 0) await client.query(HISTORY.flatMap((table) => createTable(table, month)).join(';\n'))
}

/** @throws MonthMissing when months are missing and this role may not create them */
async function monthsToCreate(client: Queryable, months: readonly Month[]): Promise<readonly string[]> {
  const { missing, mayCreate } = await pollForMonths(client, months)
  const [first] = missing
  if (first !== undefined && !mayCreate) throw new MonthMissing(first)
  return missing
}

/**
 * There is no partition for what is accepted in this month, and the role may not create one. Nothing is accepted, and
 * a client that retries later loses nothing.
 */
export class MonthMissing extends StorageUnavailable {
  override readonly name = 'MonthMissing'
  override readonly message: string

  constructor(month: string) {
    super(undefined)
    this.message = `the database has no partitions for ${month}, and this role may not create them: malipo months does, with MIGRATION_DATABASE_URL`
  }
}

/**
 * Creates each missing month in its own commit.
 * @returns the names of the months that were missing
 * @throws StorageUnavailable, MonthMissing
 */
export async function ensureMonths(pool: Pool, months: readonly Month[], now: Date): Promise<readonly string[]> {
  const missing = await available(() => monthsToCreate(pool, months))
  for (const month of months)
    if (missing.includes(month.name)) await inTransaction(pool, (client) => createMonth(client, month, now))
  return missing
}

interface MonthsFound {
  readonly missing: readonly string[]
  /** Whether this role may create months: the runtime role may not (`runtime-rights.ts`). */
  readonly mayCreate: boolean
}

export async function pollForMonths(client: Queryable, months: readonly Month[]): Promise<MonthsFound> {
  const { rows } = await client.query<MonthsFound>({
    name: 'missing-months',
    text: `select has_table_privilege('history_months', 'insert') as "mayCreate", array(
             select name from unnest($1::text[]) as wanted(name)
             where not exists (select from history_months where month = name)) as missing`,
    values: [months.map(({ name }) => name)],
  })
  return present(rows[0], 'what months are missing')
}

/**
 * The number of consecutive months that exist after the current one; -1 when the current one is missing. Counts up to
 * MONTHS_AHEAD.
 */
export async function countMonthsAhead(client: Queryable, now: Date): Promise<number> {
  const months = monthsAhead(now, MONTHS_AHEAD)
  const { missing } = await pollForMonths(client, months)
  const first = months.findIndex(({ name }) => missing.includes(name))
  return (first === -1 ? months.length : first) - 1
}

/** Creates those of the months that are missing. Rejects with StorageUnavailable, MonthMissing. */
export type MakeMonths = (months: readonly Month[], now: Date) => Promise<unknown>

/**
 * Called before anything is accepted. If this process can create months, no payment is refused because the task that
 * creates them in advance did not run.
 * @returns resolves when the months of these times exist; at once when they are known to exist
 */
export function createMonths(make: MakeMonths): (moments: readonly Date[]) => Promise<void> {
  const known = new Set<string>()
  let latest: Month | undefined
  const isKnown = (at: Date): boolean => {
    if (latest && at >= latest.from && at < latest.until) return true
    const month = monthOf(at)
    if (month && !known.has(month.name)) return false
    latest = month ?? latest
    return true
  }
  return async (moments) => {
    for (const at of moments) {
      const month = isKnown(at) ? undefined : monthOf(at)
      if (!month) continue
      await make([month], at)
      known.add(month.name)
    }
  }
}
