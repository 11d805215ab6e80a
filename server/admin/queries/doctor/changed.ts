import { FIRST_TIME_ID, ofPayment } from '../../../storage/time-ids.ts'
import type { Queryable } from '../../../storage/pool.ts'
import { readVerifiedUpto, replayedSince, type LedgerMark } from '../ledger-marks.ts'
import { CLAIMED_REFERENCE, LIMITED_TYPE } from './check.ts'

/** The ids after which rows are new, and the time of the last run that found no fault. */
interface DoctorMark extends LedgerMark {
  readonly cleanAt: Date
}

export async function readDoctorMark(client: Queryable): Promise<DoctorMark | undefined> {
  const { rows } = await client.query<DoctorMark>(
    'select entry_id as "entryId", event_id as "eventId", link_seq as "linkSeq", clean_at as "cleanAt" from doctor_mark',
  )
  return rows[0]
}

/** Never moves the mark back: another run may have ended first. */
export async function keepDoctorMark(
  client: Queryable,
  { entryId, eventId, linkSeq, cleanAt }: DoctorMark,
): Promise<void> {
  await client.query(
    `insert into doctor_mark (entry_id, event_id, link_seq, clean_at) values ($1, $2, $3, $4)
     on conflict (only_one) do update set entry_id = greatest(doctor_mark.entry_id, excluded.entry_id),
       event_id = greatest(doctor_mark.event_id, excluded.event_id),
       link_seq = greatest(doctor_mark.link_seq, excluded.link_seq),
       clean_at = greatest(doctor_mark.clean_at, excluded.clean_at)`,
    [entryId, eventId, linkSeq, cleanAt],
  )
}

/** The search path by which a check finds its tables. @param scope as in Check */
export const searchPath = (scope: 'changed' | 'all'): string =>
  `set local search_path = ${scope === 'changed' ? 'pg_temp, public' : 'public, pg_temp'}`

/**
 * Copies the rows of new and changed payments and transfers into temporary tables with the names of the original
 * tables: a check of single payments reads these instead. Call it at the beginning of a transaction with one snapshot;
 * the tables end with the transaction.
 */
export async function copyChanged(client: Queryable, given: LedgerMark): Promise<void> {
  // Forces index scans: the planner knows neither how few rows the id ranges hold nor how few of them are new.
  await client.query(
    'set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off',
  )
  const upto = await readVerifiedUpto(client)
  for (const [name, sql] of copies(given, upto)) {
    await client.query(`create temp table ${name} on commit drop as ${sql}; analyze pg_temp.${name}`)
  }
  await client.query('set local enable_seqscan = on; set local enable_hashjoin = on; set local enable_mergejoin = on')
}

/**
 * A payment from before time-based ids has its transfers and callbacks anywhere among the rows of that time: the
 * indexes of that partition find them.
 */
const OF_BEFORE = `c.id < ${FIRST_TIME_ID}`
const BEFORE_KINDS = `array['collection', 'clearing', 'reserve_release', 'payout_hold', 'payout', 'payout_release', 'payout_late',
  'refund_hold', 'refund', 'refund_release', 'refund_late']`

/**
 * Transfers that are new to the hash chain: whoever may append chooses the ids of entries, but not when they are
 * chained. A mark without a link is from before the chain, when everything was new to it.
 */
const newlyChained = (linkSeq: bigint): string =>
  `select unnest(transfer_ids) as transfer_id from public.ledger_links where seq > ${linkSeq} and ${linkSeq} > 0
     union select transfer_id from public.unchained_transfers where ${linkSeq} > 0`

const copies = (
  { entryId, eventId, linkSeq }: LedgerMark,
  upto: bigint,
): readonly (readonly [name: string, sql: string])[] => [
  ['replayed', replayedSince(String(upto))], // first, because it reads all entries
  ['changed_entries', `select transfer_id, id from public.entries where id > ${entryId}`],
  [
    'changed_transfers',
    `select r.id, r.transaction_id from (select transfer_id from changed_entries union ${newlyChained(linkSeq)}) e
       join public.transfers r on r.id = e.transfer_id`,
  ],
  [
    'changed',
    `select transaction_id as id from public.transaction_events where id > ${eventId}
     union select transaction_id from changed_transfers where transaction_id is not null`,
  ],
  ['transactions', `select t.* from changed c join public.transactions t on t.id = c.id`],
  [
    'transfers',
    `select r.* from changed c join public.transfers r on not ${OF_BEFORE} and ${ofPayment('r', 'c.id')}
     union select r.* from changed c cross join unnest(${BEFORE_KINDS}) k join public.transfers r on ${OF_BEFORE}
       and r.kind = k and r.transaction_id = c.id and r.id < ${FIRST_TIME_ID}
     union select r.* from changed_transfers c join public.transfers r on r.id = c.id`,
  ],
  [
    'entries',
    `select e.* from (select id from transfers union select transfer_id from changed_entries) r
       join public.entries e on e.transfer_id = r.id`,
  ],
  [
    'callbacks',
    `select k.* from changed c join public.callbacks k on not ${OF_BEFORE} and ${ofPayment('k', 'c.id')}
     union all select k.* from changed c join public.callbacks k on ${OF_BEFORE} and k.transaction_id = c.id
       and k.id < ${FIRST_TIME_ID}`,
  ],
  ['transaction_events', `select e.* from changed c join public.transaction_events e on e.transaction_id = c.id`],
  [
    'transaction_references',
    `select r.* from transactions t join public.transaction_references r on r.merchant_id = t.merchant_id
       and r.merchant_reference = ${CLAIMED_REFERENCE}`,
  ],
  [
    'limit_usage',
    `select u.* from transactions t join public.limit_usage u on u.provider_code = t.provider_code
       and u.transaction_type = ${LIMITED_TYPE} and u.account = t.account and u.transaction_id = t.id`,
  ],
  [
    'jobs',
    `select w.* from public.jobs w where w.subject_id in (select id from changed union select id from callbacks)`,
  ],
]
