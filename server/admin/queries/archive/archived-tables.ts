import { HISTORY, partitionOf } from '../../../storage/months.ts'

/** A table of which the archive takes a month. */
export interface ArchivedTable {
  readonly name: string
  /** The primary key, by which pages are read; the first column is the time-ordered id. */
  readonly key: readonly string[]
  /** Partitioned by month: the archive drops the whole partition. In other tables it deletes the rows of the month. */
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

/** In the lock order of payments. Merchant references stay, so that none is ever accepted a second time. */
export const ARCHIVED: readonly ArchivedTable[] = [
  ...HISTORY.map(({ name }) => ({ name, key: KEYS[name] ?? ['id'], isPartitioned: true })),
  { name: 'payment_sessions', key: ['transaction_id'], isPartitioned: false },
  { name: 'handshake_attempts', key: ['transaction_id', 'attempt'], isPartitioned: false },
  { name: 'rail_references', key: ['transaction_id', 'name', 'reference'], isPartitioned: false },
]

/** Selects exactly the rows of a month. @param range the ids of the month */
export function rowsOfMonth(
  { name, key, isPartitioned }: ArchivedTable,
  month: string,
  range: { readonly fromId: bigint; readonly untilId: bigint },
): { readonly from: string; readonly where: string } {
  if (isPartitioned) return { from: partitionOf(name, month), where: 'true' }
  return { from: name, where: `${key[0]} >= ${range.fromId} and ${key[0]} < ${range.untilId}` }
}
