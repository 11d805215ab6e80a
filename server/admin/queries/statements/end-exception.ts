import { differenceMove, type DifferenceTarget } from '../../../domain/ledger.ts'
import { bookingRows } from '../../../storage/ledger.ts'
import type { AuditedPool } from '../../../storage/audited-pool.ts'
import { inTransaction, type Pool } from '../../../storage/pool.ts'
import { nextTransferIds } from '../../../storage/transfer-ids.ts'
import { BY_RECONCILIATION, EXCEPTION, type ExceptionRow } from './exceptions.ts'
import { firstRowOf, rowsOf } from '../rows.ts'

/** An exception with the values that people search by. */
export interface ExceptionView extends ExceptionRow {
  readonly rail_account: string
  readonly opened_at: Date
  readonly ended_at: Date | null
  readonly reason: string | null
  readonly moved_to: string | null
  /** The operator's reference of the movement, its booking time and its direction; null where there is no line. */
  readonly line_reference: string | null
  readonly line_at: Date | null
  /** Booking day in the statement's own time zone, as `2026-03-02`. */
  readonly line_booked_on: string | null
  /** Why the line is doubtful, as a continuation of "the entry ". */
  readonly note: string | null
  readonly direction: 'in' | 'out' | null
  readonly merchant_reference: string | null
  readonly internal_reference: string | null
  readonly status: string | null
  /** The name of who looks into it. */
  readonly assignee: string | null
}

const VIEW = `
  select ${EXCEPTION}, e.rail_account, e.opened_at, e.ended_at, e.reason, e.moved_to, nullif(l.reference, '') as line_reference,
    l.at as line_at, l.booked_on::text as line_booked_on, l.note,
    coalesce(l.direction, case t.type when 'COLLECTION' then 'in' when 'ATTEMPT' then 'in' when 'PAYOUT' then 'out' when 'REFUND' then 'out' when 'RETURN' then 'out' end) as direction,
    t.merchant_reference, t.internal_reference, t.status, p.name as assignee
  from reconciliation_exceptions e left join statement_lines l on l.id = e.line_id
    left join transactions t on t.id = e.transaction_id left join people p on p.id = e.assignee_id`

interface ExceptionFilter {
  readonly railAccount: string | undefined
  readonly kind: string | undefined
  readonly state: 'open' | 'ended' | 'all'
  /** Only those of this person. */
  readonly assigneeId?: bigint | undefined
  /** Only what was opened after this one. */
  readonly after?: bigint | undefined
  readonly limit: number
}

const IN_STATE = { open: 'e.ended_at is null', ended: 'e.ended_at is not null', all: 'true' } as const

/** The oldest first. */
export const listExceptions = (
  pool: Pool,
  { railAccount, kind, state, assigneeId, after, limit }: ExceptionFilter,
): Promise<ExceptionView[]> =>
  rowsOf<ExceptionView>(
    pool,
    `${VIEW} where ($1::text is null or e.rail_account = $1) and ($2::text is null or e.kind = $2)
         and ${IN_STATE[state]} and ($3::bigint is null or e.assignee_id = $3) and e.id > coalesce($4::bigint, 0)
       order by e.id limit $5`,
    [railAccount, kind, assigneeId, after, limit],
  )

export const findException = (pool: Pool, id: bigint): Promise<ExceptionView | undefined> =>
  firstRowOf<ExceptionView>(pool, `${VIEW} where e.id = $1`, [id])

/** How many are open, per kind. */
export const countOpen = (
  pool: Pool,
  railAccount: string,
): Promise<readonly { readonly kind: string; readonly count: bigint; readonly suspense_minor: bigint }[]> =>
  rowsOf<{ kind: string; count: bigint; suspense_minor: bigint }>(
    pool,
    `select kind, count(*), sum(suspense_minor)::bigint as suspense_minor from reconciliation_exceptions
       where rail_account = $1 and ended_at is null group by kind order by kind`,
    [railAccount],
  )

/**
 * Why a staff member resolves an exception, who that is, and where its money goes; without a target it stays on the
 * suspense account.
 */
interface Decision {
  readonly reason: string
  readonly by: string
  readonly moveTo?: DifferenceTarget
  /** A possible duplicate is a second movement: the next reconciliation judges it as any other line. */
  readonly isSecondMovement?: boolean
}

/** Only a possible duplicate can be a second movement. */
export class NoRepetition extends Error {
  override readonly name = 'NoRepetition'
}

/**
 * Resolves an exception by a staff decision. Nothing reopens it unless the difference changes.
 * @throws NoRepetition
 * @returns whether it was open
 */
export async function endException(
  pool: AuditedPool,
  id: bigint,
  { reason, by, moveTo, isSecondMovement }: Decision,
  now: Date,
): Promise<boolean> {
  const transfers: ReturnType<typeof differenceMove>[] = []
  const ids: bigint[] = []
  return inTransaction(
    pool,
    async (client) => {
      const { rows: open } = await client.query<ExceptionView>(
        `select e.id, e.kind, e.line_id, e.rail_account, e.currency, e.suspense_minor from reconciliation_exceptions e
         where e.id = $1 and e.ended_at is null for update`,
        [id],
      )
      const [exception] = open
      if (exception) {
        if (isSecondMovement && exception.kind !== 'maybe_repeated') throw new NoRepetition(exception.kind)
        const { rail_account: railAccount, currency, suspense_minor: suspenseMinor } = exception
        const move = moveTo && differenceMove({ railAccount, currency }, suspenseMinor, moveTo)
        if (move && move.entries.length > 0) {
          transfers.push(move)
          ids.push(...(await nextTransferIds(client, 1, now)))
        }
        await client.query(
          `update reconciliation_exceptions set ended_at = $2, ended_by = $3, reason = $4, moved_to = $5,
             closing_transfer_id = $6 where id = $1`,
          [id, now, by === BY_RECONCILIATION ? `${by} (a person)` : by, reason, moveTo, ids[0]],
        )
      }
      if (exception && isSecondMovement)
        await client.query('update statement_lines set doubt = null, note = null where id = $1', [exception.line_id])
      return exception !== undefined
    },
    (client) => bookingRows(client, transfers, now, ids),
  )
}
