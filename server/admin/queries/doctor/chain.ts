import { CHAIN_START, digestAt, isSameDigest, linkHash } from '../../../domain/hash-chain.ts'
import type { Queryable } from '../../../storage/pool.ts'
import { readTransferDigests } from '../../../storage/transfer-digests.ts'
import { EXAMPLES_MAX, type Finding } from './check.ts'

interface StoredLink {
  readonly seq: bigint
  readonly at: Date
  readonly transfer_ids: readonly string[]
  readonly digests: Uint8Array
  readonly hash: Uint8Array
}

/** Links per page: this many are held in memory at once, with 500 transfers each. */
const PAGE_LINKS = 10

/** Violations of the rule: the count, and the first examples. */
class BrokenLinks {
  found = 0
  readonly examples: string[] = []

  add(example: string): void {
    this.found += 1
    if (this.examples.length < EXAMPLES_MAX) this.examples.push(example)
  }
}

/**
 * Recomputes each link of the chain from the current transfers. Call it on a snapshot. Without `since` it checks all
 * transfers against the chain, otherwise those in the temporary table `changed_transfers`.
 * @param since only links after this one
 */
export async function examineChain(client: Queryable, since: bigint | undefined): Promise<Finding> {
  const broken = new BrokenLinks()
  await examineLinks(client, since ?? 0n, broken)
  await examineUnlinked(client, since, broken)
  return {
    name: 'transfers_chained',
    rule: 'every transfer is in the hash chain, with the entries that it had then, and every link follows from the one before',
    found: broken.found,
    examples: broken.examples,
  }
}

async function examineLinks(client: Queryable, since: bigint, broken: BrokenLinks): Promise<void> {
  let last = since
  let previous = await hashOf(client, since)
  for (;;) {
    const { rows } = await client.query<StoredLink>(
      'select seq, at, transfer_ids, digests, hash from ledger_links where seq > $1 order by seq limit $2',
      [last, PAGE_LINKS],
    )
    for (const link of rows) {
      if (link.seq !== last + 1n) broken.add(`link ${last + 1n} is gone`)
      else if (!isSameDigest(link.hash, linkHash(link.seq, previous, link.digests)))
        broken.add(`${named(link)} does not follow from the one before`)
      last = link.seq
      previous = link.hash
    }
    await examineTransfers(client, rows, broken)
    if (rows.length < PAGE_LINKS) return
  }
}

async function hashOf(client: Queryable, seq: bigint): Promise<Uint8Array> {
  const { rows } = await client.query<{ hash: Uint8Array }>('select hash from ledger_links where seq = $1', [seq])
  return rows[0]?.hash ?? CHAIN_START
}

const named = ({ seq, at }: StoredLink): string => `link ${seq} (${at.toISOString()})`

async function examineTransfers(client: Queryable, links: readonly StoredLink[], broken: BrokenLinks): Promise<void> {
  const ids = links.flatMap((link) => link.transfer_ids.map(BigInt))
  if (ids.length === 0) return
  const now = await readTransferDigests(client, ids)
  const missing = ids.filter((id) => !now.has(id))
  const archived = missing.length === 0 ? new Set<bigint>() : await archivedOf(client, missing)
  for (const link of links)
    for (const [index, text] of link.transfer_ids.entries()) {
      const id = BigInt(text)
      const digest = now.get(id)
      if (!digest && !archived.has(id)) broken.add(`transfer ${id} of ${named(link)} is gone`)
      else if (digest && !isSameDigest(digest, digestAt(link.digests, index)))
        broken.add(`transfer ${id} has changed since ${named(link)} was made`)
    }
}

/** Transfers whose month is archived: the files are verified against the chain instead. */
async function archivedOf(client: Queryable, ids: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  const { rows } = await client.query<{ id: bigint }>(
    `select id from unnest($1::bigint[]) as missing(id) join history_months h
       on h.archived_at is not null and id >= h.from_id and id < h.until_id`,
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * A transfer that is new to the doctor is in a new link, or waits for one. By set operations, which stay linear whatever
 * PostgreSQL believes about the length of the arrays: without statistics of `ledger_links` an anti join compared each
 * transfer with every linked one, and 30,000 took longer than the time-out of a statement.
 */
async function examineUnlinked(client: Queryable, since: bigint | undefined, broken: BrokenLinks): Promise<void> {
  const { rows } = await client.query<{ id: bigint }>(
    `select id from ${since === undefined ? 'transfers' : 'pg_temp.changed_transfers'}
     except select unnest(transfer_ids) from ledger_links where seq > $1
     except select transfer_id from unchained_transfers
     order by id`,
    [since ?? 0n],
  )
  const unlinked = new Set(rows.map(({ id }) => id))
  if (since !== undefined && unlinked.size > 0) {
    // An old transfer that has a new entry.
    const { rows: older } = await client.query<StoredLink>(
      'select seq, at, transfer_ids, digests, hash from ledger_links where seq <= $1 and transfer_ids && $2::bigint[]',
      [since, [...unlinked]],
    )
    await examineTransfers(client, older, broken)
    for (const text of older.flatMap((link) => link.transfer_ids)) unlinked.delete(BigInt(text))
  }
  for (const id of unlinked) broken.add(`transfer ${id} is in no link`)
}
