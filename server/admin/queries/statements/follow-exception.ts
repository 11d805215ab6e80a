import type { AuditedPool } from '../../../storage/audited-pool.ts'
import { available, type Pool } from '../../../storage/pool.ts'
import { firstRowOf } from '../rows.ts'

interface NewNote {
  readonly exceptionId: bigint
  readonly author: string
  readonly note: string
}

/** Adds a note, also to what has ended: an explanation may come late. */
export const noteOnException = (pool: AuditedPool, { exceptionId, author, note }: NewNote, now: Date) =>
  pool.query('insert into exception_notes (exception_id, at, author, note) values ($1, $2, $3, $4)', [
    exceptionId,
    now,
    author,
    note,
  ])

/** @returns whether it was open */
export async function assignException(pool: AuditedPool, id: bigint, assigneeId: bigint | null): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update reconciliation_exceptions set assignee_id = $2 where id = $1 and ended_at is null',
    [id, assigneeId],
  )
  return rowCount === 1
}

interface ExceptionNote {
  readonly at: Date
  readonly author: string
  readonly note: string
}

const NOTES_MAX = 200

/** The newest of them, the oldest first. */
export const notesOf = (pool: Pool, exceptionId: bigint): Promise<readonly ExceptionNote[]> =>
  available(async () => {
    const { rows } = await pool.query<ExceptionNote>(
      `select at, author, note from exception_notes where exception_id = $1 order by id desc limit ${NOTES_MAX}`,
      [exceptionId],
    )
    return rows.toReversed()
  })

/** The two sides of a difference: our payment, and the operator's line. */
export interface ExceptionSides {
  readonly type: string | null
  readonly amount_minor: bigint | null
  readonly charge_minor: bigint | null
  readonly provider_code: string | null
  readonly created_at: Date | null
  readonly final_at: Date | null
  readonly status_message: string | null
  readonly merchant_name: string | null
  readonly merchant_public_key: string | null
  readonly line_direction: 'in' | 'out' | null
  readonly line_amount_minor: bigint | null
  readonly line_fee_minor: bigint | null
  readonly line_expected_fee_minor: bigint | null
  readonly our_reference: string | null
  readonly line_number: bigint | null
  readonly import_id: bigint | null
  readonly import_name: string | null
  readonly imported_at: Date | null
}

/** What each side says, beyond the view of the exception; null where a side is missing. */
export const sidesOf = (pool: Pool, exceptionId: bigint): Promise<ExceptionSides | undefined> =>
  firstRowOf<ExceptionSides>(
    pool,
    `select t.type, t.amount_minor, t.charge_minor, t.provider_code, t.created_at, t.final_at, t.status_message,
         m.name as merchant_name, m.public_key as merchant_public_key,
         l.direction as line_direction, l.amount_minor as line_amount_minor, l.fee_minor as line_fee_minor,
         l.expected_fee_minor as line_expected_fee_minor, l.our_reference, l.line_number, l.import_id,
         i.name as import_name, i.imported_at
       from reconciliation_exceptions e left join transactions t on t.id = e.transaction_id
         left join merchants m on m.id = t.merchant_id left join statement_lines l on l.id = e.line_id
         left join statement_imports i on i.id = l.import_id where e.id = $1`,
    [exceptionId],
  )
