import { WalletFilled, WalletTooLow } from '../actions/ports/store.ts'
import type { WalletBalance, LedgerWrites } from '../actions/ports/ledger.ts'
import type { QueryConfig } from 'pg'
import { accountName, type AccountKey, type Transfer } from '../domain/ledger.ts'
import { runAll, type Queryable } from './pool.ts'
import { jsonRows } from './rows.ts'
import { ofPayment, transferIdOf } from './time-ids.ts'
import { nextTransferIds } from './transfer-ids.ts'

export const ledgerStatements = (client: Queryable): Pick<LedgerWrites, 'balances' | 'bookedInto'> => ({
  async balances(keys) {
    const { rows } = await client.query<{ name: string; balance_minor: bigint }>({
      name: 'balances',
      text: `select a.balance_minor, ${ACCOUNT_NAME} as name from accounts a
               join ${ACCOUNT_KEYS} using (${ACCOUNT_KEY})`,
      values: columnsOf(keys),
    })
    return new Map(rows.map(({ name, balance_minor }) => [name, balance_minor]))
  },

  async bookedInto(kind, transactionIds) {
    const { rows } = await client.query<{ transaction_id: bigint; amount_minor: bigint }>({
      name: 'booked-into',
      // Optimizer fence: one look-up for each payment. As a join, the range of ids seems to have many rows, and the plan
      // reads all transfers instead.
      text: `select k.id as transaction_id, booked.amount_minor
             from unnest($2::bigint[]) as k(id) cross join lateral (
               select sum(e.amount_minor)::bigint as amount_minor
               from transfers t
                 join entries e on e.transfer_id = t.id
                   and e.transfer_id between first_id_of_payment(k.id) and last_id_of_payment(k.id)
                 join accounts a on a.id = e.account_id
               where ${ofPayment('t', 'k.id')} and t.kind = 'collection' and a.kind = $1) booked
             where booked.amount_minor is not null`,
      values: [kind, transactionIds],
    })
    return new Map(rows.map((row) => [row.transaction_id, row.amount_minor]))
  },
})

/**
 * Distinguishes "a wallet would fall below zero" (WalletTooLow) from other failures of a transaction that books
 * transfers.
 */
export async function walletsCover<T>(transaction: () => Promise<T>): Promise<T> {
  try {
    return await transaction()
  } catch (error) {
    const { code, table } = error as { code?: string; table?: string }
    throw code === '23514' && table === 'accounts' ? new WalletTooLow(error) : error
  }
}

/**
 * Books any number of transfers: entries and balances in one statement.
 * @throws a check violation when a wallet would fall below zero
 */
export async function bookTransfers(
  client: Queryable,
  transfers: readonly Transfer[],
  now: Date,
  ids: readonly bigint[] = [],
): Promise<void> {
  await runAll(client, await bookingRows(client, transfers, now, ids))
}

/**
 * Builds the one statement that books all transfers; none when there is nothing to book. Opens missing accounts.
 * @param ids of the transfers, all of which move an amount, where something else sets them; absent: the next ones
 */
export async function bookingRows(
  client: Queryable,
  transfers: readonly Transfer[],
  now: Date,
  ids: readonly bigint[] = [],
): Promise<QueryConfig[]> {
  const moving = transfers.filter(({ entries }) => entries.length > 0)
  if (moving.length === 0) return []
  const idOf = await idsOf(client, moving, now, ids)
  const accountIds = await findOrOpenAccounts(
    client,
    moving.flatMap(({ entries }) => entries.map(({ account }) => account)),
  )
  const entries = moving.flatMap(({ entries: of }, n) =>
    of.map(({ account, amountMinor }) => ({
      n,
      account_id: accountIds.get(accountName(account)),
      amount_minor: amountMinor,
    })),
  )
  const booked = moving.map(({ kind, transactionId }, n) => ({ n, kind, transaction_id: transactionId, id: idOf(n) }))
  return [{ name: 'book-transfers', text: BOOK_TRANSFERS, values: [jsonRows(booked), jsonRows(entries), now] }]
}

/** The id of each transfer; undefined where the sequence assigns it. */
async function idsOf(
  client: Queryable,
  moving: readonly Transfer[],
  now: Date,
  given: readonly bigint[],
): Promise<(n: number) => bigint | undefined> {
  if (given.length > 0) return (n) => given[n]
  const own = await nextTransferIds(
    client,
    moving.filter(({ transactionId }) => transactionId === undefined).length,
    now,
  )
  const ids = moving.map(({ kind, transactionId }) =>
    transactionId === undefined ? own.shift() : transferIdOf(transactionId, kind),
  )
  return (n) => ids[n]
}

