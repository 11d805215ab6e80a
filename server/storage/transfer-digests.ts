import { recordDigest } from '../domain/hash-chain.ts'
import type { Queryable } from './pool.ts'

/** A transfer with its entries as the chain has it, each number as text. */
export interface ChainedTransfer {
  readonly id: string
  readonly kind: string
  readonly transactionId: string | null
  /** Microseconds since 1970. */
  readonly createdAt: string
  readonly entries: readonly ChainedEntry[]
}

/** The account stands there with its whole name: another merchant's wallet under the same id is another entry. */
export interface ChainedEntry {
  readonly id: string
  readonly accountId: string
  readonly account: string
  readonly amountMinor: string
}

/** @param transfer with its entries in the order of their ids */
export const transferDigest = ({ id, kind, transactionId, createdAt, entries }: ChainedTransfer): Uint8Array =>
  recordDigest([
    id,
    kind,
    transactionId,
    createdAt,
    entries.map((entry) => [entry.id, entry.accountId, entry.account, entry.amountMinor]),
  ])

/** The digest of what was gone before it was chained. */
export const missingDigest = (id: bigint): Uint8Array => recordDigest([String(id)])

interface AccountRow {
  readonly id: string
  readonly kind: string
  readonly currency: string
  readonly merchant_id: string
  readonly provider_code: string
  readonly installation: string
}

/** What an account is called in a digest. */
export const chainedAccount = (row: Omit<AccountRow, 'id'>): string =>
  JSON.stringify([row.kind, row.currency, row.merchant_id, row.provider_code, row.installation])

interface TransferRow {
  readonly id: bigint
  readonly kind: string
  readonly transaction_id: bigint | null
  readonly micros: bigint
  readonly entries: string | null
}

/** Entries in one text of numbers: a third of the time that a row for each of them takes. */
const TRANSFERS = `
  select r.id, r.kind, r.transaction_id, (extract(epoch from r.created_at) * 1000000)::bigint as micros,
    (select string_agg(e.id || ' ' || e.account_id || ' ' || e.amount_minor, ',' order by e.id)
      from public.entries e where e.transfer_id = r.id) as entries
  from public.transfers r where r.id = any($1)`

/** The digests of these transfers as they are now; of what is not there none. */
export async function readTransferDigests(
  client: Queryable,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, Uint8Array>> {
  const { rows } = await client.query<TransferRow>({ name: 'chained-transfers', text: TRANSFERS, values: [ids] })
  const parsed = rows.map((row) => ({ row, entries: entriesOf(row) }))
  const names = await accountNames(
    client,
    new Set(parsed.flatMap(({ entries }) => entries.map(([, account]) => account))),
  )
  return new Map(
    parsed.map(({ row, entries }) => [
      row.id,
      transferDigest({
        id: String(row.id),
        kind: row.kind,
        transactionId: row.transaction_id === null ? null : String(row.transaction_id),
        createdAt: String(row.micros),
        entries: entries.map(([id = '', accountId = '', amountMinor = '']) => ({
          id,
          accountId,
          account: names.get(accountId) ?? '',
          amountMinor,
        })),
      }),
    ]),
  )
}

const entriesOf = ({ entries }: TransferRow): readonly (readonly string[])[] =>
  (entries ?? '') === '' ? [] : (entries ?? '').split(',').map((entry) => entry.split(' '))

async function accountNames(
  client: Queryable,
  ids: ReadonlySet<string | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<AccountRow>({
    name: 'chained-accounts',
    text: `select id::text, kind, currency, merchant_id::text, provider_code, installation from public.accounts
           where id = any($1)`,
    values: [[...ids]],
  })
  return new Map(rows.map((row) => [row.id, chainedAccount(row)]))
}
