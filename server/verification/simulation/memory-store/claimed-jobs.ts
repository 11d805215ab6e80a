import type { Claim, Job } from '../../../actions/ports/jobs.ts'
import type { Connection } from './connection.ts'
import type { JobRow } from './rows.ts'
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
