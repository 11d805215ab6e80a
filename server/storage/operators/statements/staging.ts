import type { Queryable } from '../../pool.ts'
import { columns } from '../../rows.ts'
import { long } from './bounds.ts'

/** Why a line counts for no movement until somebody decides. */
export type Doubt = 'unclear' | 'maybe_repeated'

/** A line as it is stored; amounts in minor units of the statement's currency. */
export interface NewStatementLine {
  /** Statements of one account and one period in one file have the same number: equal lines are counted within it. */
  readonly source: number
  readonly lineNumber: bigint
  /** Empty where an unclear entry has none. */
  readonly reference: string
  readonly ourReference?: string
  /** The bank account of the statement; empty where it names none. */
  readonly account: string
  /** As `2026-03-02`, in the statement's own zone. Absent: not known. */
  readonly bookedOn?: string
  /** First and last day that the statement says it covers, or times with seconds; absent: the days of its lines. */
  readonly periodFrom?: string
  readonly periodTo?: string
  readonly at: Date
  /** Direction and amount are absent only where they are unclear. */
  readonly direction?: string
  readonly amountMinor?: bigint
  readonly feeMinor: bigint
  readonly expectedFeeMinor?: bigint
  readonly doubt?: Doubt
  /** Why there is a doubt, to follow "the entry ". */
  readonly note?: string
  /** It only says that another line was taken back: of interest where that line is known. */
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

/** Everything of a statement file that is stored, before it is held against what is known. */
export async function stageLines(
  client: Queryable,
  batches: AsyncIterable<readonly NewStatementLine[]>,
): Promise<void> {
  // `line_id`: which stored line it is.
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

/** A reversal of what nobody knows is no more than an entry that is passed over. */
export const dropReversalsOfUnknown = (client: Queryable, installation: string): Promise<unknown> =>
  client.query(
    long(
      `delete from staged_lines s where s.is_reversal and not exists (
         select from statement_lines l where l.installation = $1 and l.reference = s.reference and l.doubt is null
           and l.amount_minor > 0)`,
      [installation],
    ),
  )

/** The statements of one account and one period in a file. */
export interface Source {
  readonly source: number
  /** As PostgreSQL writes a timestamp; the end is not included. Null: no line has a day. */
  readonly period_from: string | null
  readonly period_to: string | null
}

/** What each covers: as it says, otherwise the days of its lines. In the order of the file. */
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
