import type { Claim, WorkItem } from '../../actions/ports/work.ts'
import type { Connection } from './connection.ts'
import type { WorkRow } from './rows.ts'

export const toWorkItem = (
  { id, kind, subjectId, attempt, failures, addressee }: WorkRow,
  token: string,
): WorkItem => ({
  id,
  kind,
  subjectId,
  attempt,
  token,
  failures,
  ...(addressee !== undefined && { addressee }),
})

/** The longest overdue first. */
export const byDueTime = (a: WorkRow, b: WorkRow): number =>
  a.dueAt.getTime() - b.dueAt.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id))

/** Gives a row to a claim. */
export function takeRow({ tables: { work } }: Connection, row: WorkRow, { token, leaseUntil }: Claim): WorkItem {
  const mine: WorkRow = { ...row, dueAt: leaseUntil, attempt: row.attempt + 1, token }
  work.put(row.id, mine)
  return toWorkItem(mine, token)
}
