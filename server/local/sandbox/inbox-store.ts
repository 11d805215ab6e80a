import { PAYMENT_JOB_KINDS } from '../../actions/ports/jobs.ts'
import { present } from '../../domain/present.ts'
import { coalesce } from '../../storage/coalesce.ts'
import { available, isUnavailable, type Pool } from '../../storage/pool.ts'
import { columns, type ColumnTypes, type Row } from '../../storage/rows.ts'
import { INBOX_STATES, type InboxFilter, type InboxState } from './inbox-filter.ts'
import type { InboxMessage, NewInboxMessage } from '../../domain/received/message.ts'

const FACTS = {
  receivedAt: 'timestamptz',
  kind: 'text',
  merchantReference: 'text',
  webhookId: 'text',
  answered: 'int',
  signer: 'text',
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

/** Older messages are deleted: the inbox is for inspection, not an archive. */
const INBOX_KEPT_MAX = 500
const LIST_MAX = 100
/** The list shows the beginning of each body; an ordinary callback has 600 bytes. */
const LIST_BODY_MAX_BYTES = 8_192

export type InboxCounts = Readonly<Record<'all' | InboxState, number>>

const OF_STATE = {
  completed: `summary->>'transactionStatus' = 'COMPLETED'`,
  failed: `summary->>'transactionStatus' = 'FAILED'`,
  cancelled: `summary->>'transactionStatus' = 'CANCELLED'`,
  handshakes: `kind = 'handshake'`,
  bad: `'bad' in (checks->'webhook'->>'verdict', checks->'hmac'->>'verdict', checks->'rsa'->>'verdict')`,
} as const satisfies Record<InboxState, string>

/** By the merchant's reference or ours; `$1` null for all. */
const OF_TRANSACTION = `($1::text is null or merchant_reference = $1 or summary->>'internalReference' = $1)`

export interface InboxStore {
  /** @returns the id of the stored message */
  add(message: NewInboxMessage): Promise<bigint>
  /** The newest 100, newest first, each with the first 8 kB of its body. */
  list(filter: InboxFilter): Promise<readonly InboxMessage[]>
  /** Message counts per state, of one transaction or of all. */
  count(reference: string | undefined): Promise<InboxCounts>
  find(id: bigint): Promise<InboxMessage | undefined>
  /** Changes whenever a message is added or deleted, and when other payments wait for their callback. */
  version(): Promise<string>
  clear(): Promise<void>
}

/** The inbox's messages in the database; messages that arrive at the same time share one commit. */
export function createInboxStore(pool: Pool): InboxStore {
  const add = coalesce<NewInboxMessage, bigint>({
    batchMax: 64,
    runsMax: 1,
    run: (messages) => available(() => insert(pool, messages)),
    splitOn: (error) => !isUnavailable(error),
  })
  const select = (body: string, rest: string, values: readonly unknown[]) =>
    available(async () => {
      const { rows } = await pool.query<MessageRow>(
        `select id, delivery, ${FACT_NAMES}, ${body} as body, octet_length(body) as body_bytes from sandbox.inbox ${rest}`,
        [...values],
      )
      return rows.map(toMessage)
    })
  return {
    add,
    list: ({ reference, state }) =>
      select(
        'substring(body from 1 for $2)',
        `where ${OF_TRANSACTION} and ${state === undefined ? 'true' : OF_STATE[state]} order by id desc limit $3`,
        [reference ?? null, LIST_BODY_MAX_BYTES, LIST_MAX],
      ),
    count: (reference) => count(pool, reference),
    find: async (id: bigint) => (await select('body', 'where id = $1', [id]))[0],
    version: () =>
      available(async () => {
        const { rows } = await pool.query<{ version: string }>(
          `select coalesce(max(id), 0) || '.' || count(*) || '.' || (select count(*) || '.' || coalesce(max(subject_id), 0)
             from jobs where kind = any($1)) as version from sandbox.inbox`,
          [PAYMENT_JOB_KINDS],
        )
        return present(rows[0], 'the version of the inbox').version
      }),
    clear: () => available(async () => void (await pool.query('delete from sandbox.inbox'))),
  }
}

const count = (pool: Pool, reference: string | undefined): Promise<InboxCounts> =>
  available(async () => {
    const columns = INBOX_STATES.map((state) => `count(*) filter (where ${OF_STATE[state]})::int as ${state}`)
    const { rows } = await pool.query<InboxCounts>(
      `select count(*)::int as "all", ${columns.join(', ')} from sandbox.inbox where ${OF_TRANSACTION}`,
      [reference ?? null],
    )
    return present(rows[0], 'the counts of the inbox')
  })

// Inserts and trims in one statement. The trimming part sees the table as it was before, so it leaves room for the new
// rows.
const INSERT = `
  with r as (
    select * from rows from (json_to_recordset($1) as (${MESSAGE.definition})) with ordinality
  ), trimmed as (
    delete from sandbox.inbox where id in (
      select id from sandbox.inbox where id <= (select id from sandbox.inbox order by id desc offset $2 limit 1) order by id for update skip locked)
  )
  insert into sandbox.inbox (delivery, ${MESSAGE.names()})
  select
    row_number() over (partition by webhook_id, case when webhook_id is null then ordinality end order by ordinality)
      + (select count(*) from sandbox.inbox i where i.webhook_id = r.webhook_id),
    ${MESSAGE.names()}
  from r order by ordinality
  returning id`

async function insert(pool: Pool, messages: readonly NewInboxMessage[]): Promise<bigint[]> {
  const stored = await pool.query<{ id: bigint }>({
    name: 'add-to-inbox',
    text: INSERT,
    values: [MESSAGE.json(messages), INBOX_KEPT_MAX - messages.length],
  })
  return stored.rows.map(({ id }) => id)
}

const toMessage = (row: MessageRow): InboxMessage => ({
  ...MESSAGE.toFields(row),
  id: row.id,
  delivery: row.delivery,
  body: row.body,
  bodyBytes: row.body_bytes,
})
