import type { Pool, Queryable } from './pool.ts'

/** Up to which versions a process knows the changes; both counters only grow. */
export interface ReferencePosition {
  /** Version of providers, banks, rates, rail accounts and RSA keys, which are read as a whole. */
  readonly platform: bigint
  /** Version of merchants, whose changes are reported one by one. */
  readonly merchants: bigint
}

interface ChangeBatch {
  readonly position: ReferencePosition
  /** The merchants changed since then; `all`: there are too many changes, or they are no longer known. */
  readonly changed: ReadonlySet<bigint> | 'all'
}

interface VersionRow {
  readonly platform: bigint
  readonly merchants: bigint
}
interface ChangeRow extends VersionRow {
  readonly version: bigint | null
  readonly merchant_id: bigint | null
}

/** Beyond this number, reading all merchants again costs less. */
export const CHANGES_READ_MAX = 5_000
/** A process that has not polled for longer reads all merchants again. */
const CHANGES_KEPT_MS = 60 * 60_000
const CHUNK_ROWS = 5_000

/** The current values of the counters. */
export async function readPosition(client: Queryable): Promise<ReferencePosition> {
  const { rows } = await client.query<VersionRow>('select platform, merchants from reference_version')
  const [row] = rows
  if (!row) throw new Error('the database has lost its row of reference_version')
  return { platform: row.platform, merchants: row.merchants }
}

/**
 * Reads the changes committed since then, in one statement. A later commit has a later version: each transaction that
 * changes a merchant holds the counter's row until it ends (`tell_merchant_change`).
 */
export async function readChanges(client: Queryable, since: ReferencePosition): Promise<ChangeBatch> {
  const { rows } = await client.query<ChangeRow>({
    name: 'merchant-changes',
    text: `select v.platform, v.merchants, c.version, c.merchant_id
           from reference_version v left join merchant_changes c on c.version > $1
           where v.only_row order by c.version limit ${CHANGES_READ_MAX + 1}`,
    values: [since.merchants],
  })
  const [first] = rows
  if (!first) throw new Error('the database has lost its row of reference_version')
  const { platform, merchants, version } = first
  const position = { platform, merchants }
  if (merchants === since.merchants) return { position, changed: new Set() }
  // A gap before the first version: earlier changes were deleted. No change at all, or a counter behind ours: the
  // database was restored to an earlier state.
  if (version !== since.merchants + 1n || rows.length > CHANGES_READ_MAX) return { position, changed: 'all' }
  return { position, changed: new Set(rows.flatMap(({ merchant_id }) => merchant_id ?? [])) }
}

/**
 * Deletes the changes that every process has read by now: whole versions, oldest first, so that no reader misses part
 * of a version.
 */
export async function removeOldChanges(pool: Pool, now: Date): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      `delete from merchant_changes where version <= (
         select max(version) from (
           select version, changed_at from merchant_changes order by version limit ${CHUNK_ROWS}
         ) oldest where changed_at <= $1)`,
      [new Date(now.getTime() - CHANGES_KEPT_MS)],
    )
    if ((rowCount ?? 0) < CHUNK_ROWS) return
  }
}
