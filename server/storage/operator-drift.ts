import type { Clock } from '../actions/ports/clock.ts'
import type { DriftRecord, OperatorDrift } from '../actions/ports/operator-exchanges.ts'
import { available, isUnavailable, type Pool } from './pool.ts'

/** After this time without drift, the operator's API counts as conforming to its contract again. */
export const DRIFT_KEPT_MS = 90 * 24 * 3600 * 1000

/**
 * An operator that deviates sends the same deviation many times a second: it is counted in memory and written at this
 * interval.
 */
const EVERY_MS = 5_000
/** Maximum number of distinct deviations that are held while the database is away; further ones are not counted. */
const WAITING_MAX = 1_000
/**
 * Maximum number of rows of one rail account. A contract has some hundred fields, and a hostile message may deviate in
 * each.
 */
export const DRIFT_ROWS_MAX = 200

interface StoredDrift extends DriftRecord {
  /** Shutdown: resolves when everything is stored, or lost because the database is away. */
  flushed(): Promise<void>
}

/** A row of the table. */
interface DriftCount extends Omit<OperatorDrift, 'railAccount'> {
  readonly rail_account: string
  readonly first_seen_at: Date
  last_seen_at: Date
  count: number
}

const KEY = 'rail_account, source, field, shape'
// Lock order: rows are upserted in key order, so two processes never deadlock.
const UPSERT = `
  with r as (
    select r.*, d.rail_account is not null as known from json_to_recordset($1) as r(rail_account text, source text,
      field text, shape text, first_seen_at timestamptz, last_seen_at timestamptz, count bigint)
    left join operator_drift d using (${KEY})),
  n as (select r.*, count(*) filter (where not known) over (partition by rail_account order by ${KEY}) as added from r)
  insert into operator_drift (${KEY}, first_seen_at, last_seen_at, count)
  select ${KEY}, first_seen_at, last_seen_at, count from n
  where known
    or added + (select count(*) from operator_drift d where d.rail_account = n.rail_account) <= ${DRIFT_ROWS_MAX}
  order by ${KEY}
  on conflict (${KEY}) do update set
    last_seen_at = greatest(operator_drift.last_seen_at, excluded.last_seen_at),
    count = operator_drift.count + excluded.count`

/**
 * Counts in memory and writes in batches, so no reply waits for it. While the database is away, the counts stay in
 * memory.
 * @param onLost called with the reason when counts could not be written
 */
export function createOperatorDrift(
  pool: Pick<Pool, 'query'>,
  clock: Clock,
  onLost: (error: unknown) => void,
  everyMs = EVERY_MS,
): StoredDrift {
  let waiting = new Map<string, DriftCount>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  function gather({ count, ...drift }: DriftCount): void {
    const key = JSON.stringify([drift.rail_account, drift.source, drift.field, drift.shape])
    const known = waiting.get(key)
    if (known) {
      known.count += count
      if (drift.last_seen_at > known.last_seen_at) known.last_seen_at = drift.last_seen_at
    } else if (waiting.size < WAITING_MAX) waiting.set(key, { ...drift, count })
    timer ??= setTimeout(() => void flush(), everyMs).unref()
  }

  async function write(): Promise<void> {
    const batch = [...waiting.values()]
    waiting = new Map()
    if (batch.length === 0) return
    try {
      await available(() => pool.query(UPSERT, [JSON.stringify(batch)]))
    } catch (error) {
      if (isUnavailable(error)) batch.forEach(gather)
      else onLost(error)
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    return writing
  }

  return {
    add({ railAccount, source, field, shape }) {
      const now = clock.now()
      gather({ rail_account: railAccount, source, field, shape, first_seen_at: now, last_seen_at: now, count: 1 })
    },
    flushed: flush,
  }
}
