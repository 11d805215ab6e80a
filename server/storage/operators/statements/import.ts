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
 * Stores a statement, all of it or nothing. What was imported before stays as it is: a line is known by the operator's
 * name of it, its direction and amount, and by how many of the same stand before it in one file.
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
    const { rows } = await client.query<Omit<Imported, 'newLines'> & { id: bigint }>(
      long(
        `insert into statement_imports (installation, form, name, digest, imported_at, lines, new_lines, skipped, first_at, last_at)
         select $1, $2, $3, $4, $5, count(*), 0, $6, min(at), max(at) from staged_lines
         returning id, lines, skipped, first_at as "firstAt", last_at as "lastAt",
           (select max(i.imported_at) from statement_imports i where i.installation = $1 and i.digest = $4) as before`,
        [source.installation, source.form, source.name, digest, now, skipped],
      ),
    )
    const { id, ...imported } = present(rows[0], 'the import')
    const { rowCount } = await client.query(long(STORE_LINES, [source.installation, source.currency, id]))
    await client.query(long(TELL_FEES, [source.installation]))
    const newLines = BigInt(rowCount ?? 0)
    await client.query('update statement_imports set new_lines = $2 where id = $1', [id, newLines])
    if (newLines >= ANALYZE_FROM) await client.query(long('analyze statement_lines'))
    return { ...imported, newLines }
  })

/** Imports and reconciliations of an installation, one after the other. */
export const lockInstallation = (client: Queryable, installation: string): Promise<unknown> =>
  client.query('select from rail_installations where name = $1 for no key update', [installation])

const STORE_LINES = `
  insert into statement_lines (installation, currency, import_id, ${LINE.names()}, occurrence)
  select $1, $2, $3, ${LINE.names().replace('fee_minor', 'coalesce(fee_minor, 0)')},
    row_number() over (partition by reference, direction, amount_minor order by n)
  from staged_lines order by n
  on conflict do nothing`

/**
 * A movement that a person has booked has no fee before its own line tells one. Once told it stays, and the next
 * reconciliation books it, as that of any other line.
 */
const TELL_FEES = `
  with told as (
    select distinct on (l.id) l.id, s.fee_minor
    from statement_imports i join statement_lines l on l.import_id = i.id
      join staged_lines s using (reference, direction, amount_minor)
    where i.installation = $1 and i.form = '${BY_HAND}' and l.fee_minor = 0
    order by l.id, s.n
  )
  update statement_lines l set fee_minor = told.fee_minor from told where l.id = told.id and told.fee_minor <> 0`

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
