import type { AddressedKind, Claim, DestinationQuota, Job } from '../../../actions/ports/jobs.ts'
import type { Connection } from './connection.ts'
import type { JobRow } from './rows.ts'
import { byDueTime, takeRow } from './claimed-jobs.ts'

interface Candidate {
  readonly row: JobRow
  readonly place: number
}

/** As storage/claim-fairly.ts: rows that others have locked keep their place among the candidates, and are skipped. */
export async function claimFairly(
  connection: Connection,
  kind: AddressedKind,
  claim: Claim,
  limit: number,
  quota: DestinationQuota,
): Promise<readonly Job[]> {
  const { work } = connection.tables
  const candidates = (): Candidate[] =>
    [...Map.groupBy(connection.tables.workOf(kind).values(), ({ destination = '' }) => destination)].flatMap(
      ([destination, rows]) =>
        rows
          .filter(({ dueAt }) => dueAt <= claim.now)
          .sort(byDueTime)
          .slice(0, quota.of.get(destination) ?? quota.each)
          .map((row, place) => ({ row, place })),
    )
  if (candidates().length === 0) return []
  return connection.autocommit('claim', 'claimFairly', () =>
    candidates()
      .filter(({ row }) => !work.locks.has(row.id))
      .sort((a, b) => a.place - b.place || byDueTime(a.row, b.row))
      .slice(0, limit)
      .map(({ row }) => takeRow(connection, row, claim)),
  )
}
