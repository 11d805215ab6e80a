import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import { present } from '../../../domain/present.ts'
import { HISTORY, partitionOf } from '../../../storage/months.ts'
import { inTransaction, type Pool, type Queryable } from '../../../storage/pool.ts'
import { ARCHIVE_EVENTS } from '../../../storage/merchant-events.ts'
import { extendChain } from '../../../storage/ledger-chain.ts'
import { syncFolder } from '../../../sync-folder.ts'
import { restartCounts } from '../ledger-marks.ts'
import { recordAction, type AuditedAction } from '../audit-log.ts'
import { PAID_UNSETTLED } from '../suspense.ts'
import { forStatements, long } from '../statements/bounds.ts'
import { verifyChained } from './archived-chain.ts'
import { ARCHIVED, rowsOfMonth } from './archived-tables.ts'
import {
  MANIFEST,
  readManifest,
  verifyFiles,
  writeFileOf,
  type AccountSum,
  type Manifest,
  type Month,
} from './month-files.ts'

/**
 * A month may be archived when it ended this long ago: longer than any credit waits, and than anybody asks about a
 * payment.
 */
export const KEPT_MONTHS = 13

export type ArchiveResult =
  | { readonly result: 'archived'; readonly folder: string; readonly manifest: Manifest }
  | { readonly result: 'archived_before'; readonly at: Date }
  | { readonly result: 'no_such_month' }
  | { readonly result: 'too_young'; readonly archivableFrom: Date }
  /** What is not final yet, with the number of each. */
  | { readonly result: 'open'; readonly open: readonly OpenMatter[] }

interface OpenMatter {
  readonly what: string
  readonly count: number
}

/**
 * Moves a month into files and drops its partitions from the database. A run that was interrupted continues where it
 * stopped: until its last commit everything is still in the database, and after it everything is in files that were
 * read again.
 * @param folder gets a folder of the month's name
 * @param action the audit entry, written in the last commit
 * @throws ArchiveDamaged when files of an earlier attempt have changed
 * @throws ChainMismatch when the transfers do not match the hash chain
 */
export async function archiveMonth(
  pool: Pool,
  name: string,
  folder: string,
  now: Date,
  action: AuditedAction,
): Promise<ArchiveResult> {
  const found = await findMonth(pool, name)
  if (!found) return { result: 'no_such_month' }
  if (found.archivedAt) return { result: 'archived_before', at: found.archivedAt }
  const archivableFrom = new Date(Date.UTC(Number(name.slice(0, 4)), Number(name.slice(5)) + KEPT_MONTHS, 1))
  if (now < archivableFrom) return { result: 'too_young', archivableFrom }
  const open = await seal(pool, found)
  if (open.length > 0) return { result: 'open', open }
  const target = join(folder, name)
  if (!existsSync(join(target, MANIFEST))) await writeMonth(pool, found, target, now)
  const manifest = await readManifest(target)
  await verifyFiles(target, manifest)
  await extendChain(pool, () => now)
  await verifyChained(pool, target, manifest)
  await takeOut(pool, found, manifest, now, { ...action, folder: target })
  return { result: 'archived', folder: target, manifest }
}

async function findMonth(
  pool: Pool,
  name: string,
): Promise<(Month & { readonly archivedAt: Date | null }) | undefined> {
  const { rows } = await pool.query<{ from_id: bigint; until_id: bigint; archived_at: Date | null }>(
    'select from_id, until_id, archived_at from history_months where month = $1',
    [name],
  )
  return rows[0] && { name, fromId: rows[0].from_id, untilId: rows[0].until_id, archivedAt: rows[0].archived_at }
}

const OPEN = ({ name }: Month): readonly (readonly [what: string, sql: string])[] => [
  ['payments without an end', `${partitionOf('transactions', name)} where status in ('PENDING', 'PROCESSING')`],
  [
    'payments that their rail has paid and that are not booked',
    `${partitionOf('transactions', name)} t where ${PAID_UNSETTLED}`,
  ],
  ['callbacks on their way', `${partitionOf('callbacks', name)} where status = 'PENDING'`],
  ['pieces of work', `jobs where kind <> 'readRailCallback' and subject_id >= $1 and subject_id < $2`],
  [
    'unread messages of operators',
    'rail_callbacks where sealed_body is not null and transaction_id >= $1 and transaction_id < $2',
  ],
  [
    'exceptions of a reconciliation',
    'reconciliation_exceptions where ended_at is null and transaction_id >= $1 and transaction_id < $2',
  ],
  [
    "lines of operators' statements",
    'statement_lines where settled_at is null and transaction_id >= $1 and transaction_id < $2',
  ],
]

/**
 * Seals the month: from here on the database refuses every change to it. Seals nothing while something in it is open.
 * @returns what is open
 */
async function seal(pool: Pool, month: Month): Promise<readonly OpenMatter[]> {
  try {
    await inTransaction(pool, async (client) => {
      await forStatements(client)
      for (const { name } of HISTORY) {
        const partition = partitionOf(name, month.name)
        // Row triggers: a change that a payment makes through the parent table fires no statement trigger of a
        // partition.
        await client.query(
          `create or replace trigger sealed before insert or update or delete on ${partition}
           for each row execute function refuse_change()`,
        )
      }
      const open = await openMatters(client, month)
      if (open.length > 0) throw new StillOpen(open)
    })
    return []
  } catch (error) {
    if (error instanceof StillOpen) return error.open
    throw error
  }
}

