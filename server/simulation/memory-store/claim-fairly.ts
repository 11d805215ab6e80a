import type { AddressedKind, Claim, Rooms, WorkItem } from '../../actions/ports/work.ts'
import type { Connection } from './connection.ts'
import type { WorkRow } from './rows.ts'
import type { Step } from './step.ts'
import { byDueTime, takeRow } from './taken-work.ts'

const CLAIM_FAIRLY: Step = { what: 'claimFairly', kind: 'claim' }

interface Candidate {
  readonly row: WorkRow
  readonly place: number
}

/** As storage/claim-fairly.ts: what others have locked keeps its place among the candidates, and is passed over. */
export async function claimFairly(
  connection: Connection,
  kind: AddressedKind,
  claim: Claim,
  limit: number,
  rooms: Rooms,
): Promise<readonly WorkItem[]> {
  const { work } = connection.tables
  const candidates = (): Candidate[] =>
    [...Map.groupBy(connection.tables.workOf(kind).values(), ({ addressee = '' }) => addressee)].flatMap(
      ([addressee, rows]) =>
        rows
          .filter(({ dueAt }) => dueAt <= claim.now)
          .sort(byDueTime)
          .slice(0, rooms.of.get(addressee) ?? rooms.each)
          .map((row, place) => ({ row, place })),
    )
  if (candidates().length === 0) return []
  return connection.autocommit(CLAIM_FAIRLY, () =>
    candidates()
      .filter(({ row }) => !work.locks.has(row.id))
      .sort((a, b) => a.place - b.place || byDueTime(a.row, b.row))
      .slice(0, limit)
      .map(({ row }) => takeRow(connection, row, claim)),
  )
}
