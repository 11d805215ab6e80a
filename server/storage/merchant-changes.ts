import type { Pool, Queryable } from './pool.ts'

/** Up to where a process knows of changes; both counters only grow. */
export interface ReferencePosition {
  /** Of providers, banks, rates, connections and RSA keys, which are read as a whole. */
  readonly platform: bigint
  /** Of merchants, which are told one by one. */
  readonly merchants: bigint
}

export interface Heard {
  readonly position: ReferencePosition
  /** Whom changes since then concern; `all`: too much has happened, or it cannot be told any more. */
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

/** Beyond this it costs less to look everybody up again. */
export const CHANGES_READ_MAX = 5_000
/** Who has not looked for longer looks everybody up again. */
const CHANGES_KEPT_MS = 60 * 60_000
const CHUNK_ROWS = 5_000

/** Where the counters stand now. */
export async function readPosition(client: Queryable): Promise<ReferencePosition> {
  const { rows } = await client.query<VersionRow>('select platform, merchants from reference_version')
  const [row] = rows
  if (!row) throw new Error('the database has lost its row of reference_version')
  return { platform: row.platform, merchants: row.merchants }
}

/**
 * What was committed since, in one statement. What commits later has a later version: each transaction that changes a
 * merchant holds the counter's row until it ends (migration 0026).
 */
export async function readChanges(client: Queryable, since: ReferencePosition): Promise<Heard> {
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
  // Another first one: those before it were cleared away. None, or a counter behind ours: the database was set back.
  if (version !== since.merchants + 1n || rows.length > CHANGES_READ_MAX) return { position, changed: 'all' }
  return { position, changed: new Set(rows.flatMap(({ merchant_id }) => merchant_id ?? [])) }
}

/** Clears away what every process has read by now: whole versions, the oldest first, so that no reader misses a part. */
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
