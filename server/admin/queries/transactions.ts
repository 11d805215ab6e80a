import { PAYMENT_JOB_KINDS } from '../../actions/ports/jobs.ts'
import { OUR_REFERENCE, QUESTION_REFERENCE } from '../../actions/ports/rail-references.ts'
import type { Money } from '../../domain/money.ts'
import { refundReference } from '../../domain/refund.ts'
import type { OrderType } from '../../domain/provider.ts'
import type { Transaction, TransactionStatus } from '../../domain/transaction.ts'
import { available, type Pool } from '../../storage/pool.ts'
import { NAME_WORDS, readSearchMark, searchKey } from '../../storage/search.ts'
import { FIRST_MONTH, idBaseFrom, idBound, LAST_TIME, ofPayment } from '../../storage/time-ids.ts'
import { SHOWN, toShown, type TransactionViewRow } from '../../storage/transaction-row.ts'
import { rowsOf } from './rows.ts'

// Queries of the command line. No payment waits for them, so they may read more than one row per index.

/** A transaction with the details that only staff see. */
export interface StaffTransaction extends Transaction {
  readonly merchantName: string
  readonly merchantPublicKey: string
  readonly customerEmail: string | undefined
  readonly description: string
  readonly redirectUrl: string | undefined
}

export interface StaffTransactionRow extends TransactionViewRow {
  readonly merchant_name: string
  readonly merchant_public_key: string
  readonly customer_email: string | null
  readonly description: string
  readonly redirect_url: string | null
}

/** Selects rows from the payments `t`. */
export const OPERATOR_TRANSACTION = `
  select ${SHOWN}, t.customer_email, t.description, t.redirect_url, m.name as merchant_name,
    m.public_key as merchant_public_key
  from transactions t join merchants m on m.id = t.merchant_id`

export const toStaffTransaction = (row: StaffTransactionRow): StaffTransaction => ({
  ...toShown(row),
  merchantName: row.merchant_name,
  merchantPublicKey: row.merchant_public_key,
  customerEmail: row.customer_email ?? undefined,
  description: row.description,
  redirectUrl: row.redirect_url ?? undefined,
})

export interface TransactionFilter {
  readonly status?: TransactionStatus | undefined
  readonly merchantId?: bigint | undefined
  readonly type?: OrderType | undefined
  readonly providerCode?: string | undefined
  /** Accepted at this time or later, and before `until`. */
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  /** One of these account numbers, with the keys of their search rows. */
  readonly accounts?: readonly { readonly account: string; readonly key: bigint }[] | undefined
  /** All of these words in the customer's name, with the key of its last one; without it among the newest payments. */
  readonly name?: { readonly words: readonly string[]; readonly key?: bigint } | undefined
  /** One number in several currencies: of the transaction, or of its request. */
  readonly amounts?: readonly Money[] | undefined
  /** The operator's id of the movement. */
  readonly receipt?: string | undefined
  /** Any of its references: the merchant's, ours, the operator's ids, or its id. */
  readonly reference?: string | undefined
  /** The beginning of the merchant's reference. */
  readonly prefix?: string | undefined
  /** Reads no older id than this. */
  readonly lowest?: bigint | undefined
  /** Cursor: only transactions after the one with this id. */
  readonly after?: bigint | undefined
  readonly limit: number
}

const SLACK_MS = 60_000
const SECOND_MS = 1_000
export const ID_MAX = 2n ** 63n - 1n

/** $1 to $9 and $13 are what a filter demands, $10 and $11 the range of ids, $12 the number of rows. */
const MATCHES = `($1::text is null or t.status = $1) and ($2::bigint is null or t.merchant_id = $2)
  and ($3::text is null or t.type = $3) and ($4::text is null or t.provider_code = $4)
  and ($5::timestamptz is null or t.created_at >= $5) and ($6::timestamptz is null or t.created_at < $6)
  and ($7::text[] is null or t.account = any($7))
  and ($8::jsonb is null or t.amount_minor = ($8::jsonb ->> t.currency)::bigint
    or t.request_amount_minor = ($8::jsonb ->> t.request_currency)::bigint)
  and ($9::text[] is null or ${NAME_WORDS} @> $9) and ($13::text is null or starts_with(t.merchant_reference, $13))`

// By id, which contains the time: reads one month after the other from the newest row on, and only as many rows as the
// page needs.
const WITHIN = `${OPERATOR_TRANSACTION} where ${MATCHES} and t.id >= $10 and t.id < $11`
// Without attempts and what gives them back: their collection is listed. Each is found by its own reference.
const BY_TIME = `${WITHIN} and t.type not in ('ATTEMPT', 'RETURN')`

/**
 * Optimizer fences (`offset 0`): reads the search rows of the keys in order, and one payment for each, until the page
 * is full. From its statistics alone, the planner may sort all payments of a frequent key.
 */
const byKeys = (count: number): string => `
  select x.* from (
    ${Array.from(
      { length: count },
      (_, n) =>
        `(select transaction_id from search_keys where key = $${14 + n} and transaction_id >= $10 and transaction_id < $11)`,
    ).join(' union all ')} order by transaction_id desc offset 0) s
  cross join lateral (${OPERATOR_TRANSACTION} where t.id = s.transaction_id and ${MATCHES}
    and t.type not in ('ATTEMPT', 'RETURN') offset 0) x
  order by s.transaction_id desc limit $12`

