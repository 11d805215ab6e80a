import { present } from '../../../domain/present.ts'
import type { AuditedPool } from '../../../storage/audited-pool.ts'
import { inTransaction, type Pool, type Queryable } from '../../../storage/pool.ts'
import { forStatements, long } from './bounds.ts'
import { BY_HAND, createPairingTables } from './known-lines.ts'
import { dropReversalsOfUnknown, stagedSources, stageLines, type NewStatementLine } from './staging.ts'
import { storeLines, type StoredLines } from './store-lines.ts'
import { rowsOf } from '../rows.ts'

export type { NewStatementLine } from './staging.ts'

export interface StatementSource {
  readonly railAccount: string
  readonly currency: string
  /** For days that lines do not state. */
  readonly timeZone: string
  readonly form: 'csv' | 'camt.053' | 'pull'
  /** Name of the file, or the period that was pulled. */
  readonly name: string
  readonly batches: AsyncIterable<readonly NewStatementLine[]>
  /** Called once all batches are read. @throws an error that rejects the whole import */
  end(): { readonly digest?: Uint8Array | undefined; readonly skipped: number; readonly passedOver?: number }
}

/** The result of an import. */
export interface ImportSummary extends StoredLines {
  /** Everything that moved money according to the file, unclear entries included. */
  readonly lines: bigint
  readonly skipped: bigint
  readonly firstAt: Date | null
  readonly lastAt: Date | null
  /** When exactly this file was imported before. */
  readonly before: Date | null
}

/**
 * Autovacuum analyzes the table only a minute later: a reconciliation that follows at once would have no statistics.
 */
const ANALYZE_FROM = 5_000n

/**
 * Stores a statement, all of it or nothing. Lines from earlier imports do not change, except for details that only
 * this one contains. The identity of a line is its bank account, booking day, reference, direction and amount, and how
 * many equal lines precede it in the file.
 * @throws what the batches and the end of the source throw
 */
export const importStatement = (pool: AuditedPool, source: StatementSource, now: Date): Promise<ImportSummary> =>
  inTransaction(pool, async (client) => {
    await forStatements(client)
    await stageLines(client, source.batches)
    const { digest, skipped, passedOver = 0 } = source.end()
    await lockRailAccount(client, source.railAccount)
    await dropReversalsOfUnknown(client, source.railAccount)
    const { id, ...imported } = await storeImport(client, source, { digest, skipped, passedOver }, now)
    await createPairingTables(client)
    const stored = { newLines: 0n, reportedFees: 0n, unclear: 0n, maybeRepeated: 0n, reversals: 0n }
    // One after the other: if statements overlap, the later one finds the lines of the earlier one.
    for (const each of await stagedSources(client)) {
      const brought = await storeLines(client, { ...source, id, digest }, each)
      stored.newLines += brought.newLines
      stored.reportedFees += brought.reportedFees
      stored.unclear += brought.unclear
      stored.maybeRepeated += brought.maybeRepeated
      stored.reversals += brought.reversals
    }
    await client.query('update statement_imports set new_lines = $2 where id = $1', [id, stored.newLines])
    if (stored.newLines >= ANALYZE_FROM) await client.query(long('analyze statement_lines'))
    return { ...imported, ...stored }
  })

/** Banks book for the next working day, which may follow several holidays. */
const AHEAD_MS_MAX = 7 * 86_400_000

/** Whether nothing can have been booked at that time yet. */
export const isAhead = (at: Date, now: Date): boolean => at.getTime() > now.getTime() + AHEAD_MS_MAX

type ImportRow = Pick<ImportSummary, 'lines' | 'skipped' | 'firstAt' | 'lastAt' | 'before'> & {
  readonly id: bigint
}

async function storeImport(
  client: Queryable,
  { railAccount, form, name }: StatementSource,
  { digest, skipped, passedOver }: ReturnType<StatementSource['end']>,
  now: Date,
): Promise<ImportRow> {
  // An entry whose day is unreadable, or in the future, says nothing about how far the statement reaches.
  const { rows } = await client.query<ImportRow>(
    long(
      `insert into statement_imports (rail_account, form, name, digest, imported_at, lines, new_lines, skipped, passed_over,
         first_at, last_at)
       select $1, $2, $3, $4, $5, count(*) filter (where is_reversal is not true), 0, $6, $7,
         min(at) filter (where doubt is null or (booked_on is not null and at <= $8)),
         max(at) filter (where doubt is null or (booked_on is not null and at <= $8)) from staged_lines
       returning id, lines, skipped, first_at as "firstAt", last_at as "lastAt",
         (select max(i.imported_at) from statement_imports i where i.rail_account = $1 and i.digest = $4) as before`,
      [railAccount, form, name, digest, now, skipped, passedOver, new Date(now.getTime() + AHEAD_MS_MAX)],
    ),
  )
  return present(rows[0], 'the import')
}

/** Serializes imports and reconciliations of a rail account. */
export const lockRailAccount = (client: Queryable, railAccount: string): Promise<unknown> =>
  client.query('select from rail_accounts where name = $1 for no key update', [railAccount])

/** One import of a statement. */
export interface ImportView {
  readonly id: bigint
  readonly rail_account: string
  readonly form: string
  readonly name: string
  readonly imported_at: Date
  /** All lines of the file, including skipped ones. */
  readonly lines: bigint
  readonly new_lines: bigint
  readonly passed_over: bigint
  readonly skipped: bigint
  readonly first_at: Date | null
  readonly last_at: Date | null
}

interface ImportFilter {
  readonly railAccount?: string | undefined
  /** Only imports with a smaller id. */
  readonly before?: bigint | undefined
  readonly limit: number
}

/** The newest first. */
export const listImports = (pool: Pool, { railAccount, before, limit }: ImportFilter): Promise<ImportView[]> =>
  rowsOf<ImportView>(
    pool,
    `select id, rail_account, form, name, imported_at, lines + passed_over as lines, new_lines, passed_over, skipped,
         first_at, last_at
       from statement_imports where ($1::text is null or rail_account = $1) and ($2::bigint is null or id < $2)
       order by id desc limit $3`,
    [railAccount, before, limit],
  )

/** The rail accounts with at least one imported statement that has lines, by name. */
export async function listStated(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ railAccount: string }>(
    `select rail_account as "railAccount" from statement_imports where form <> $1 and lines > 0
     group by rail_account order by rail_account`,
    [BY_HAND],
  )
  return rows.map(({ railAccount }) => railAccount)
}