/** Rolls the seals back. */
class StillOpen extends Error {
  readonly open: readonly OpenMatter[]

  constructor(open: readonly OpenMatter[]) {
    super('something of the month is open')
    this.open = open
  }
}

async function openMatters(client: Queryable, month: Month): Promise<readonly OpenMatter[]> {
  const open: OpenMatter[] = []
  for (const [what, sql] of OPEN(month)) {
    const values = sql.includes('$1') ? [month.fromId, month.untilId] : []
    const { rows } = await client.query<{ n: number }>(long(`select count(*)::int as n from ${sql}`, values))
    const { n } = present(rows[0], 'a count')
    if (n > 0) open.push({ what, count: n })
  }
  return open
}

/** Writes under a temporary name until it is complete. */
async function writeMonth(pool: Pool, month: Month, target: string, now: Date): Promise<void> {
  const draft = `${target}.draft`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  const manifest = await inTransaction(pool, async (client): Promise<Manifest> => {
    await forStatements(client)
    const tables = []
    for (const table of ARCHIVED) tables.push(await writeFileOf(client, table, month, draft))
    const ids = { from_id: String(month.fromId), until_id: String(month.untilId) }
    const accounts = await sumsOf(client, month)
    return { format: 1, month: month.name, ...ids, archived_at: now.toISOString(), tables, accounts }
  })
  await writeFile(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
  await syncFolder(draft)
  await rename(draft, target)
  await syncFolder(dirname(target))
}

async function sumsOf(client: Queryable, { name }: Month): Promise<AccountSum[]> {
  const { rows } = await client.query<AccountSum>(
    long(
      `select e.account_id::text, a.kind, a.currency, a.merchant_id::text, a.provider_code, a.rail_account, e.entries, e.sum_minor
       from (select account_id, count(*)::int as entries, sum(amount_minor)::text as sum_minor
         from ${partitionOf('entries', name)} group by 1) e join accounts a on a.id = e.account_id order by a.id`,
    ),
  )
  return rows
}

/**
 * The last steps: deletes the rows of tables without partitions. Then, in one transaction, it drops the partitions and
 * books their sums.
 */
async function takeOut(
  pool: Pool,
  month: Month,
  manifest: Manifest,
  now: Date,
  action: AuditedAction & { readonly folder: string },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await forStatements(client)
    for (const table of ARCHIVED.filter(({ isPartitioned }) => !isPartitioned)) {
      const { from, where } = rowsOfMonth(table, month.name, month)
      await client.query(long(`delete from ${from} where ${where}`))
    }
    await client.query(long(ARCHIVE_EVENTS, [month.fromId, month.untilId]))
    await client.query(
      long('delete from search_keys where transaction_id >= $1 and transaction_id < $2', [month.fromId, month.untilId]),
    )
  })
  await inTransaction(pool, async (client) => {
    await forStatements(client)
    await restartCounts(client)
    // Nothing has changed since it was sealed; checked against the files once more, because what follows is final.
    const sums = await sumsOf(client, month)
    if (JSON.stringify(sums) !== JSON.stringify(manifest.accounts))
      throw new Error(`the entries of ${month.name} in the database are not those of the files`)
    // In the lock order of payments; they wait from here until the commit, for milliseconds.
    for (const { name } of HISTORY)
      await client.query(`alter table ${name} detach partition ${partitionOf(name, month.name)}`)
    for (const { name } of HISTORY) await client.query(`drop table ${partitionOf(name, month.name)}`)
    await client.query(`delete from day_figures where to_char(day, 'YYYY-MM') = $1`, [month.name])
    await client.query('update history_months set archived_at = $2, opening_transfer_ids = $3 where month = $1', [
      month.name,
      now,
      await bringForward(client, month, sums, now),
    ])
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const [before, after] = [{ place: 'the database' }, { place: action.folder, rows: String(rows) }]
    await recordAction(client, action, { old: before, new: after }, now)
  })
}

/**
 * Books one transfer for each currency at the beginning of the oldest remaining month: what the entries of the
 * archived month moved on each account. Balances do not change, and still equal the replay of all entries.
 * @returns their ids, which the month's row stores as their cause
 */
async function bringForward(
  client: pg.PoolClient,
  month: Month,
  sums: readonly AccountSum[],
  now: Date,
): Promise<readonly bigint[]> {
  const moved = sums.filter(({ sum_minor }) => sum_minor !== '0')
  if (moved.length === 0) return []
  const currencies = [...new Set(moved.map(({ currency }) => currency))]
  const { rows } = await client.query<{ currency: string; id: bigint }>(
    `with next as (
       select from_id from history_months where from_id >= $2 and archived_at is null order by from_id limit 1
     )
     insert into transfers (id, kind, transaction_id, created_at)
     select next.from_id + ((nextval('transaction_ids') & 262143) << 4), 'opening', null, $3
     from next, unnest($1::text[]) returning id`,
    [currencies, month.untilId, now],
  )
  if (rows.length !== currencies.length) throw new Error(`there is no month after ${month.name} to bring balances into`)
  const idOf = new Map(currencies.map((currency, n) => [currency, rows[n]?.id]))
  await client.query(
    `insert into entries (transfer_id, account_id, amount_minor)
     select * from unnest($1::bigint[], $2::bigint[], $3::bigint[])`,
    [
      moved.map(({ currency }) => idOf.get(currency)),
      moved.map(({ account_id }) => account_id),
      moved.map(({ sum_minor }) => sum_minor),
    ],
  )
  return rows.map(({ id }) => id)
}
