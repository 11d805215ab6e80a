import type { Anchor } from '../domain/chain-anchor.ts'
import { CHAIN_START, linkHash, type Link } from '../domain/hash-chain.ts'
import { available, inTransaction, type Connections, type Queryable } from './pool.ts'
import { missingDigest, readTransferDigests } from './transfer-digests.ts'

// Transfers come into the chain after their commit, in the order of their transactions: a trigger notes each with its
// transaction id, and a link takes only those that are older than every transaction that still runs. None of them can
// appear later. No payment waits for it.

/** How often a process looks for transfers that are in no link yet. */
export const CHAIN_MS = 10_000
/** Hashing them takes some milliseconds in one go. */
const LINK_TRANSFERS_MAX = 500
/** At one time beside payments: the rest of a database of before waits for the next. */
const LINKS_AT_ONCE_MAX = 100

/**
 * Adds links for what is complete by now, each in a short transaction, until nothing is left or another process does so.
 * @param goesOn asked before each link, with how many there were
 */
export async function extendChain(
  pool: Connections,
  now: () => Date,
  goesOn: (links: number) => boolean = () => true,
): Promise<void> {
  for (let links = 0; goesOn(links); links += 1) {
    const chained = await inTransaction(pool, (client) => addLink(client, now()))
    if (chained < LINK_TRANSFERS_MAX) return
  }
}

/** What a process does every CHAIN_MS. */
export function createChaining(pool: Connections, now: () => Date) {
  let isStopped = false
  return {
    run: () => extendChain(pool, now, (links) => !isStopped && links < LINKS_AT_ONCE_MAX),
    /** Lets a run end after its link. */
    stop() {
      isStopped = true
    },
  }
}

const BUSY = -1

/** @returns how many transfers it has, BUSY when another process adds links */
async function addLink(client: Queryable, now: Date): Promise<number> {
  const { rowCount } = await client.query('select from ledger_chain_turn for update skip locked')
  if (rowCount === 0) return BUSY
  const ids = await takeUnchained(client)
  if (ids.length === 0) return 0
  const found = await readTransferDigests(client, ids)
  const digests = Buffer.concat(ids.map((id) => found.get(id) ?? missingDigest(id)))
  const last = await readHead(client)
  const seq = (last?.seq ?? 0n) + 1n
  await client.query('insert into ledger_links (seq, at, transfer_ids, digests, hash) values ($1, $2, $3, $4, $5)', [
    seq,
    now,
    ids,
    digests,
    linkHash(seq, last?.hash ?? CHAIN_START, digests),
  ])
  return ids.length
}

// A transaction id beyond those of this cluster comes from another one, which was restored from a dump.
const COMPLETE = `
  xid < pg_snapshot_xmin(pg_current_snapshot()) or xid >= pg_snapshot_xmax(pg_current_snapshot())`

/** @returns the transfers of the next link, in the order of their transactions */
async function takeUnchained(client: Queryable): Promise<bigint[]> {
  const { rows } = await client.query<{ xid: string; transfer_id: bigint }>({
    name: 'take-unchained',
    text: `with next as materialized (
             select xid, transfer_id from unchained_transfers where ${COMPLETE} order by xid, transfer_id limit $1
           )
           delete from unchained_transfers u using next n
           where u.xid = n.xid and u.transfer_id = n.transfer_id returning u.xid, u.transfer_id`,
    values: [LINK_TRANSFERS_MAX],
  })
  return rows
    .map(({ xid, transfer_id: id }) => ({ xid: BigInt(xid), id }))
    .toSorted((one, other) => compare(one.xid, other.xid) || compare(one.id, other.id))
    .map(({ id }) => id)
}

const compare = (one: bigint, other: bigint): number => {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** So long after its commit a transfer is chained, however much is to be done; after that somebody is told. */
export const CHAIN_BEHIND_MS = 10 * 60_000

/** When the oldest transfer was booked that is in no link yet; undefined when every one is. */
export async function oldestUnchained(client: Queryable): Promise<Date | undefined> {
  const { rows } = await client.query<{ at: Date }>({
    name: 'oldest-unchained',
    // What names no transfer is no reason to look past it.
    text: `select case when isfinite(t.created_at) then t.created_at else 'epoch' end as at
           from (select transfer_id from unchained_transfers order by xid, transfer_id limit 1) u
             left join transfers t on t.id = u.transfer_id`,
  })
  return rows[0]?.at
}

/** The last link; undefined before the first. */
export async function readHead(client: Queryable): Promise<Anchor | undefined> {
  const { rows } = await client.query<Anchor>('select seq, hash, at from ledger_links order by seq desc limit 1')
  return rows[0]
}

/** Links by their sequences, those that are there. */
export const readLinks = (client: Queryable, seqs: readonly bigint[]): Promise<readonly Link[]> =>
  available(
    async () => (await client.query<Link>('select seq, hash from ledger_links where seq = any($1)', [seqs])).rows,
  )
