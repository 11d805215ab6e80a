import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { unpackBody } from '../../storage/packed-body.ts'
import type { Pool } from '../../storage/pool.ts'

/** A piece of text and where it was found: `transactions.description`, `log line 17 (request)`. */
export interface Text {
  readonly where: string
  readonly text: string
}

/**
 * Every value of every column of every table, as PostgreSQL writes it; bytes as hexadecimal, and packed bodies as the
 * text
 * in them. Partitions are read with their table.
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

export interface RecordedText extends Text {
  readonly url: string
}

export interface TalkativeReceiver {
  readonly url: string
  readonly received: readonly RecordedText[]
  /** The reply to every callback from now on; it can use the request's own text. */
  answerWith(reply: (request: string) => string): void
  close(): Promise<void>
}

/** A merchant's server that keeps every byte it receives, and may say too much in its replies. */
export async function startTalkativeReceiver(): Promise<TalkativeReceiver> {
  const received: RecordedText[] = []
  let replyTo = (_request: string) => ''
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', rawHeaders } = request
    const all = `${method} ${url}\n${rawHeaders.join('\n')}\n\n${await text(request)}`
    received.push({ where: method === 'GET' ? 'handshake' : 'callback', url, text: all })
    response.end(replyTo(all))
  }
  const server = createServer((request, response) => void receive(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answerWith: (reply) => {
      replyTo = reply
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
