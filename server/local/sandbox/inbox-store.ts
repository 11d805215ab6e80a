import { PAYMENT_JOB_KINDS } from '../../actions/ports/jobs.ts'
import { present } from '../../domain/present.ts'
import { coalesce } from '../../storage/coalesce.ts'
import { available, type Pool } from '../../storage/pool.ts'
import { addReceived, LIST_BODY_MAX_BYTES, selectReceived } from '../../storage/received-messages.ts'
import { INBOX_STATES, type InboxFilter, type InboxState } from './inbox-filter.ts'
import type { InboxMessage, NewInboxMessage } from '../../domain/received/message.ts'

/** Older messages are deleted: the inbox is for inspection, not an archive. */
const INBOX_KEPT_MAX = 500
const LIST_MAX = 100

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
    run: (messages) => available(() => addReceived(pool, messages, INBOX_KEPT_MAX)),
  })
  const select = selectReceived.bind(undefined, pool)
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
