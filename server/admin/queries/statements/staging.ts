import type { Queryable } from '../../../storage/pool.ts'
import { columns } from '../../../storage/rows.ts'
import { long } from './bounds.ts'

/** Why a line does not count as a movement until a person decides. */
type LineDoubt = 'unclear' | 'maybe_repeated'

/** A line as it is stored; amounts in minor units of the statement's currency. */
export interface NewStatementLine {
  /** Statements of one account and one period in one file have the same number: equal lines are counted within it. */
  readonly source: number
  readonly lineNumber: bigint
  /** Empty if an unclear entry has none. */
  readonly reference: string
  readonly ourReference?: string
  /** The bank account of the statement; empty if it names none. */
  readonly account: string
  /** As `2026-03-02`, in the statement's own time zone; undefined if unknown. */
  readonly bookedOn?: string
  /** First and last day of the statement's declared period, or times with seconds; undefined: the days of its lines. */
  readonly periodFrom?: string
  readonly periodTo?: string
  readonly at: Date
  /** Direction and amount are undefined only where they are unclear. */
  readonly direction?: string
  readonly amountMinor?: bigint
  readonly feeMinor: bigint
  readonly expectedFeeMinor?: bigint
  readonly doubt?: LineDoubt
  /** Why the line is doubtful, as a continuation of "the entry ". */
  readonly note?: string
  /** It only reports a reversal of another line: relevant only if that line is stored. */
  readonly isReversal?: boolean
}

export const LINE = columns<NewStatementLine>({
  source: 'int',
  lineNumber: 'bigint',
  reference: 'text',
  ourReference: 'text',
  account: 'text',
  bookedOn: 'text',
  periodFrom: 'text',
  periodTo: 'text',
  at: 'timestamptz',
  direction: 'text',
  amountMinor: 'bigint',
  feeMinor: 'bigint',
  expectedFeeMinor: 'bigint',
  doubt: 'text',
  note: 'text',
  isReversal: 'boolean',
})

const DEFINITION = LINE.definition.replace('booked_on text', 'booked_on date')

/** Stages everything of a statement file, before it is compared with the stored lines. */
export async function stageLines(
  client: Queryable,
  batches: AsyncIterable<readonly NewStatementLine[]>,
): Promise<void> {
  // `line_id`: the stored line that matches.
  await client.query(
    `create temporary table staged_lines (n bigint generated always as identity, line_id bigint, ${DEFINITION})
       on commit drop`,
  )
  for await (const batch of batches)
    await client.query(
      long(
        `insert into staged_lines (${LINE.names()}) select ${LINE.names()} from json_to_recordset($1) as r(${DEFINITION})`,
        [LINE.json(batch)],
      ),
    )
  await client.query(long('create index on staged_lines (source); analyze staged_lines'))
}

/** Drops reversals of lines that are not stored: they count as skipped entries. */
export const dropReversalsOfUnknown = (client: Queryable, railAccount: string): Promise<unknown> =>
  client.query(
    long(
      `delete from staged_lines s where s.is_reversal and not exists (
         select from statement_lines l where l.rail_account = $1 and l.reference = s.reference and l.doubt is null
           and l.amount_minor > 0)`,
      [railAccount],
    ),
  )

/** The statements of one account and one period in a file. */
export interface Source {
  readonly source: number
  /** In PostgreSQL's timestamp format; the end is exclusive. Null if no line has a day. */
  readonly period_from: string | null
  readonly period_to: string | null
}

/** What each statement covers: its declared period, or else the days of its lines. In the order of the file. */
export async function stagedSources(client: Queryable): Promise<readonly Source[]> {
  const { rows } = await client.query<Source>(
    long(
      `select source, coalesce(min(period_from)::timestamp, min(booked_on))::text as period_from,
         (case when length(max(period_to)) > 10 then max(period_to)::timestamp
           else coalesce(max(period_to)::date, max(booked_on)) + interval '1 day' end)::text as period_to
       from staged_lines group by source order by min(n)`,
    ),
  )
  return rows
}
