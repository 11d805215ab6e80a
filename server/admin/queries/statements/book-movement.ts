import { differenceMove, differenceTransfer, type AtOperator } from '../../../domain/ledger.ts'
import { present } from '../../../domain/present.ts'
import { bookingRows } from '../../../storage/ledger.ts'
import type { AuditedPool } from '../../../storage/audited-pool.ts'
import { inTransaction, type Queryable } from '../../../storage/pool.ts'
import { nextTransferIds } from '../../../storage/transfer-ids.ts'
import { lockRailAccount } from './import.ts'
import { BY_HAND } from './known-lines.ts'

/** Money that a rail account's owner moved at the operator outside of Malipo: a top-up, a withdrawal. */
export interface OwnMovement {
  readonly railAccount: string
  readonly currency: string
  /** `in` increases the balance at the operator. */
  readonly direction: 'in' | 'out'
  readonly amountMinor: bigint
  /** The operator's own reference, as its statement will show it, so that it is never booked twice. */
  readonly reference: string
  readonly reason: string
  readonly by: string
}

export type MovementBooked =
  | { readonly result: 'booked' }
  | { readonly result: 'booked_before'; readonly at: Date; readonly by: string; readonly reason: string }
  /** The statement has already arrived, and a reconciliation opened an exception for this movement. */
  | { readonly result: 'open_exception'; readonly exceptionId: bigint }
  /** A line with this reference exists, and it was not booked as our own movement. */
  | { readonly result: 'reference_used'; readonly direction: 'in' | 'out'; readonly amountMinor: bigint }

/**
 * Books it like an early line of the operator's statement, with its exception resolved at once: through the suspense
 * account between the operator and the outside world, without any wallet. When the real line arrives it matches and
 * changes nothing; the next reconciliation books a fee that it contains.
 */
export async function bookMovement(pool: AuditedPool, moved: OwnMovement, now: Date): Promise<MovementBooked> {
  const { railAccount, currency, direction, amountMinor } = moved
  const at: AtOperator = { railAccount, currency }
  const suspenseMinor = direction === 'in' ? amountMinor : -amountMinor
  const transfers = [differenceTransfer('rail', at, suspenseMinor), differenceMove(at, suspenseMinor, 'outside')]
  const ids: bigint[] = []
  return inTransaction(
    pool,
    async (client): Promise<MovementBooked> => {
      await lockRailAccount(client, railAccount)
      const before = await knownLine(client, moved)
      if (before) return before
      ids.push(...(await nextTransferIds(client, transfers.length, now)))
      await store(client, moved, suspenseMinor, ids, now)
      return { result: 'booked' }
    },
    (client) => bookingRows(client, ids.length > 0 ? transfers : [], now, ids),
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
  { railAccount, reference, direction, amountMinor }: OwnMovement,
): Promise<MovementBooked | undefined> {
  const { rows } = await client.query<KnownLine>(
    `select l.direction, l.amount_minor, l.doubt is not null as is_doubtful, e.id as exception_id, e.ended_at, e.ended_by,
       e.reason
     from statement_lines l left join lateral (
       select * from reconciliation_exceptions e where e.line_id = l.id and e.kind in ('missing_with_us', l.doubt)
       order by e.id desc limit 1) e on true
     where l.rail_account = $1 and l.reference = $2 and (l.doubt is null or (e.id is not null and e.ended_at is null))
     order by l.id`,
    [railAccount, reference],
  )
  // The direction and amount of a doubtful entry may be unknown.
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

/** Stored as settled: no reconciliation judges it. */
async function store(
  client: Queryable,
  { railAccount, currency, direction, amountMinor, reference, reason, by }: OwnMovement,
  suspenseMinor: bigint,
  [openingId, closingId]: readonly bigint[],
  now: Date,
): Promise<void> {
  const { rows } = await client.query<{ id: bigint }>(
    // Without times: it says nothing about how far the operator's statements reach.
    `with import as (
       insert into statement_imports (rail_account, form, name, imported_at, lines, new_lines, skipped)
       values ($1, '${BY_HAND}', $3, $6, 1, 1, 0) returning id
     )
     insert into statement_lines (rail_account, currency, import_id, line_number, reference, direction, amount_minor,
       fee_minor, at, occurrence, settled_at)
     select $1, $2, id, 1, $3, $4, $5, 0, $6, 1, $6 from import returning id`,
    [railAccount, currency, reference, direction, amountMinor, now],
  )
  await client.query(
    `insert into reconciliation_exceptions (rail_account, kind, line_id, currency, found_minor, suspense_minor, corrected,
       opened_at, opening_transfer_id, ended_at, ended_by, reason, closing_transfer_id, moved_to)
     values ($1, 'missing_with_us', $2, $3, $4, $5, 'rail', $6, $7, $6, $8, $9, $10, 'outside')`,
    [
      railAccount,
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
