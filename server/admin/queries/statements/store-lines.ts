import type { Queryable } from '../../../storage/pool.ts'
import { long } from './bounds.ts'
import { key, pairLines, type StatementImport } from './known-lines.ts'
import type { Source } from './staging.ts'

/** The result of one statement. */
export interface StoredLines {
  /** Movements that no earlier statement contained. */
  readonly newLines: bigint
  /** Stored lines without a fee, for which this statement contains one. */
  readonly reportedFees: bigint
  /** New entries that can be read only in part. */
  readonly unclear: bigint
  /** New lines that may duplicate a line of another statement. */
  readonly maybeRepeated: bigint
  /** New entries that report the reversal of a stored line. */
  readonly reversals: bigint
}

/** Maximum days between two lines that may be the same: one has the value day, the other the booking day. */
const DAYS_APART_MAX = 7

/** Stores the new lines of one statement, and what it adds to stored lines. */
export async function storeLines(client: Queryable, of: StatementImport, source: Source): Promise<StoredLines> {
  const run = async (text: string, ...values: readonly unknown[]): Promise<bigint> =>
    BigInt((await client.query(long(text, [source.source, ...values]))).rowCount ?? 0)
  await pairLines(client, of, source)
  const cleared = await run(`select ${PAIRED} and ${IS_READ_ANEW}`)
  await run(COMPLETE, of.railAccount)
  await run(WIDEN_PERIOD, source.period_from, source.period_to)
  const counted = await run(COUNT_REPEATED)
  // First, because the new lines of this statement already contain their fees.
  const reportedFees = await run(REPORT_FEES, of.railAccount)
  const maybeRepeated = await run(DOUBT_REPEATED, of.railAccount, source.period_from, source.period_to)
  await run(WITHOUT_MONEY, of.railAccount, of.timeZone)
  const stored = await run(STORE_NEW, of.railAccount, of.currency, of.id, source.period_from, source.period_to)
  const unclear = await run(`${UNCLEAR} and is_reversal is not true`)
  const reversals = await run(`${UNCLEAR} and is_reversal`)
  const newLines = stored - unclear - reversals - maybeRepeated + cleared + counted
  return { newLines, reportedFees, unclear, maybeRepeated, reversals }
}

const UNCLEAR = `select from staged_lines where source = $1 and line_id is null and doubt = 'unclear'`

/** Rows `s` of the file with their stored rows `l`. */
const PAIRED = `from staged_lines s join statement_lines l on l.id = s.line_id where s.source = $1`

/** Was unclear and is readable now: the next reconciliation judges it as a normal movement. */
const IS_READ_ANEW = `(l.doubt = 'unclear' and s.doubt is null)`

/** Occurrences are counted among lines with equal values in these columns. */
const GROUP = ['reference', 'account', 'booked_on', 'direction', 'amount_minor']
/** How many lines of each group of the statement are stored. */
const COUNTED = `
  counted as (
    select ${key(GROUP)} as key, max(occurrence) as occurrence from statement_lines
    where rail_account = $2 and account is not null
      and reference in (select reference from staged_lines where source = $1) group by 1
  )`
const OCCURRENCE = `row_number() over (partition by ${GROUP.join(', ')} order by n) + coalesce(counted.occurrence, 0)`

/** Adds the account and booking day to lines that were stored without them, and updates what is readable now. */
const COMPLETE = `
  with ${COUNTED}, changed as (
    select l.id, s.n, l.reference, coalesce(nullif(l.account, ''), s.account) as account,
      coalesce(l.booked_on, s.booked_on) as booked_on, ${IS_READ_ANEW} as is_read_anew,
      case when ${IS_READ_ANEW} then s.direction else l.direction end as direction,
      case when ${IS_READ_ANEW} then s.amount_minor else l.amount_minor end as amount_minor
    ${PAIRED} and (l.account is null or (l.account = '' and s.account <> '')
      or (l.booked_on is null and s.booked_on is not null) or ${IS_READ_ANEW})
  ), numbered as (
    select c.*, ${OCCURRENCE} as occurrence from changed c left join counted on counted.key = ${key(GROUP.map((name) => `c.${name}`))}
  )
  update statement_lines l set account = c.account, booked_on = c.booked_on, direction = c.direction,
    amount_minor = c.amount_minor, occurrence = c.occurrence,
    expected_fee_minor = case when is_read_anew then s.expected_fee_minor else l.expected_fee_minor end,
    our_reference = case when is_read_anew then s.our_reference else l.our_reference end,
    at = case when is_read_anew then s.at else l.at end,
    fee_minor = case when is_read_anew then s.fee_minor else l.fee_minor end,
    doubt = case when is_read_anew then null else l.doubt end, note = case when is_read_anew then null else l.note end
  from numbered c join staged_lines s using (n) where c.id = l.id`

const WIDEN_PERIOD = `
  update statement_lines l set period_from = least(l.period_from, $2::timestamp), period_to = greatest(l.period_to, $3::timestamp)
  from staged_lines s where s.source = $1 and s.line_id = l.id and $2::timestamp is not null
    and (l.period_from is null or l.period_from > $2::timestamp or l.period_to < $3::timestamp)`

/** A statement that contains both the line and the one that it may duplicate proves that they are two. */
const COUNT_REPEATED = `
  update statement_lines l set doubt = null, note = null
  from staged_lines s where s.source = $1 and s.line_id = l.id and l.doubt = 'maybe_repeated' and exists (
    select from staged_lines o join statement_lines c on c.id = o.line_id
    where o.source = $1 and c.doubt is null and o.reference = s.reference and o.direction = s.direction
      and o.amount_minor = s.amount_minor and o.booked_on is not distinct from s.booked_on)`