/**
 * Locks these wallets until commit, together with all accounts that the transfers touch, in the same order as a
 * booking does.
 * @throws WalletFilled when a wallet holds more
 */
export async function holdAtMost(
  client: Queryable,
  balances: readonly WalletBalance[],
  transfers: readonly Transfer[],
): Promise<void> {
  if (balances.length === 0) return
  const moved = transfers.flatMap(({ entries }) => entries.map(({ account }) => account))
  const wanted = new Map([...moved, ...balances.map(({ wallet }) => wallet)].map((key) => [accountName(key), key]))
  const { rows } = await client.query<{ name: string; balance_minor: bigint }>({
    name: 'lock-accounts',
    text: `select a.balance_minor, ${ACCOUNT_NAME} as name from accounts a
             join ${ACCOUNT_KEYS} using (${ACCOUNT_KEY}) order by a.id for update of a`,
    values: columnsOf([...wanted.values()]),
  })
  const held = new Map(rows.map(({ name, balance_minor }) => [name, balance_minor]))
  if (balances.some(({ wallet, balanceMinor }) => (held.get(accountName(wallet)) ?? 0n) > balanceMinor))
    throw new WalletFilled()
}

// Lock order: the rows of all accounts are locked by id before any is changed, so batches of several workers never
// deadlock.
const BOOK_TRANSFERS = `
  with t as materialized (
    select coalesce(id, nextval('transfer_ids')) as id, n, kind, transaction_id
      from json_to_recordset($1) as r(n int, kind text, transaction_id bigint, id bigint)
  ), e as materialized (
    select t.id as transfer_id, r.account_id, r.amount_minor
      from json_to_recordset($2) as r(n int, account_id bigint, amount_minor bigint) join t using (n)
  ), stored_transfers as (
    insert into transfers (id, kind, transaction_id, created_at) select id, kind, transaction_id, $3 from t
  ), stored_entries as (
    insert into entries (transfer_id, account_id, amount_minor) select transfer_id, account_id, amount_minor from e
  ), moved as materialized (
    select account_id, sum(amount_minor)::bigint as by_minor from e group by account_id
  ), locked as materialized (
    select id from accounts where id in (select account_id from moved) order by id for update
  )
  update accounts set balance_minor = balance_minor + by_minor
  from moved where accounts.id = moved.account_id and accounts.id in (select id from locked)`

// Must return the same text as `accountName` in the domain.
const ACCOUNT_NAME = `a.kind || ':' || a.currency || ':' || a.merchant_id || ':' || a.provider_code
  || case when a.rail_account = '' then '' else ':' || a.rail_account end`
const ACCOUNT_KEY = 'kind, currency, merchant_id, provider_code, rail_account'
const ACCOUNT_KEYS = `unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[]) as k(${ACCOUNT_KEY})`

/** @returns the id of each account by its name; missing accounts are opened with a balance of zero */
async function findOrOpenAccounts(client: Queryable, keys: readonly AccountKey[]): Promise<Map<string, bigint>> {
  const wanted = new Map(keys.map((key) => [accountName(key), key]))
  const found = await selectAccounts(client, [...wanted.values()])
  const missing = [...wanted].filter(([name]) => !found.has(name)).map(([, key]) => key)
  if (missing.length === 0) return found
  await openAccounts(client, missing)
  return selectAccounts(client, [...wanted.values()])
}

const columnsOf = (keys: readonly AccountKey[]) => [
  keys.map(({ kind }) => kind),
  keys.map(({ currency }) => currency),
  keys.map(({ merchantId }) => merchantId ?? 0n),
  keys.map(({ providerCode }) => providerCode ?? ''),
  keys.map(({ railAccount }) => railAccount ?? ''),
]

async function selectAccounts(client: Queryable, keys: readonly AccountKey[]): Promise<Map<string, bigint>> {
  const { rows } = await client.query<{ id: bigint; name: string }>({
    name: 'select-accounts',
    text: `select a.id, ${ACCOUNT_NAME} as name from accounts a
             join ${ACCOUNT_KEYS} using (${ACCOUNT_KEY})`,
    values: columnsOf(keys),
  })
  return new Map(rows.map(({ id, name }) => [name, id]))
}

/** Opens those of the accounts that do not exist yet. */
export async function openAccounts(client: Queryable, keys: readonly AccountKey[]): Promise<void> {
  await client.query(
    `insert into accounts (${ACCOUNT_KEY}) select * from ${ACCOUNT_KEYS} order by 1, 2, 3, 4, 5 on conflict do nothing`,
    columnsOf(keys),
  )
}
