import type {
  EventQuery,
  MerchantLists,
  Statement,
  StatementEntry,
  StatementQuery,
} from '../../actions/ports/merchant-lists.ts'
import { unpackBody } from '../../storage/packed-body.ts'
import { StorageUnavailable } from '../../actions/ports/store.ts'
import { available, type Pool } from '../../storage/pool.ts'
import { lowestLookedAt } from './looked-at.ts'
import { withStatement, type StatementMovement } from './reports.ts'
import { listTransactions } from './transactions.ts'

/** How many of a merchant's payments a page looks at: a filter that few of them pass must not read all of them. */
export const LOOKED_AT_MAX = 500

/** What merchants read, by the queries of staff. */
export const createMerchantLists = (pool: Pool): MerchantLists => ({
  archivedMonth: () =>
    available(async () => {
      const { rows } = await pool.query<{ month: string | null }>(
        'select max(month) as month from history_months where archived_at is not null',
      )
      return rows[0]?.month ?? undefined
    }),

  async transactions(merchantId, query) {
    const { from, to, after, limit, ...demands } = query
    const filter = { ...demands, merchantId, since: from, until: to, after }
    const lowest = await lowestLookedAt(pool, { merchantId, since: from, until: to, after }, LOOKED_AT_MAX)
    const found = await listTransactions(pool, { ...filter, lowest, limit: limit + 1 })
    const transactions = found.slice(0, limit)
    return { transactions, next: found.length > limit ? transactions.at(-1)?.id : lowest }
  },

  archivedEvents: (merchantId) =>
    available(async () => {
      const { rows } = await pool.query<{ archived: bigint }>(
        'select archived from merchant_event_counts where merchant_id = $1',
        [merchantId],
      )
      return rows[0]?.archived ?? 0n
    }),

  events: (merchantId, query) =>
    available(async () => {
      const { rows } = await pool.query<EventRow>(
        `select e.number, c.webhook_id, c.body, c.packed_body
         from merchant_events e join callbacks c on c.id = e.callback_id
         where e.merchant_id = $1 and e.number > $2 order by e.number limit $3`,
        [merchantId, await beginOf(pool, merchantId, query), query.limit],
      )
      return rows.map(({ number, webhook_id: webhookId, body, packed_body: packed }) => ({
        number,
        webhookId,
        body: packed ? unpackBody(packed) : (body ?? ''),
      }))
    }),

  statement: oneAtATime((merchantId, query) => readStatement(pool, merchantId, query)),
})

/** How many wait for the statement before theirs. */
const WAITING_MAX = 8

/** A statement reads what was booked since it began: only one of them is read at a time, on one connection. */
function oneAtATime(read: MerchantLists['statement']): MerchantLists['statement'] {
  let [last, waiting]: [Promise<unknown>, number] = [Promise.resolve(), 0]
  return (merchantId, query) => {
    if (waiting >= WAITING_MAX) throw new StorageUnavailable('too many statements are read')
    waiting += 1
    const statement = last.then(() => read(merchantId, query))
    last = statement.catch(() => undefined).finally(() => (waiting -= 1))
    return statement
  }
}

async function readStatement(
  pool: Pool,
  merchantId: bigint,
  { purpose, currency, from, to, entriesMax }: StatementQuery,
): Promise<Statement | 'too_long'> {
  let read: Statement | 'too_long' = { openingMinor: 0n, closingMinor: 0n, entries: [] }
  const isAsked = (one: { readonly purpose: string; readonly currency: string }) =>
    one.purpose === purpose && one.currency === currency
  await withStatement(pool, merchantId, { from, until: to }, async ({ wallets, lines }) => {
    const wallet = wallets.find(isAsked)
    if (!wallet) return
    if (wallet.movements.reduce((sum, { count }) => sum + count, 0) > entriesMax) return void (read = 'too_long')
    let balanceMinor = wallet.opening_minor
    const entries: StatementEntry[] = []
    for await (const page of lines)
      for (const line of page.filter(isAsked)) entries.push(entryOf(line, (balanceMinor += line.amount_minor)))
    read = { openingMinor: wallet.opening_minor, closingMinor: wallet.closing_minor, entries }
  })
  return read
}

const entryOf = (line: StatementMovement, balanceMinor: bigint): StatementEntry => ({
  at: line.at,
  kind: line.kind,
  amountMinor: line.amount_minor,
  balanceMinor,
  merchantReference: line.merchant_reference ?? undefined,
  transactionAmountMinor: line.transaction_amount_minor ?? undefined,
  chargeMinor: line.charge_minor ?? undefined,
  reference: line.reference ?? undefined,
})

interface EventRow {
  readonly number: bigint
  readonly webhook_id: string
  readonly body: string | null
  readonly packed_body: Uint8Array | null
}

/** Numbers follow the commits: of two callbacks of about one time the later may have the lower number. */
const COMMITTED_WITHIN_MS = 5 * 60_000

/** The number after which a reader begins. */
async function beginOf(pool: Pool, merchantId: bigint, { after = 0n, from }: EventQuery): Promise<bigint> {
  if (!from) return after
  const { rows } = await pool.query<{ before: bigint | null }>(
    `select coalesce(
       (select e.number - 1 from callbacks c join merchant_events e on e.callback_id = c.id
        where c.merchant_id = $1 and c.created_at >= $2 order by c.created_at limit 1),
       (select last from merchant_event_counts where merchant_id = $1)) as before`,
    [merchantId, new Date(from.getTime() - COMMITTED_WITHIN_MS)],
  )
  const before = rows[0]?.before ?? 0n
  return before > after ? before : after
}
