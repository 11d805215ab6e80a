import { present } from '../../../domain/present.ts'
import { inTransaction, type Pool, type Queryable } from '../../pool.ts'
import { forStatements, long } from './bounds.ts'
import { BY_HAND, createPairingTables } from './known-lines.ts'
import { dropReversalsOfUnknown, stagedSources, stageLines, type NewStatementLine } from './staging.ts'
import { storeLines, type StoredLines } from './store-lines.ts'

export type { NewStatementLine } from './staging.ts'

export interface StatementSource {
  readonly installation: string
  readonly currency: string
  /** Of days that are not written with the line. */
  readonly timeZone: string
  readonly form: 'csv' | 'camt.053' | 'pull'
  /** Of the file, or the period that was pulled. */
  readonly name: string
  readonly batches: AsyncIterable<readonly NewStatementLine[]>
  /** Asked once all batches are there. @throws what keeps all of it from being imported */
  end(): { readonly digest?: Uint8Array | undefined; readonly skipped: number; readonly passedOver?: number }
}

/** What an import brought. */
export interface Imported extends StoredLines {
  /** Everything that the file says moved money, unclear entries included. */
  readonly lines: bigint
  readonly skipped: bigint
  readonly firstAt: Date | null
  readonly lastAt: Date | null
  /** When the very same file was imported before. */
  readonly before: Date | null
}

/** Statistics follow by themselves, a minute later: who reconciles at once would have none. */
const ANALYZE_FROM = 5_000n

/**
 * Stores a statement, all of it or nothing. What was imported before stays as it is, but for what only this one tells. A
 * line is known by bank account, booking day, reference, direction and amount, and by how many of the same stand before it
 * in the file.
 * @throws what the batches and the end of the source throw
 */
export const importStatement = (pool: Pool, source: StatementSource, now: Date): Promise<Imported> =>
  inTransaction(pool, async (client) => {
    await forStatements(client)
    await stageLines(client, source.batches)
    const { digest, skipped, passedOver = 0 } = source.end()
    await lockInstallation(client, source.installation)
    await dropReversalsOfUnknown(client, source.installation)
    const { id, ...imported } = await storeImport(client, source, { digest, skipped, passedOver }, now)
    await createPairingTables(client)
    const stored = { newLines: 0n, toldFees: 0n, unclear: 0n, maybeRepeated: 0n, reversals: 0n }
    // One after the other: of statements that overlap the later one finds the lines of the earlier.
    for (const each of await stagedSources(client)) {
      const brought = await storeLines(client, { ...source, id, digest }, each)
      stored.newLines += brought.newLines
      stored.toldFees += brought.toldFees
      stored.unclear += brought.unclear
      stored.maybeRepeated += brought.maybeRepeated
      stored.reversals += brought.reversals
    }
    await client.query('update statement_imports set new_lines = $2 where id = $1', [id, stored.newLines])
    if (stored.newLines >= ANALYZE_FROM) await client.query(long('analyze statement_lines'))
    return { ...imported, ...stored }
  })

/** Banks book for the next working day, which may come after a few holidays. */
const AHEAD_MS_MAX = 7 * 86_400_000

/** Whether nothing can have been booked then yet. */
export const isAhead = (at: Date, now: Date): boolean => at.getTime() > now.getTime() + AHEAD_MS_MAX

type ImportRow = Pick<Imported, 'lines' | 'skipped' | 'firstAt' | 'lastAt' | 'before'> & {
  readonly id: bigint
}

async function storeImport(
  client: Queryable,
  { installation, form, name }: StatementSource,
  { digest, skipped, passedOver }: ReturnType<StatementSource['end']>,
  now: Date,
): Promise<ImportRow> {
  // An entry whose day cannot be read, or is still to come, says nothing of how far the statement reaches.
  const { rows } = await client.query<ImportRow>(
    long(
      `insert into statement_imports (installation, form, name, digest, imported_at, lines, new_lines, skipped, passed_over,
         first_at, last_at)
       select $1, $2, $3, $4, $5, count(*) filter (where is_reversal is not true), 0, $6, $7,
         min(at) filter (where doubt is null or (booked_on is not null and at <= $8)),
         max(at) filter (where doubt is null or (booked_on is not null and at <= $8)) from staged_lines
       returning id, lines, skipped, first_at as "firstAt", last_at as "lastAt",
         (select max(i.imported_at) from statement_imports i where i.installation = $1 and i.digest = $4) as before`,
      [installation, form, name, digest, now, skipped, passedOver, new Date(now.getTime() + AHEAD_MS_MAX)],
    ),
  )
  return present(rows[0], 'the import')
}

/** Imports and reconciliations of an installation, one after the other. */
export const lockInstallation = (client: Queryable, installation: string): Promise<unknown> =>
  client.query('select from rail_installations where name = $1 for no key update', [installation])

/** One reading of a statement. */
export interface ImportView {
  readonly id: bigint
  readonly installation: string
  readonly form: string
  readonly name: string
  readonly imported_at: Date
  /** All of the file, also what was passed over. */
  readonly lines: bigint
  readonly new_lines: bigint
  readonly passed_over: bigint
  readonly skipped: bigint
  readonly first_at: Date | null
  readonly last_at: Date | null
}

/** The newest first. */
export async function listImports(pool: Pool, installation: string | undefined, limit: number): Promise<ImportView[]> {
  const { rows } = await pool.query<ImportView>(
    `select id, installation, form, name, imported_at, lines + passed_over as lines, new_lines, passed_over, skipped,
       first_at, last_at
     from statement_imports where $1::text is null or installation = $1 order by id desc limit $2`,
    [installation, limit],
  )
  return rows
}

/** The installations of which a statement with lines was read, by name. */
export async function listStated(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ installation: string }>(
    `select installation from statement_imports where form <> $1 and lines > 0 group by installation order by installation`,
    [BY_HAND],
  )
  return rows.map(({ installation }) => installation)
}
