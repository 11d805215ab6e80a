import { hash } from 'node:crypto'
import { present } from '../domain/present.ts'
import { amountToWire, type Money } from '../domain/money.ts'
import type { Digests } from './digests.ts'
import { inTransaction, type Connections, type Queryable } from './pool.ts'
import { idBound } from './time-ids.ts'

// Payments are indexed for staff after their commit, in batches, by one worker at a time. The mark moves in the commit
// of the rows, so a crash loses and repeats nothing; what is above the mark, a search reads from the payments.
//
// An id has the time of its request, so a payment may be stored late: by a process that was paused in between. Whoever
// stores a payment at or below the next mark moves the mark back in the same commit (`markBack`). It may miss a mark
// that is not committed yet, but then it has its transaction id already. So a worker
//
// 1. publishes the next mark, and commits;
// 2. takes a transaction id, which is above those of all who may have missed the mark;
// 3. indexes up to the mark once no transaction below that id runs any more.

/** How often a process polls for payments to index. */
export const INDEX_MS = 10_000
const BATCH_MAX = 1_000
/** Maximum number of batches per run: the payments from before this index wait for the next runs. */
const BATCHES_AT_ONCE_MAX = 50
/** A request waits at most 5 s for its batch and 15 s for a statement: only after a pause is a payment stored later. */
const SETTLED_MS = 60_000
/** The `next_xid` of a mark that is published. No transaction has this id. */
const PUBLISHED = '0'

/** A key is half of a digest: two values may share one, so a search compares the payments that it finds. */
const keyOf = (digest: Uint8Array): bigint => Buffer.from(digest).readBigInt64BE()
const plainKey = (kind: string, text: string): bigint => keyOf(hash('sha256', `${kind}\0${text}`, 'buffer'))
/** Of the number alone: staff may not know the currency. */
const numberOf = ({ amountMinor, currency }: Money): string => String(amountToWire(amountMinor, currency))

/** The keys of what staff search by. */
export const searchKey = {
  /** Keyed: whoever reads the table cannot try all phone numbers. */
  account: (digests: Digests, account: string): bigint => keyOf(digests('search account', account)),
  /** Keyed as well. @param word of `wordsOfName` */
  name: (digests: Digests, word: string): bigint => keyOf(digests('search name', word)),
  /** Of the number alone: staff may not know the currency. */
  amount: (money: Money): bigint => plainKey('amount', numberOf(money)),
  /** Both together: otherwise each payment of an account would be compared where none of them has the amount. */
  accountAndAmount: (accountKey: bigint, money: Money): bigint =>
    plainKey('account and amount', `${accountKey}\0${numberOf(money)}`),
  merchant: (id: bigint): bigint => plainKey('merchant', String(id)),
  provider: (code: string): bigint => plainKey('provider', code),
}

/** The words of a name, as they are compared (`NAME_WORDS`). */
export const wordsOfName = (name: string): readonly string[] => name.toLowerCase().split(' ').filter(Boolean)
/** The same in SQL, of the payments `t`. */
export const NAME_WORDS = `string_to_array(lower(t.customer_name), ' ')`

/** Ids of payments from this one up may have no rows yet. */
export const SEARCH_MARK = 'select upto + 1 as upto from search_mark'
export const readSearchMark = async (client: Queryable): Promise<bigint> => {
  const { rows } = await client.query<{ upto: bigint }>(SEARCH_MARK)
  return present(rows[0], 'the mark of the search').upto
}

/**
 * Selects the ids of a merchant's payments in a range of ids. The names are SQL expressions; `key` is that of the
 * merchant's search rows, which payments from `mark` on may not have yet.
 */
export const paymentsOfMerchant = (
  of: Readonly<Record<'merchant' | 'key' | 'low' | 'high' | 'mark', string>>,
): string =>
  `select transaction_id as id from search_keys
   where key = ${of.key} and transaction_id >= ${of.low} and transaction_id < least(${of.high}::bigint, ${of.mark}::bigint)
   union all select id from transactions
   where merchant_id = ${of.merchant} and id >= greatest(${of.low}::bigint, ${of.mark}::bigint) and id < ${of.high}`

/**
 * Moves the mark back below payments that are stored late; their rows are written by a later run. Where none is late,
 * it changes and locks nothing. To be executed when its transaction has an id.
 * @param payments the name of a table in SQL, with their ids
 */
export const markBack = (payments: string): string =>
  `update search_mark set upto = least(upto, below), next_upto = below
   from (select min(id) - 1 as below from ${payments}) late where next_upto > below`

