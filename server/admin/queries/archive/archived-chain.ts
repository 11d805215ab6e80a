import { join } from 'node:path'
import { inTransaction, type Pool, type Queryable } from '../../../storage/pool.ts'
import { chainedAccount, transferDigest, type ChainedEntry } from '../../../storage/transfer-digests.ts'
import { forStatements, long } from '../statements/bounds.ts'
import { ArchiveDamaged, readLines, type Manifest } from './month-files.ts'

/** The files of a month and the hash chain in the database disagree. */
export class ChainMismatch extends Error {
  override readonly name = 'ChainMismatch'
}

/**
 * Verifies the transfers in a month's files against the hash chain, which outlives the month in the database.
 * @returns the number of transfers
 * @throws ChainMismatch when a transfer differs from what was chained, is missing or was never chained
 */
export const verifyChained = (pool: Pool, folder: string, manifest: Manifest): Promise<number> =>
  inTransaction(pool, async (client) => {
    await forStatements(client)
    await client.query(
      long(
        `create temp table chained_digests on commit drop as
           select t.id, substring(l.digests from (t.n::int - 1) * 32 + 1 for 32) as digest
           from ledger_links l cross join unnest(l.transfer_ids) with ordinality as t(id, n)
           where t.id >= ${BigInt(manifest.from_id)} and t.id < ${BigInt(manifest.until_id)}`,
      ),
    )
    await client.query(long('create index on chained_digests (id); analyze chained_digests'))
    let count = 0
    for await (const page of pagesOf(digestsOf(folder, manifest))) {
      count += page.length
      await comparePage(client, folder, page)
    }
    const { rows } = await client.query<{ count: bigint }>(long('select count(distinct id) from chained_digests'))
    const chained = Number(rows[0]?.count ?? 0n)
    if (chained !== count)
      throw new ChainMismatch(`the files in ${folder} have ${count} transfers, the hash chain ${chained} of that month`)
    return count
  })

interface DigestedTransfer {
  readonly id: string
  readonly digest: Uint8Array
}

async function comparePage(client: Queryable, folder: string, page: readonly DigestedTransfer[]): Promise<void> {
  const { rows } = await client.query<{ id: bigint; is_chained: boolean }>(
    long(
      `select f.id, c.id is not null as is_chained from unnest($1::bigint[], $2::bytea[]) as f(id, digest)
         left join chained_digests c on c.id = f.id where c.digest is distinct from f.digest order by f.id limit 1`,
      [page.map(({ id }) => id), page.map(({ digest }) => digest)],
    ),
  )
  const [first] = rows
  if (first)
    throw new ChainMismatch(
      `transfer ${first.id} in ${folder} ${first.is_chained ? 'is not what it was when it was chained' : 'is in no link of the hash chain'}`,
    )
}

const PAGE_ROWS = 5_000

async function* pagesOf(digests: AsyncIterable<DigestedTransfer>): AsyncGenerator<readonly DigestedTransfer[]> {
  let page: DigestedTransfer[] = []
  for await (const each of digests) {
    page.push(each)
    if (page.length < PAGE_ROWS) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

/**
 * Digests of the transfers in the files, by ascending id. Both files are in that order, so they are read side by side.
 */
async function* digestsOf(folder: string, { tables, accounts }: Manifest): AsyncGenerator<DigestedTransfer> {
  const names = new Map(accounts.map((account) => [account.account_id, chainedAccount(account)]))
  const linesOf = (table: string): AsyncIterable<string> => {
    const file = tables.find((each) => each.table === table)?.file
    if (file === undefined) throw new ArchiveDamaged(`${join(folder, table)} is not in the manifest`)
    return readLines(folder, file)
  }
  const entries = linesOf('entries')[Symbol.asyncIterator]()
  let next = await entryAfter(entries, names)
  for await (const line of linesOf('transfers')) {
    const { id, kind, transaction_id: transactionId, created_at } = JSON.parse(line) as TransferLine
    const own: ChainedEntry[] = []
    // Skips entries of transfers that are not in the files: the caller compares the number of transfers.
    for (; next && BigInt(next.transferId) <= BigInt(id); next = await entryAfter(entries, names))
      if (next.transferId === String(id)) own.push(next)
    const transfer = { id: String(id), kind, transactionId: transactionId === null ? null : String(transactionId) }
    yield {
      id: transfer.id,
      digest: transferDigest({ ...transfer, createdAt: microsOf(created_at), entries: own }),
    }
  }
}

/** The ids fit into JSON numbers: 53 bits. */
interface TransferLine {
  readonly id: number
  readonly kind: string
  readonly transaction_id: number | null
  readonly created_at: string
}

type EntryOfTransfer = ChainedEntry & { readonly transferId: string }

async function entryAfter(
  lines: AsyncIterator<string>,
  names: ReadonlyMap<string, string>,
): Promise<EntryOfTransfer | undefined> {
  const line = await lines.next()
  if (line.done === true) return undefined
  // Amounts may exceed the range of a JSON number.
  const field = (name: string): string => new RegExp(`"${name}":(-?\\d+)`).exec(line.value)?.[1] ?? ''
  const accountId = field('account_id')
  return {
    id: field('id'),
    transferId: field('transfer_id'),
    accountId,
    account: names.get(accountId) ?? '',
    amountMinor: field('amount_minor'),
  }
}

/** Converts a time as PostgreSQL writes it into JSON to microseconds since 1970. */
function microsOf(text: string): string {
  const [, seconds, fraction = '', zone] = /^([^.]+?)(?:\.(\d{1,6}))?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? []
  const ms = Date.parse(`${seconds}${zone}`)
  if (Number.isNaN(ms)) throw new ArchiveDamaged(`no time: ${text}`)
  return String(BigInt(ms) * 1000n + BigInt(fraction.padEnd(6, '0')))
}
