import { HISTORY, partitionOf } from '../../months.ts'

/** A table of which a month is archived. */
export interface ArchivedTable {
  readonly name: string
  /** Its primary key, by which it is read in pages; the first column is the id that tells the time. */
  readonly key: readonly string[]
  /** Cut by months: its partition goes as a whole. Of the others the rows of the month are deleted. */
  readonly isPartitioned: boolean
}

const KEYS: Readonly<Record<string, readonly string[]>> = {
  transactions: ['id'],
  callbacks: ['id'],
  callback_attempts: ['callback_id', 'attempt'],
  transaction_events: ['transaction_id', 'id'],
  transfers: ['id'],
  entries: ['transfer_id', 'id'],
}

/** In the order in which payments lock them. The references of merchants stay: none is ever accepted a second time. */
export const ARCHIVED: readonly ArchivedTable[] = [
  ...HISTORY.map(({ name }) => ({ name, key: KEYS[name] ?? ['id'], isPartitioned: true })),
  { name: 'payment_sessions', key: ['transaction_id'], isPartitioned: false },
  { name: 'handshake_attempts', key: ['transaction_id', 'attempt'], isPartitioned: false },
  { name: 'rail_references', key: ['transaction_id', 'name', 'reference'], isPartitioned: false },
]

/** Where the rows of a month are, and only they. @param range the ids of the month */
export function rowsOfMonth(
  { name, key, isPartitioned }: ArchivedTable,
  month: string,
  range: { readonly fromId: bigint; readonly untilId: bigint },
): { readonly from: string; readonly where: string } {
  if (isPartitioned) return { from: partitionOf(name, month), where: 'true' }
  return { from: name, where: `${key[0]} >= ${range.fromId} and ${key[0]} < ${range.untilId}` }
}
