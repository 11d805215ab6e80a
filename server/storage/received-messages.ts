import { present } from '../domain/present.ts'
import type { InboxMessage, NewInboxMessage } from '../domain/received/message.ts'
import { available, type Pool } from './pool.ts'
import { columns, type ColumnTypes, type Row } from './rows.ts'

// What the inbox of the sandbox and the test receivers of merchants received, in one table.

const FACTS = {
  receivedAt: 'timestamptz',
  kind: 'text',
  merchantReference: 'text',
  webhookId: 'text',
  answered: 'int',
  signer: 'text',
  merchantId: 'bigint',
  requestLine: 'text',
  latencyMs: 'int',
  expiresAt: 'timestamptz',
  summary: 'json',
  headers: 'json',
  checks: 'json',
} as const satisfies ColumnTypes<Omit<NewInboxMessage, 'body'>>
const FACT_NAMES = columns<Omit<NewInboxMessage, 'body'>>(FACTS).names()
const MESSAGE = columns<NewInboxMessage>({ ...FACTS, body: 'bytea' })

interface MessageRow extends Row<NewInboxMessage> {
  readonly id: bigint
  readonly delivery: number
  readonly body: Buffer
  readonly body_bytes: number
}

/** Of one merchant: a receiver is for inspection, not an archive. */
export const RECEIVED_KEPT_MAX = 50
/** A list shows the beginning of each body; an ordinary callback has 600 bytes. */
export const LIST_BODY_MAX_BYTES = 8_192

/** Reads messages, each with as much of its body as `body` selects. */
export const selectReceived = (
  pool: Pool,
  body: string,
  rest: string,
  values: readonly unknown[],
): Promise<InboxMessage[]> =>
  available(async () => {
    const { rows } = await pool.query<MessageRow>(
      `select id, delivery, ${FACT_NAMES}, ${body} as body, octet_length(body) as body_bytes from sandbox.inbox ${rest}`,
      [...values],
    )
    return rows.map((row) => ({
      ...MESSAGE.toFields(row),
      id: row.id,
      delivery: row.delivery,
      body: row.body,
      bodyBytes: row.body_bytes,
    }))
  })

// Inserts and trims in one statement. The trimming part sees the table as it was before, so it leaves room for the new
// rows.
const insertText = (among: string): string => `
  with r as (
    select * from rows from (json_to_recordset($1) as (${MESSAGE.definition})) with ordinality
  ), trimmed as (
    delete from sandbox.inbox where id in (
      select id from sandbox.inbox where ${among}
        and id <= (select id from sandbox.inbox where ${among} order by id desc offset $2 limit 1)
      order by id for update skip locked)
  )
  insert into sandbox.inbox (delivery, ${MESSAGE.names()})
  select
    row_number() over (partition by webhook_id, case when webhook_id is null then ordinality end order by ordinality)
      + (select count(*) from sandbox.inbox i where i.webhook_id = r.webhook_id),
    ${MESSAGE.names()}
  from r order by ordinality
  returning id`
const [INSERT, INSERT_OF_MERCHANT] = [insertText('true'), insertText('merchant_id = $3')]

/** Stores messages, and deletes the oldest beyond so many. @returns their ids */
export async function addReceived(
  pool: Pool,
  messages: readonly NewInboxMessage[],
  keptMax: number,
): Promise<bigint[]> {
  const { rows } = await pool.query<{ id: bigint }>({
    name: 'add-to-inbox',
    text: INSERT,
    values: [MESSAGE.json(messages), keptMax - messages.length],
  })
  return rows.map(({ id }) => id)
}

/** Stores a message of a merchant, and deletes their oldest beyond RECEIVED_KEPT_MAX. @returns it as stored */
export const addReceivedOf = (pool: Pool, merchantId: bigint, message: NewInboxMessage): Promise<InboxMessage> =>
  available(async () => {
    const values = [MESSAGE.json([{ ...message, merchantId }]), RECEIVED_KEPT_MAX - 1, merchantId]
    const { rows } = await pool.query<{ id: bigint }>(INSERT_OF_MERCHANT, values)
    const [stored] = await selectReceived(pool, 'body', 'where id = $1', [rows[0]?.id])
    return present(stored, 'the message that was stored')
  })
