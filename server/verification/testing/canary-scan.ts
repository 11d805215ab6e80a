import { unpackBody } from '../../storage/packed-body.ts'
import type { Pool } from '../../storage/pool.ts'
import type { ReceivedCallback } from './receiver.ts'

/** A piece of text and where it was found: `transactions.description`, `log line 17 (request)`. */
export interface Text {
  readonly where: string
  readonly text: string
}

/**
 * Every value of every column of every table, as PostgreSQL writes it; bytes as hexadecimal, and packed bodies as the
 * text in them. Partitions are read with their table.
 */
export async function textsOfDatabase(pool: Pool): Promise<Text[]> {
  const { rows: columns } = await pool.query<{ table: string; column: string; expression: string }>(`
    select format('%s.%s', table_schema, table_name) as table, column_name as column,
      format('select %I::text as value from %I.%I where %I is not null', column_name, table_schema, table_name, column_name) as expression
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'
      and not exists (select from pg_class c where c.relispartition
        and c.oid = format('%I.%I', table_schema, table_name)::regclass)`)
  const texts = await Promise.all(
    columns.map(async ({ table, column, expression }) => {
      const { rows } = await pool.query<{ value: string }>(expression)
      const where = `${table.replace(/^public\./, '')}.${column}`
      if (where !== 'callbacks.packed_body') return rows.map(({ value }) => ({ where, text: value }))
      return rows.map(({ value }) => ({
        where: 'callbacks.body',
        text: unpackBody(Buffer.from(value.slice('\\x'.length), 'hex')),
      }))
    }),
  )
  return texts.flat()
}

/** Everything that a merchant's server received in one request. */
export const textOfRequest = ({ method, path, headers, body }: ReceivedCallback): Text => ({
  where: method === 'GET' ? 'handshake' : 'callback',
  text: `${method} ${path}\n${JSON.stringify(headers)}\n\n${body}`,
})
