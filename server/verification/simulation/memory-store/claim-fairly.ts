import type { AddressedKind, Claim, DestinationQuota, Job } from '../../../actions/ports/jobs.ts'
import type { Connection } from './connection.ts'
import type { JobRow } from './world.ts'
import { ascending } from './table.ts'

export const toJob = ({ id, kind, subjectId, attempt, failures, destination }: JobRow, token: string): Job => ({
  id,
  kind,
  subjectId,
  attempt,
  token,
  failures,
  ...(destination !== undefined && { destination }),
})

/** The longest overdue first. */
export const byDueTime = (a: JobRow, b: JobRow): number =>
  a.dueAt.getTime() - b.dueAt.getTime() || ascending(a.id, b.id)

/** Assigns a row to a claim. */
export function takeRow({ tables: { work } }: Connection, row: JobRow, { token, leaseUntil }: Claim): Job {
  const mine: JobRow = { ...row, dueAt: leaseUntil, attempt: row.attempt + 1, token }
  work.put(row.id, mine)
  return toJob(mine, token)
}

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
