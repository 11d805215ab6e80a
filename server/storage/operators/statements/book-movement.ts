import { differenceMove, differenceTransfer, type AtOperator } from '../../../domain/ledger.ts'
import { present } from '../../../domain/present.ts'
import { bookingStatement } from '../../ledger.ts'
import { inTransaction, type Pool, type Queryable } from '../../pool.ts'
import { nextTransferIds } from '../../transfer-ids.ts'
import { lockInstallation } from './import.ts'
import { BY_HAND } from './known-lines.ts'

/** Money that an installation's owner has moved at the operator outside of Malipo: a top-up, a withdrawal. */
export interface OwnMovement {
  readonly installation: string
  readonly currency: string
  /** In: there is more at the operator since. */
  readonly direction: 'in' | 'out'
  readonly amountMinor: bigint
  /** The operator's own name of it, as its statement will have it: so it is never booked twice. */
  readonly reference: string
  readonly reason: string
  readonly by: string
}

export type MovementBooked =
  | { readonly result: 'booked' }
  | { readonly result: 'booked_before'; readonly at: Date; readonly by: string; readonly reason: string }
  /** Its statement has brought it already, and a reconciliation has found it. */
  | { readonly result: 'open_exception'; readonly exceptionId: bigint }
  /** A line of that name is there, which nobody has booked as a movement of our own. */
  | { readonly result: 'reference_used'; readonly direction: 'in' | 'out'; readonly amountMinor: bigint }

/**
 * Books it as a line of the operator's statement that came early, with its exception ended at once: over the suspense
 * account between the operator and the world outside, no wallet has a part in it. The line of the statement is the same
 * one when it comes, and changes nothing; a fee that it tells is booked by the reconciliation after it.
 */
export async function bookMovement(pool: Pool, moved: OwnMovement, now: Date): Promise<MovementBooked> {
  const { installation, currency, direction, amountMinor } = moved
  const at: AtOperator = { installation, currency }
  const suspenseMinor = direction === 'in' ? amountMinor : -amountMinor
  const transfers = [differenceTransfer('rail', at, suspenseMinor), differenceMove(at, suspenseMinor, 'outside')]
  const ids: bigint[] = []
  return inTransaction(
    pool,
    async (client): Promise<MovementBooked> => {
      await lockInstallation(client, installation)
      const before = await knownLine(client, moved)
      if (before) return before
      ids.push(...(await nextTransferIds(client, transfers.length, now)))
      await store(client, moved, suspenseMinor, ids, now)
      return { result: 'booked' }
    },
    (client) => bookingStatement(client, ids.length > 0 ? transfers : [], now, ids),
  )
}

interface KnownLine {
  readonly direction: 'in' | 'out'
  readonly amount_minor: bigint
  readonly is_doubtful: boolean
  readonly exception_id: bigint | null
  readonly ended_at: Date | null
  readonly ended_by: string | null
  readonly reason: string | null
}

async function knownLine(
  client: Queryable,
  { installation, reference, direction, amountMinor }: OwnMovement,
): Promise<MovementBooked | undefined> {
  const { rows } = await client.query<KnownLine>(
    `select l.direction, l.amount_minor, l.doubt is not null as is_doubtful, e.id as exception_id, e.ended_at, e.ended_by,
       e.reason
     from statement_lines l left join lateral (
       select * from reconciliation_exceptions e where e.line_id = l.id and e.kind in ('missing_with_us', l.doubt)
       order by e.id desc limit 1) e on true
     where l.installation = $1 and l.reference = $2 and (l.doubt is null or (e.id is not null and e.ended_at is null))
     order by l.id`,
    [installation, reference],
  )
  // Of an entry in doubt direction and amount may not be known.
  const same =
    rows.find((line) => line.direction === direction && line.amount_minor === amountMinor) ??
    rows.find((line) => line.is_doubtful)
  const known = same ?? rows[0]
  if (!known) return undefined
  const { exception_id: exceptionId, ended_at: at, ended_by: by, reason } = known
  if (!same || exceptionId === null)
    return { result: 'reference_used', direction: known.direction, amountMinor: known.amount_minor }
  return at
    ? { result: 'booked_before', at, by: by ?? '', reason: reason ?? '' }
    : { result: 'open_exception', exceptionId }
}

/** Settled from the start: no reconciliation has to look at it. */
async function store(
  client: Queryable,
  { installation, currency, direction, amountMinor, reference, reason, by }: OwnMovement,
  suspenseMinor: bigint,
  [openingId, closingId]: readonly bigint[],
  now: Date,
): Promise<void> {
  const { rows } = await client.query<{ id: bigint }>(
    // Without times: it says nothing of how far the operator's statements reach.
    `with import as (
       insert into statement_imports (installation, form, name, imported_at, lines, new_lines, skipped)
       values ($1, '${BY_HAND}', $3, $6, 1, 1, 0) returning id
     )
     insert into statement_lines (installation, currency, import_id, line_number, reference, direction, amount_minor,
       fee_minor, at, occurrence, settled_at)
     select $1, $2, id, 1, $3, $4, $5, 0, $6, 1, $6 from import returning id`,
    [installation, currency, reference, direction, amountMinor, now],
  )
  await client.query(
    `insert into reconciliation_exceptions (installation, kind, line_id, currency, found_minor, suspense_minor, corrected,
       opened_at, opening_transfer_id, ended_at, ended_by, reason, closing_transfer_id, moved_to)
     values ($1, 'missing_with_us', $2, $3, $4, $5, 'rail', $6, $7, $6, $8, $9, $10, 'outside')`,
    [
      installation,
      present(rows[0], 'the line').id,
      currency,
      amountMinor,
      suspenseMinor,
      now,
      openingId,
      by,
      reason,
      closingId,
    ],
  )
}
