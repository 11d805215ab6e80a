import { hash } from 'node:crypto'
import { present } from '../domain/present.ts'
import { amountToWire, type Money } from '../domain/money.ts'
import type { Digests } from './digests.ts'
import { inTransaction, type Connections, type Queryable } from './pool.ts'
import { idBound } from './time-ids.ts'

// Payments are indexed for staff after their commit, in batches, by one worker at a time. The mark moves in the commit
// of the rows, so a crash loses and repeats nothing; what is above the mark, a search reads from the payments.

/** How often a process polls for payments to index. */
export const INDEX_MS = 10_000
const BATCH_MAX = 1_000
/** Maximum number of batches per run: the payments from before this index wait for the next runs. */
const BATCHES_AT_ONCE_MAX = 50
/**
 * A payment's id has the time of its request, which waits at most 5 s for its batch and 15 s for a statement. Nothing
 * as old as this begins to be written.
 */
const SETTLED_MS = 60_000

/** A key is half of a digest: two values may share one, so a search compares the payments that it finds. */
const keyOf = (digest: Uint8Array): bigint => Buffer.from(digest).readBigInt64BE()
const plainKey = (kind: string, text: string): bigint => keyOf(hash('sha256', `${kind}\0${text}`, 'buffer'))

/** The keys of what staff search by. */
export const searchKey = {
  /** Keyed: whoever reads the table cannot try all phone numbers. */
  account: (digests: Digests, account: string): bigint => keyOf(digests('search account', account)),
  /** Of the number alone: staff may not know the currency. */
  amount: (money: Money): bigint => plainKey('amount', String(amountToWire(money.amountMinor, money.currency))),
  merchant: (id: bigint): bigint => plainKey('merchant', String(id)),
  provider: (code: string): bigint => plainKey('provider', code),
}

/** Ids of payments from this one up may have no rows yet. */
export const readSearchMark = async (client: Queryable): Promise<bigint> => {
  const { rows } = await client.query<{ upto: bigint }>('select upto from search_mark')
  return present(rows[0], 'the mark of the search').upto + 1n
}

/** The task that a process runs every INDEX_MS. */
export function createIndexing(pool: Connections, digests: Digests, now: () => Date) {
  let isStopped = false
  return {
    async run(): Promise<void> {
      for (let batches = 0; !isStopped && batches < BATCHES_AT_ONCE_MAX; batches += 1)
        if ((await inTransaction(pool, (client) => indexBatch(client, digests, now()))) < BATCH_MAX) return
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
  /** No transaction that runs now is older than the candidate. */
  readonly is_ready: boolean
}

/** @returns how many payments got their rows; 0 also when another process is at it */
async function indexBatch(client: Queryable, digests: Digests, now: Date): Promise<number> {
  // A transaction id beyond those of this cluster comes from another cluster, whose dump was restored here.
  const { rows } = await client.query<Mark>(
    `select upto, next_upto, next_xid < pg_snapshot_xmin(s) or next_xid >= pg_snapshot_xmax(s) as is_ready
     from search_mark, pg_current_snapshot() s for update of search_mark skip locked`,
  )
  const [mark] = rows
  if (!mark) return 0
  if (mark.upto === mark.next_upto) {
    await client.query(`update search_mark set next_upto = greatest(upto, $1), next_xid = pg_current_xact_id()`, [
      idBound(new Date(now.getTime() - SETTLED_MS)) - 1n,
    ])
    return 0
  }
  return mark.is_ready ? indexUpto(client, digests, mark) : 0
}

interface IndexedRow {
  readonly id: bigint
  readonly merchant_id: bigint
  readonly provider_code: string
  readonly account: string
  readonly currency: string
  readonly amount_minor: bigint
  readonly request_currency: string
  readonly request_amount_minor: bigint
}

async function indexUpto(client: Queryable, digests: Digests, mark: Mark): Promise<number> {
  const { rows } = await client.query<IndexedRow>({
    name: 'payments-to-index',
    text: `select id, merchant_id, provider_code, account, currency, amount_minor, request_currency, request_amount_minor
           from transactions where id > $1 and id <= $2 order by id limit $3`,
    values: [mark.upto, mark.next_upto, BATCH_MAX],
  })
  const found = rows.map((row) => ({ id: row.id, keys: keysOf(digests, row) }))
  await client.query({
    name: 'index-payments',
    text: `insert into search_keys (key, transaction_id) select * from unnest($1::bigint[], $2::bigint[])
           on conflict do nothing`,
    values: [found.flatMap(({ keys }) => keys), found.flatMap(({ id, keys }) => keys.map(() => id))],
  })
  await client.query('update search_mark set upto = $1', [rows.length < BATCH_MAX ? mark.next_upto : rows.at(-1)?.id])
  return rows.length
}

const keysOf = (digests: Digests, row: IndexedRow): readonly bigint[] => [
  searchKey.account(digests, row.account),
  searchKey.merchant(row.merchant_id),
  searchKey.provider(row.provider_code),
  searchKey.amount({ amountMinor: row.amount_minor, currency: row.currency }),
  ...(row.request_currency === row.currency
    ? []
    : [searchKey.amount({ amountMinor: row.request_amount_minor, currency: row.request_currency })]),
]
