import type { Anchor } from '../../domain/chain-anchor.ts'
import { CHAIN_START, isSameDigest, linkHash, recordDigest, type Link } from '../../domain/hash-chain.ts'
import { present } from '../../domain/present.ts'
import { available, type Pool, type Queryable } from '../../storage/pool.ts'
import { EXAMPLES_MAX, type Finding } from './doctor/check.ts'

// The hash chain of the audit log, by the module of the ledger's chain. Each link holds one entry and commits with it,
// under the lock of one row: concurrent writers follow each other, so the chain cannot fork. Other transactions never
// wait for it: an entry is the last statement of its change.

/** An entry of the audit log as it is stored, without its link. */
export interface AuditRecord {
  readonly id: bigint
  readonly at: Date
  readonly actor_kind: string
  readonly actor: string
  readonly role: string | null
  readonly person_id: bigint | null
  readonly address: string | null
  readonly command: string
  readonly subject: string
  readonly merchant_id: bigint | null
  readonly old: Readonly<Record<string, string>>
  readonly new: Readonly<Record<string, string>>
  readonly reason: string | null
  readonly reference: string | null
  readonly request_id: string | null
}

/** The columns of AuditRecord. */
export const AUDIT_COLUMNS =
  'id, at, actor_kind, actor, role, person_id, address, command, subject, merchant_id, old, new, reason, reference, request_id'

/** jsonb does not keep the order of names. */
const sorted = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1))

const digestOf = (record: AuditRecord): Uint8Array =>
  recordDigest([
    String(record.id),
    record.at.toISOString(),
    record.actor_kind,
    record.actor,
    record.role,
    record.person_id === null ? null : String(record.person_id),
    record.address,
    record.command,
    record.subject,
    record.merchant_id === null ? null : String(record.merchant_id),
    sorted(record.old),
    sorted(record.new),
    record.reason,
    record.reference,
    record.request_id,
  ])

/** Until the end of the transaction nobody else adds an entry or changes people. */
export const lockAuditChain = (client: Queryable): Promise<unknown> =>
  client.query('select from audit_chain for update')

/** The last link; undefined before the first. */
export async function readAuditHead(client: Queryable): Promise<Anchor | undefined> {
  const { rows } = await client.query<Anchor>(
    'select seq, hash, at from audit_log where seq is not null order by seq desc limit 1',
  )
  return rows[0]
}

/** The link of a new entry. Call it under the lock. */
export async function nextAuditLink(client: Queryable, record: AuditRecord): Promise<Link> {
  const head = await readAuditHead(client)
  const seq = (head?.seq ?? 0n) + 1n
  return { seq, hash: linkHash(seq, head?.hash ?? CHAIN_START, digestOf(record)) }
}

/** Links of the audit log by their sequence numbers; missing ones are omitted. */
export const readAuditLinks = (client: Queryable, seqs: readonly bigint[]): Promise<readonly Link[]> =>
  available(async () => (await client.query<Link>('select seq, hash from audit_log where seq = any($1)', [seqs])).rows)

const PAGE = 1_000

/** Recomputes every link of the audit log. */
export async function examineAuditLog(client: Queryable): Promise<Finding> {
  const broken: string[] = []
  let last: Link = { seq: 0n, hash: CHAIN_START }
  for (;;) {
    const { rows } = await client.query<AuditRecord & Link>(
      `select ${AUDIT_COLUMNS}, seq, hash from audit_log where seq > $1 order by seq limit $2`,
      [last.seq, PAGE],
    )
    for (const entry of rows) {
      if (entry.seq !== last.seq + 1n) broken.push(`an entry before entry ${entry.id} is gone`)
      else if (!isSameDigest(entry.hash, linkHash(entry.seq, last.hash, digestOf(entry))))
        broken.push(`entry ${entry.id} (${entry.at.toISOString()}) has changed, or the one before it`)
      last = entry
    }
    if (rows.length < PAGE) break
  }
  const { rows } = await client.query<{ unchained: bigint; stored: bigint }>(
    'select unchained, (select count(*) from audit_log where seq is null) as stored from audit_chain',
  )
  const { unchained, stored } = present(rows[0], 'the row of the audit chain')
  if (unchained !== stored) broken.push(`${stored} entries are in no link, and ${unchained} are older than the chain`)
  return {
    name: 'audit_chained',
    rule: 'every entry of the audit log is in its hash chain, as it was written',
    found: broken.length,
    examples: broken.slice(0, EXAMPLES_MAX),
  }
}

/** What is wrong with the audit log, and the head of its chain. */
export const verifyAuditLog = (pool: Pool): Promise<{ faults: readonly string[]; head: Anchor | undefined }> =>
  available(async () => ({ faults: (await examineAuditLog(pool)).examples, head: await readAuditHead(pool) }))