/** The keys of the search rows to read: those of which a payment has the fewest like it first. */
export function keysOf({
  accounts,
  name,
  amounts,
  merchantId,
  providerCode,
}: Omit<TransactionFilter, 'limit'>): readonly bigint[] | undefined {
  if (accounts && amounts)
    return [...new Set(accounts.flatMap(({ key }) => amounts.map((one) => searchKey.accountAndAmount(key, one))))]
  if (accounts) return accounts.map(({ key }) => key)
  if (name?.key !== undefined) return [name.key]
  if (amounts) return [...new Set(amounts.map(searchKey.amount))]
  if (merchantId !== undefined) return [searchKey.merchant(merchantId)]
  return providerCode === undefined ? undefined : [searchKey.provider(providerCode)]
}

/**
 * Of transactions `t` that are not final, which each have a job (`doctor` checks it): they are found by their jobs,
 * because no index has the state, and they are few among all. The job of a collection that was tried again is that of
 * its attempt.
 */
export const HAS_JOB = `t.id in (select subject_id from jobs where kind in ('${PAYMENT_JOB_KINDS.join("', '")}')
  union all select a.collection_id from jobs w join collection_attempts a on a.transaction_id = w.subject_id)`

/** The newest first. Payments that are not in the search rows yet are found among the newest. */
export const listTransactions = (pool: Pool, filter: TransactionFilter): Promise<StaffTransaction[]> =>
  available(async () => {
    const { status, merchantId, type, providerCode, since, until, accounts, name, amounts, prefix, after, limit } =
      filter
    const demands = [
      status,
      merchantId,
      type,
      providerCode,
      since,
      until,
      accounts?.map(({ account }) => account),
      amounts && JSON.stringify(Object.fromEntries(amounts.map((one) => [one.currency, String(one.amountMinor)]))),
      name?.words,
    ]
    const read = async (text: string, range: IdRange, count: number, more: readonly unknown[] = []) =>
      (
        await pool.query<StaffTransactionRow>(text, [...demands, range.low, range.high, count, prefix, ...more])
      ).rows.map(toStaffTransaction)
    const period = idsOfPeriod(since, until)
    const range = { low: higher(filter.lowest ?? 0n, period.low), high: lower(after ?? ID_MAX, period.high) }
    const ids = await namedIds(pool, filter)
    if (ids) return read(`${WITHIN} and t.id = any($14) order by t.id desc limit $12`, range, limit, [ids])
    const open = status === 'PENDING' || status === 'PROCESSING' ? `and ${HAS_JOB}` : ''
    const byTime = (low: bigint) => read(`${BY_TIME} ${open} order by t.id desc limit $12`, { ...range, low }, limit)
    if (name && name.key === undefined) return byTime(higher(await newestFrom(pool), range.low))
    const keys = keysOf(filter)
    if (!keys) return byTime(range.low)
    // Read first: if it moves meanwhile, what is below it stays where it is.
    const mark = await readSearchMark(pool)
    const newest = await byTime(higher(mark, range.low))
    if (newest.length === limit) return newest
    const indexed = { ...range, high: lower(mark, range.high) }
    return [...newest, ...(await read(byKeys(keys.length), indexed, limit - newest.length, keys))]
  })

/** Among how many of the newest payments a name is looked for by a word that has no search row. */
const NEWEST = 10_000

const newestFrom = async (pool: Pool): Promise<bigint> => {
  const { rows } = await pool.query<{ id: bigint | null }>(
    'select min(id) as id from (select id from transactions order by id desc limit $1) t',
    [NEWEST],
  )
  return rows[0]?.id ?? 0n
}

/** Ids from `low` up, below `high`. */
interface IdRange {
  readonly low: bigint
  readonly high: bigint
}

/** The ids of what is accepted in a period, and of few others. */
export const idsOfPeriod = (since: Date | undefined, until: Date | undefined): IdRange => ({
  low: lowestId(since),
  high: highestId(until),
})

const higher = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const lower = (one: bigint, other: bigint): bigint => (one < other ? one : other)
// A payment's id may be a second older than the payment: it has the time of the first use of its reference in its
// batch.
const lowestId = (since: Date | undefined): bigint => (since ? idBaseFrom(new Date(since.getTime() - SLACK_MS)) : 0n)
const highestId = (until: Date | undefined): bigint =>
  until && until <= LAST_TIME ? idBound(new Date(Math.max(until.getTime() + SECOND_MS, FIRST_MONTH.getTime()))) : ID_MAX

const namedIds = async (
  pool: Pool,
  { receipt, reference, merchantId }: TransactionFilter,
): Promise<readonly bigint[] | undefined> => {
  if (receipt !== undefined) return transactionsOfReceipt(pool, receipt)
  return reference === undefined ? undefined : transactionsOfReference(pool, reference, merchantId)
}

