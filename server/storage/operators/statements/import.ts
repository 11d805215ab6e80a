import { present } from '../../../domain/present.ts'
import { inTransaction, type Pool, type Queryable } from '../../pool.ts'
import { columns } from '../../rows.ts'
import { forStatements, long } from './bounds.ts'

/** A line as it is stored; amounts in minor units of the statement's currency. */
export interface NewStatementLine {
  readonly lineNumber: bigint
  readonly reference: string
  readonly ourReference?: string
  readonly at: Date
  readonly direction: string
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  readonly expectedFeeMinor?: bigint
}

export interface StatementSource {
  readonly installation: string
  readonly currency: string
  readonly form: 'csv' | 'camt.053' | 'pull'
  /** Of the file, or the period that was pulled. */
  readonly name: string
  readonly batches: AsyncIterable<readonly NewStatementLine[]>
  /** Asked once all batches are there. @throws what keeps all of it from being imported */
  end(): { readonly digest?: Uint8Array; readonly skipped: number }
}

/** What an import brought. */
export interface Imported {
  readonly lines: bigint
  /** Of them those that no import had brought before. */
  readonly newLines: bigint
  /** Lines that an import had brought without a fee, and of which this one tells it. */
  readonly toldFees: bigint
  readonly skipped: bigint
  readonly firstAt: Date | null
  readonly lastAt: Date | null
  /** When the very same file was imported before. */
  readonly before: Date | null
}

const LINE = columns<NewStatementLine>({
  lineNumber: 'bigint',
  reference: 'text',
  ourReference: 'text',
  at: 'timestamptz',
  direction: 'text',
  amountMinor: 'bigint',
  feeMinor: 'bigint',
  expectedFeeMinor: 'bigint',
})

/** What form a line has that no statement brought. */
export const BY_HAND = 'booked'

/** Statistics follow by themselves, a minute later: who reconciles at once would have none. */
const ANALYZE_FROM = 5_000n

/**
 * Stores a statement, all of it or nothing. What was imported before stays as it is, but for a fee that only this one
 * tells: a line is known by the operator's name of it, its direction and amount, and by how many of the same stand before
 * it in one file.
 * @throws what the batches and the end of the source throw
 */
export const importStatement = (pool: Pool, source: StatementSource, now: Date): Promise<Imported> =>
  inTransaction(pool, async (client) => {
    await forStatements(client)
    await client.query(
      `create temporary table staged_lines (n bigint generated always as identity, ${LINE.definition}) on commit drop`,
    )
    for await (const batch of source.batches)
      await client.query(
        long(
          `insert into staged_lines (${LINE.names()}) select ${LINE.names()} from json_to_recordset($1) as r(${LINE.definition})`,
          [LINE.json(batch)],
        ),
      )
    const { digest, skipped } = source.end()
    await lockInstallation(client, source.installation)
    const { rows } = await client.query<Omit<Imported, 'newLines' | 'toldFees'> & { id: bigint }>(
      long(
        `insert into statement_imports (installation, form, name, digest, imported_at, lines, new_lines, skipped, first_at, last_at)
         select $1, $2, $3, $4, $5, count(*), 0, $6, min(at), max(at) from staged_lines
         returning id, lines, skipped, first_at as "firstAt", last_at as "lastAt",
           (select max(i.imported_at) from statement_imports i where i.installation = $1 and i.digest = $4) as before`,
        [source.installation, source.form, source.name, digest, now, skipped],
      ),
    )
    const { id, ...imported } = present(rows[0], 'the import')
    // First: the lines that this import brings tell their fees themselves.
    const told = await client.query(long(TELL_FEES, [source.installation]))
    const stored = await client.query(long(STORE_LINES, [source.installation, source.currency, id]))
    const newLines = BigInt(stored.rowCount ?? 0)
    await client.query('update statement_imports set new_lines = $2 where id = $1', [id, newLines])
    if (newLines >= ANALYZE_FROM) await client.query(long('analyze statement_lines'))
    return { ...imported, newLines, toldFees: BigInt(told.rowCount ?? 0) }
  })

/** Imports and reconciliations of an installation, one after the other. */
export const lockInstallation = (client: Queryable, installation: string): Promise<unknown> =>
  client.query('select from rail_installations where name = $1 for no key update', [installation])

/** The how manieth of its kind a line is: by that it is known again in another file. */
const OCCURRENCE = 'row_number() over (partition by reference, direction, amount_minor order by n)'

const STORE_LINES = `
  insert into statement_lines (installation, currency, import_id, ${LINE.names()}, occurrence)
  select $1, $2, $3, ${LINE.names().replace('fee_minor', 'coalesce(fee_minor, 0)')}, ${OCCURRENCE}
  from staged_lines order by n
  on conflict do nothing`

/**
 * A movement that was booked by hand, or came in a file without fees, has none before a later file tells it. Once told it
 * stays, unless a line of its own has told the same before. The next reconciliation books it and judges the order again;
 * what was booked by hand is not judged at all.
 */
const TELL_FEES = `
  update statement_lines l set fee_minor = s.fee_minor,
    settled_at = case when l.transaction_id is null then l.settled_at end
  from (select reference, direction, amount_minor, fee_minor, ${OCCURRENCE} as occurrence from staged_lines) s
  where l.installation = $1 and l.fee_minor = 0 and s.fee_minor <> 0 and l.reference = s.reference
    and l.direction = s.direction and l.amount_minor = s.amount_minor and l.occurrence = s.occurrence
    and s.fee_minor is distinct from (
      select sum(o.fee_minor) from statement_lines o
      where o.installation = l.installation and o.reference = l.reference and o.amount_minor = 0)`

/** One reading of a statement. */
export interface ImportView {
  readonly id: bigint
  readonly installation: string
  readonly form: string
  readonly name: string
  readonly imported_at: Date
  readonly lines: bigint
  readonly new_lines: bigint
  readonly skipped: bigint
  readonly first_at: Date | null
  readonly last_at: Date | null
}

/** The newest first. */
export async function listImports(pool: Pool, installation: string | undefined, limit: number): Promise<ImportView[]> {
  const { rows } = await pool.query<ImportView>(
    `select id, installation, form, name, imported_at, lines, new_lines, skipped, first_at, last_at
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