/** The task that a process runs every INDEX_MS. */
export function createIndexing(pool: Connections, digests: Digests, now: () => Date) {
  let isStopped = false
  return {
    async run(): Promise<void> {
      await inTransaction(pool, (client) => indexAgain(client, digests))
      for (let batches = 0; !isStopped && batches < BATCHES_AT_ONCE_MAX; batches += 1)
        if (!(await inTransaction(pool, (client) => indexBatch(client, digests, now())))) return
    },
    /** Stops the run after its current batch. */
    stop() {
      isStopped = true
    },
  }
}

interface Mark {
  readonly upto: bigint
  readonly next_upto: bigint
  readonly next_xid: string
  /** No transaction that runs now is older than the id of step 2. */
  readonly is_ready: boolean
}

/** @returns whether there is more to do now; not when another process is at it */
async function indexBatch(client: Queryable, digests: Digests, now: Date): Promise<boolean> {
  // A transaction id beyond those of this cluster comes from another cluster, whose dump was restored here.
  const { rows } = await client.query<Mark>(
    `select upto, next_upto, next_xid, next_xid < pg_snapshot_xmin(s) or next_xid >= pg_snapshot_xmax(s) as is_ready
     from search_mark, pg_current_snapshot() s for update of search_mark skip locked`,
  )
  const [mark] = rows
  if (!mark) return false
  const bound = idBound(new Date(now.getTime() - SETTLED_MS)) - 1n
  if (mark.upto === mark.next_upto) {
    if (bound <= mark.upto) return false
    await client.query('update search_mark set next_upto = $1, next_xid = $2', [bound, PUBLISHED])
    return true
  }
  if (mark.next_xid === PUBLISHED) {
    await client.query('update search_mark set next_xid = pg_current_xact_id()')
    return false
  }
  return mark.is_ready && indexUpto(client, digests, mark)
}

interface IndexedRow {
  readonly id: bigint
  readonly merchant_id: bigint
  readonly provider_code: string
  readonly account: string
  readonly customer_name: string | null
  readonly currency: string
  readonly amount_minor: bigint
  readonly request_currency: string
  readonly request_amount_minor: bigint
}

const INDEXED_COLUMNS =
  'id, merchant_id, provider_code, account, customer_name, currency, amount_minor, request_currency, request_amount_minor'

async function indexUpto(client: Queryable, digests: Digests, mark: Mark): Promise<boolean> {
  const { rows } = await client.query<IndexedRow>({
    name: 'payments-to-index',
    text: `select ${INDEXED_COLUMNS} from transactions where id > $1 and id <= $2 order by id limit $3`,
    values: [mark.upto, mark.next_upto, BATCH_MAX],
  })
  await insertKeys(client, digests, rows)
  const isMore = rows.length === BATCH_MAX
  await client.query('update search_mark set upto = $1', [isMore ? rows.at(-1)?.id : mark.next_upto])
  return isMore
}

/** Keys of what changed in payments that have keys; those of before stay: a search compares what it finds. */
async function indexAgain(client: Queryable, digests: Digests): Promise<void> {
  const { rows: changed } = await client.query<{ transaction_id: bigint }>({
    name: 'payments-to-index-again',
    text: `delete from search_again where transaction_id in (select transaction_id from search_again
             where transaction_id <= (select upto from search_mark) order by 1 limit $1 for update skip locked)
           returning transaction_id`,
    values: [BATCH_MAX],
  })
  if (changed.length === 0) return
  const { rows } = await client.query<IndexedRow>(
    `select ${INDEXED_COLUMNS} from transactions where id = any($1::bigint[])`,
    [changed.map(({ transaction_id: id }) => id)],
  )
  await insertKeys(client, digests, rows)
}

async function insertKeys(client: Queryable, digests: Digests, rows: readonly IndexedRow[]): Promise<void> {
  const found = rows.map((row) => ({ id: row.id, keys: keysOf(digests, row) }))
  await client.query({
    name: 'index-payments',
    text: `insert into search_keys (key, transaction_id) select * from unnest($1::bigint[], $2::bigint[])
           on conflict do nothing`,
    values: [found.flatMap(({ keys }) => keys), found.flatMap(({ id, keys }) => keys.map(() => id))],
  })
}

function keysOf(digests: Digests, row: IndexedRow): readonly bigint[] {
  const account = searchKey.account(digests, row.account)
  const amounts = [{ amountMinor: row.amount_minor, currency: row.currency }]
  if (row.request_currency !== row.currency)
    amounts.push({ amountMinor: row.request_amount_minor, currency: row.request_currency })
  return [
    account,
    searchKey.merchant(row.merchant_id),
    searchKey.provider(row.provider_code),
    ...amounts.flatMap((amount) => [searchKey.amount(amount), searchKey.accountAndAmount(account, amount)]),
    // Of a name only the last word has a row: a payment takes few bytes. Staff find new payments by its other words.
    ...wordsOfName(row.customer_name ?? '')
      .slice(-1)
      .map((word) => searchKey.name(digests, word)),
  ]
}