/** Operators write receipts in capitals, people type them in any case. */
async function transactionsOfReceipt(pool: Pool, receipt: string): Promise<readonly bigint[]> {
  const { rows } = await pool.query<{ transaction_id: bigint }>(
    `select distinct transaction_id from rail_references
     where reference = any($1) and name not in ('${OUR_REFERENCE}', '${QUESTION_REFERENCE}')`,
    [[receipt, receipt.toUpperCase()]],
  )
  return rows.map(({ transaction_id }) => transaction_id)
}

/** The currencies of the providers, and those that are converted into them. */
export const paymentCurrencies = async (pool: Pool): Promise<readonly string[]> => {
  const rows = await rowsOf<{ currency: string }>(
    pool,
    'select currency from providers union select from_currency from exchange_rates order by 1',
  )
  return rows.map(({ currency }) => currency)
}

/** The calling codes of the countries that have a provider. */
export const callingCodes = async (pool: Pool): Promise<readonly string[]> => {
  const rows = await rowsOf<{ calling_code: string }>(
    pool,
    `select distinct calling_code from providers where calling_code <> '' order by 1`,
  )
  return rows.map(({ calling_code }) => calling_code)
}

/**
 * Finds by merchant reference, internal reference, the rail order id, an external id at the operator, or our id;
 * returns several when merchants use the same reference, or one of them for a payment and a refund.
 */
export const findTransactions = async (
  pool: Pool,
  reference: string,
  merchantId: bigint | undefined,
): Promise<StaffTransaction[]> => {
  const rows = await rowsOf<StaffTransactionRow>(
    pool,
    `${OPERATOR_TRANSACTION}
     where ($3::bigint is null or t.merchant_id = $3) and t.id in (${IDS_OF_REFERENCE}
       union select id from transactions where rail_order_id = $4)
     order by t.created_at desc`,
    [...referenceForms(reference, merchantId), UUID.test(reference) ? reference.toLowerCase() : undefined],
  )
  return rows.map(toStaffTransaction)
}

/**
 * $1 is the reference, $2 the same as an id, $3 a merchant; more ids than people can look through are left out. Queries
 * the table of references per merchant: its key begins with the merchant.
 */
const IDS_OF_REFERENCE = `
  select id from transactions where internal_reference = $1
  union select id from transactions where id = $2
  union (select transaction_id from rail_references
    where reference = any(array[$1, upper($1), lower($1)]) limit 1000)
  union select r.transaction_id from merchants o
    join transaction_references r on r.merchant_id = o.id and r.merchant_reference in ($1, '${refundReference('')}' || $1)
    where $3::bigint is null or o.id = $3`

const referenceForms = (reference: string, merchantId: bigint | undefined) => [reference, idOf(reference), merchantId]

/** Looks where an index is: an order id that is no longer among the references of its order is not found. */
async function transactionsOfReference(
  pool: Pool,
  reference: string,
  merchantId: bigint | undefined,
): Promise<readonly bigint[]> {
  const { rows } = await pool.query<{ id: bigint }>(IDS_OF_REFERENCE, referenceForms(reference, merchantId))
  return rows.map(({ id }) => id)
}

/** Format of a rail order id: only then the query searches for it, which has no index. */
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Parses an id; undefined if the text cannot be one. */
export const idOf = (text: string): bigint | undefined => (/^\d{1,18}$/.test(text) ? BigInt(text) : undefined)

/** The ids of an order at Malipo and at its operator, in the order of time. */
export const railNames = (
  pool: Pool,
  transactionId: bigint,
): Promise<readonly { readonly name: string; readonly reference: string }[]> =>
  rowsOf<{ name: string; reference: string }>(
    pool,
    `select name, reference from rail_references where transaction_id = $1 and name <> '${QUESTION_REFERENCE}'
           order by recorded_at, name, reference`,
    [transactionId],
  )

/** A line of the history, as staff see it. */
export interface HistoryEvent {
  readonly at: Date
  readonly kind: string
  readonly detail: string
}

/** The history of a transaction, the oldest first. */
export const transactionEvents = (pool: Pool, transactionId: bigint): Promise<HistoryEvent[]> =>
  rowsOf<HistoryEvent>(pool, 'select at, kind, detail from transaction_events where transaction_id = $1 order by id', [
    transactionId,
  ])

/** A line of the ledger with its transfer and account, in minor units. */
export interface BookedEntry {
  readonly transfer_id: bigint
  readonly transfer_kind: string
  readonly at: Date
  readonly account: string
  readonly currency: string
  readonly merchant_id: bigint
  readonly provider_code: string
  readonly amount_minor: bigint
}

/** What the ledger booked for a transaction, in the order of booking. */
export const bookedEntries = (pool: Pool, transactionId: bigint): Promise<BookedEntry[]> =>
  rowsOf<BookedEntry>(
    pool,
    `select t.id as transfer_id, t.kind as transfer_kind, t.created_at as at, a.kind as account, a.currency,
       a.merchant_id, a.provider_code, e.amount_minor
     from transfers t join entries e on e.transfer_id = t.id join accounts a on a.id = e.account_id
     where ${ofPayment('t', '$1::bigint')} order by t.id, e.id`,
    [transactionId],
  )
