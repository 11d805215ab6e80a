import type { Anchor } from '../domain/chain-anchor.ts'
import { CHAIN_START, linkHash, type Link } from '../domain/hash-chain.ts'
import { available, inTransaction, type Connections, type Queryable } from './pool.ts'
import { missingDigest, readTransferDigests } from './transfer-digests.ts'

// Transfers are chained after their commit, in the order of their transactions. A trigger records each transfer with
// its transaction id, and a link takes only transfers that are older than every running transaction, so none of them
// can appear later. No payment waits for the chain.

/** How often a process polls for transfers that no link contains yet. */
export const CHAIN_MS = 10_000
/** Hashing a full link blocks for some milliseconds. */
const LINK_TRANSFERS_MAX = 500
/**
 * Maximum number of links per run, which competes with payments. What a database from before the chain still lacks
 * waits for the next run.
 */
const LINKS_AT_ONCE_MAX = 100

/**
 * Adds links for all transfers that are ready, each in a short transaction, until none is left or another process
 * takes over.
 * @param goesOn called before each link with the number of links so far; false stops
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

/** The task that a process runs every CHAIN_MS. */
export function createChaining(pool: Connections, now: () => Date) {
  let isStopped = false
  return {
    run: () => extendChain(pool, now, (links) => !isStopped && links < LINKS_AT_ONCE_MAX),
    /** Stops the run after its current link. */
    stop() {
      isStopped = true
    },
  }
}

const BUSY = -1

/** @returns the number of transfers in the link, or BUSY when another process is adding links */
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

// A transaction id beyond those of this cluster comes from another cluster, whose dump was restored here.
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

/** A transfer is chained within this time after its commit, whatever the backlog; a longer delay is reported. */
export const CHAIN_BEHIND_MS = 10 * 60_000

/** When the oldest unchained transfer was booked; undefined when all are chained. */
export async function oldestUnchained(client: Queryable): Promise<Date | undefined> {
  const { rows } = await client.query<{ at: Date }>({
    name: 'oldest-unchained',
    // An entry whose transfer does not exist counts too, as the oldest possible one.
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

/** Reads links by their sequence numbers; missing ones are omitted. */
export const readLinks = (client: Queryable, seqs: readonly bigint[]): Promise<readonly Link[]> =>
  available(
    async () => (await client.query<Link>('select seq, hash from ledger_links where seq = any($1)', [seqs])).rows,
  )
