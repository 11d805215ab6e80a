import { inTransaction, type Connections, type Queryable } from './pool.ts'

// Merchants read what their callbacks told in an order without gaps. A sequence cannot give it: it assigns a number
// before the commit, so a reader that has seen 7 may miss a 6 that commits later. So callbacks get their numbers after
// their commit, by whoever holds the lock of one row: a callback that commits late gets a later number.

/** How often a process polls for callbacks to number. */
export const NUMBERING_MS = 2_000
const BATCH_MAX = 1_000
/** Maximum number of batches per run: a backlog waits for the next runs. */
const BATCHES_AT_ONCE_MAX = 50

/** Numbers the callbacks that are committed by now, unless another process is at it. */
export async function numberEvents(pool: Connections): Promise<void> {
  for (let batches = 0; batches < BATCHES_AT_ONCE_MAX; batches += 1)
    if ((await inTransaction(pool, numberBatch)) < BATCH_MAX) return
}

async function numberBatch(client: Queryable): Promise<number> {
  const { rowCount } = await client.query('select from merchant_event_turn for update skip locked')
  if (rowCount === 0) return 0
  const { rowCount: numbered } = await client.query({ name: 'number-events', text: NUMBER_EVENTS, values: [BATCH_MAX] })
  return numbered ?? 0
}

// By id: of two callbacks of one payment, that of its failure has the lower one.
const NUMBER_EVENTS = `
  with taken as materialized (
    delete from unnumbered_callbacks where callback_id = any(array(
      select callback_id from unnumbered_callbacks order by callback_id limit $1))
    returning callback_id
  ), fresh as materialized (
    select c.id, c.merchant_id, row_number() over (partition by c.merchant_id order by c.created_at, c.id) as place
    from taken join callbacks c on c.id = taken.callback_id
  ), counted as (
    insert into merchant_event_counts (merchant_id, last)
    select merchant_id, max(place) from fresh group by merchant_id
    on conflict (merchant_id) do update set last = merchant_event_counts.last + excluded.last
    returning merchant_id, last
  )
  insert into merchant_events (merchant_id, number, callback_id)
  select f.merchant_id, c.last - max(f.place) over (partition by f.merchant_id) + f.place, f.id
  from fresh f join counted c using (merchant_id)`

/**
 * Removes the events of callbacks with these ids, and those that have a lower number: what is left has no gap.
 * @param until the first id that stays
 */
export const ARCHIVE_EVENTS = `
  with gone as (
    select merchant_id, max(number) as upto from merchant_events where callback_id >= $1 and callback_id < $2
    group by merchant_id
  ), marked as (
    update merchant_event_counts c set archived = greatest(archived, upto) from gone where gone.merchant_id = c.merchant_id
  )
  delete from merchant_events e using gone where e.merchant_id = gone.merchant_id and e.number <= gone.upto`