/**
 * A movement that was booked by hand, or imported from a file without fees, has no fee until a later file contains it.
 * A fee never changes afterwards, and is ignored if a line of its own has reported the same before. The next
 * reconciliation books it and judges the order again; it does not judge what was booked by hand.
 */
const REPORT_FEES = `
  with of_day as (
    select reference, booked_on, sum(fee_minor) as fee_minor from statement_lines
    where rail_account = $2 and amount_minor = 0 and reference in (select reference from staged_lines where source = $1)
    group by 1, 2
  ), of_all as (
    select reference, sum(fee_minor) as fee_minor, coalesce(sum(fee_minor) filter (where booked_on is null), 0) as undated_minor
    from of_day group by 1
  ), untold as (
    select l.id, s.fee_minor from staged_lines s join statement_lines l on l.id = s.line_id
      left join of_all a on a.reference = l.reference
      left join of_day d on d.reference = l.reference and d.booked_on = l.booked_on
    where s.source = $1 and l.doubt is null and l.fee_minor = 0 and s.fee_minor <> 0 and s.fee_minor is distinct from
      case when l.booked_on is null then a.fee_minor else a.undated_minor + coalesce(d.fee_minor, 0) end
  )
  update statement_lines l set fee_minor = u.fee_minor,
    settled_at = case when l.transaction_id is null then l.settled_at end
  from untold u where u.id = l.id`

const covers = (from: string, to: string, day: string): string =>
  `(${day}::timestamp >= ${from} and ${day}::timestamp < ${to})`

/**
 * Lines with equal values in these columns are doubted together: there may be thousands with one reference and amount.
 */
const DOUBTED = `reference, direction, amount_minor, own_fee, account, our_reference, booked_on`
const OWN_FEE = `cross join lateral (select case when amount_minor = 0 then fee_minor end as own_fee) f`

/** Our reference is equal, or one side has none. Separate cases, because each is a join by equal columns. */
const SAME_OR_UNKNOWN = [
  'l.our_reference = s.our_reference',
  'l.our_reference is null',
  '(s.our_reference is null and l.our_reference is not null)',
]

const IS_REPEATED = `l.own_fee is not distinct from s.own_fee and (l.account = s.account or l.account = '' or s.account = '')
  and case when l.booked_on = s.booked_on
    then l.period_to <= $3::timestamp or l.period_from >= $4::timestamp
    else abs(l.booked_on - s.booked_on) <= ${DAYS_APART_MAX} and (
      not ${covers('l.period_from', 'l.period_to', 'l.booked_on')}
      or not ${covers('$3::timestamp', '$4::timestamp', 's.booked_on')}
      or ${covers('$3::timestamp', '$4::timestamp', 'l.booked_on')}) end`

/**
 * Doubts a line that equals a stored line in everything except the periods. Either the periods do not overlap, and
 * both statements contain the line. Or the days differ by a few, and one statement must be wrong about the day: it
 * does not cover its day, or it covers the other line's day and lacks that line.
 */
const DOUBT_REPEATED = `
  with l as (
    select ${DOUBTED}, period_from, period_to from statement_lines ${OWN_FEE}
    where rail_account = $2 and doubt is null and id not in (select line_id from staged_lines where line_id is not null)
      and reference in (select reference from staged_lines where source = $1 and line_id is null and doubt is null)
    group by ${DOUBTED}, period_from, period_to
  ), s as (
    select ${DOUBTED}, array_agg(n) as places from staged_lines ${OWN_FEE}
    where source = $1 and line_id is null and doubt is null and booked_on is not null group by ${DOUBTED}
  ), repeated as (
    ${SAME_OR_UNKNOWN.map((ours) => `select s.places from s join l using (reference, direction, amount_minor) where ${ours} and ${IS_REPEATED}`).join(' union all ')}
  )
  update staged_lines t set doubt = 'maybe_repeated',
    note = 'is the same as one of another statement: it may be that movement, or a second one'
  where t.n in (select unnest(places) from repeated)`

/**
 * Counts the money of an unclear entry once: not if its movement is also a line of its own, as when only a fee is
 * unclear.
 */
const WITHOUT_MONEY = `
  update staged_lines s set direction = null
  where s.source = $1 and s.doubt = 'unclear' and s.line_id is null and s.direction is not null and (
    (s.line_number, s.reference, coalesce(s.booked_on, 'infinity')) in (
      select line_number, reference, coalesce(booked_on, 'infinity') from staged_lines where source = $1 and doubt is distinct from 'unclear')
    or (s.reference, s.amount_minor, s.booked_on) in (
      select reference, amount_minor, coalesce(booked_on, (at at time zone $3)::date) from statement_lines
      where rail_account = $2 and doubt is null and reference <> ''
        and reference in (select reference from staged_lines where source = $1 and doubt = 'unclear')))`

const STORE_NEW = `
  with ${COUNTED}
  insert into statement_lines (rail_account, currency, import_id, line_number, reference, our_reference, account, booked_on,
    period_from, period_to, at, direction, amount_minor, fee_minor, expected_fee_minor, doubt, note, occurrence)
  select $2, $3, $4, line_number, reference, our_reference, account, booked_on, $5::timestamp, $6::timestamp, at, direction,
    amount_minor, coalesce(fee_minor, 0), expected_fee_minor, doubt, note, ${OCCURRENCE}
  from staged_lines s left join counted on counted.key = ${key(GROUP)}
  where source = $1 and line_id is null order by n`
