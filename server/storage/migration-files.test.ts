import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { expect, test } from 'vitest'
import { changedSince, lastTag } from '../../openapi/release/last-tag.ts'
import { createTestDatabase } from '../verification/testing/database.ts'
import { forFile } from '../verification/testing/for-file.ts'
import { temporaryFolder } from '../verification/testing/temporary-folder.ts'
import { BASELINE } from './baseline.ts'
import { LOCK_MODES, parseMigration, readMigrations, type LockMode, type Migration } from './migration-files.ts'

// Checks that the header of a migration describes what PostgreSQL does: each migration runs on the schema of those
// before it, and is inspected before it commits.

const folder = temporaryFolder()
const migrations = await readMigrations()
const database = await forFile(createTestDatabase('template0'))
const client = new pg.Client(database.connection)
await client.connect()
// On a table with one row, the planner would choose a sequential scan even where an index fits.
await client.query('set enable_seqscan = off')
await forFile(Promise.resolve({ end: () => client.end() }))

/** What the migration did, in the terms of a header, and which columns changed for older processes. */
interface MigrationSummary extends Pick<Migration, 'name' | 'locks' | 'rewrites' | 'reads'> {
  readonly breaks: readonly string[]
}

const said = ({ name, locks, rewrites, reads }: Migration) => ({ name, locks, rewrites, reads })

interface Relation {
  readonly oid: number
  readonly kind: string
  /** The name before the migration; a partition has the name of its table. */
  readonly table: string
  readonly file: number
}

/** The existing tables and sequences. */
async function relations(): Promise<readonly Relation[]> {
  const { rows } = await client.query<Relation>(
    `select c.oid::int, c.relkind as kind, c.relfilenode::int as file,
       coalesce(nullif(pg_partition_root(c.oid)::oid, 0), c.oid)::regclass::text as table
     from pg_class c where c.relkind in ('r', 'p', 'S') and c.relname <> 'schema_migrations'
       and c.relnamespace in (select oid from pg_namespace where nspname in ('public', 'sandbox'))`,
  )
  return rows
}

const byName = (names: readonly string[]): string[] => [...new Set(names)].sort()

async function locksOn(before: readonly Relation[]): Promise<MigrationSummary['locks']> {
  const { rows } = await client.query<{ relation: number; mode: string }>(
    `select relation::int, mode from pg_locks where pid = pg_backend_pid() and locktype = 'relation' and granted`,
  )
  const strongest = new Map<string, number>()
  for (const { relation, mode } of rows) {
    const table = before.find(({ oid }) => oid === relation)?.table
    const strength = LOCK_MODES.findIndex((known) => `${known.replaceAll(' ', '')}lock` === mode.toLowerCase())
    if (table !== undefined && strength >= 0) strongest.set(table, Math.max(strength, strongest.get(table) ?? 0))
  }
  return byName([...strongest.keys()]).map((table) => ({
    table,
    mode: LOCK_MODES[strongest.get(table) ?? 0] satisfies LockMode | undefined as LockMode,
  }))
}

/** The number of full scans of each table, including those that build an index or validate a constraint. */
async function scans(): Promise<ReadonlyMap<number, number>> {
  const { rows } = await client.query<{ oid: number; scans: number }>(
    'select relid::int as oid, seq_scan::int as scans from pg_stat_xact_all_tables',
  )
  return new Map(rows.map(({ oid, scans }) => [oid, scans]))
}

/** `optional`: whether an insert without the column succeeds. */
interface Column {
  readonly type: string
  readonly optional: boolean
}

async function columns(): Promise<ReadonlyMap<string, Column>> {
  const { rows } = await client.query<Column & { name: string; table: string }>(
    `select attrelid::regclass::text || '.' || attname as name, format_type(atttypid, atttypmod) as type,
       not attnotnull or atthasdef or attidentity <> '' as optional
     from pg_attribute join pg_class c on c.oid = attrelid
     where attnum > 0 and not attisdropped and c.relkind in ('r', 'p')
       and c.relnamespace in (select oid from pg_namespace where nspname in ('public', 'sandbox'))`,
  )
  return new Map(rows.map(({ name, type, optional }) => [name, { type, optional }]))
}

const tableOf = (column: string): string => column.slice(0, column.lastIndexOf('.'))

/** Columns that were dropped, changed their type, or became required although older processes do not set them. */
function broken(before: ReadonlyMap<string, Column>, after: ReadonlyMap<string, Column>): string[] {
  const tables = new Set([...before.keys()].map(tableOf))
  const gone = [...before].filter(([name, was]) => after.get(name)?.type !== was.type).map(([name]) => name)
  const queried = [...after].filter(
    ([name, { optional }]) => !optional && tables.has(tableOf(name)) && (before.get(name)?.optional ?? true),
  )
  return [...gone, ...queried.map(([name]) => name)]
}

/** Runs the migration and commits it. */
async function watched({ name, sql }: Migration): Promise<MigrationSummary> {
  const before = await relations()
  const columnsBefore = await columns()
  await client.query('begin')
  const scannedBefore = await scans()
  await client.query(`select set_config('malipo.mode', 'sandbox', true)`)
  await client.query(sql)
  const locks = await locksOn(before)
  const scanned = await scans()
  const after = new Map((await relations()).map((relation) => [relation.oid, relation]))
  const breaks = broken(columnsBefore, await columns())
  await client.query('commit')
  const were = (condition: (relation: Relation) => boolean): string[] =>
    byName(before.filter(condition).map(({ table }) => table))
  return {
    name,
    locks,
    rewrites: were(({ oid, kind, file }) => kind === 'r' && after.has(oid) && after.get(oid)?.file !== file),
    reads: were(({ oid }) => (scanned.get(oid) ?? 0) > (scannedBefore.get(oid) ?? 0)),
    breaks,
  }
}

/** One payment and everything that belongs to it: a migration that reads or changes rows finds some. */
const ROWS = `
  insert into merchants (public_key, name, created_at) values ('pub_old', 'Duka', now());
  insert into transactions (id, merchant_id, merchant_reference, internal_reference, type, method, provider_code, account,
    request_currency, request_amount_minor, currency, amount_minor, charge_minor, total_minor, charge_customer,
    allow_final_status_change, description, status, status_message, created_at)
  values (1, 1, 'OLD-1', 'MLP0000000000000000000001', 'COLLECTION', 'MOBILE_MONEY', 'mtn_ug', '256770000123', 'UGX', 20000,
    'UGX', 20000, 100, 20100, false, true, 'An order', 'PROCESSING', 'sent', now());
  insert into accounts (kind, currency, merchant_id, balance_minor)
    values ('operator', 'UGX', 0, -50000), ('payout_available', 'UGX', 1, 50000);
  insert into transfers (id, kind, transaction_id, created_at) values (nextval('transfer_ids'), 'deposit', null, now());
  insert into entries (transfer_id, account_id, amount_minor) values (1, 1, -50000), (1, 2, 50000);
  insert into transaction_events (transaction_id, at, kind, detail) values (1, now(), 'accepted', '');
  insert into jobs (kind, subject_id, due_at) values ('pollRail', 1, now());
  insert into callbacks (webhook_id, transaction_id, merchant_id, event, url, body, status, created_at)
    values ('cb_1', 1, 1, 'transaction.failed', 'http://shop', '{}', 'DELIVERED', now());`

test('each migration does what its head says; expanding ones keep all columns', async () => {
  await expectTrueHeaders(migrations)
})

test('migrations of each kind with true headers pass', async () => {
  for (const [name, sql] of Object.entries(PLANTED)) folder.written(name, sql)
  const planted = await readMigrations(pathToFileURL(`${folder.path}/`))
  expect(planted.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
    '0997_expands.sql expand',
    '0998_contracts.sql contract',
    '0999_stops.sql stop',
  ])
  await expectTrueHeaders(planted)
})

/** Runs the migrations, and compares their headers with what they did. */
async function expectTrueHeaders(those: readonly Migration[]): Promise<void> {
  const seen: MigrationSummary[] = []
  for (const migration of those) {
    seen.push(await watched(migration))
    if (migration.name === BASELINE) await client.query(ROWS)
  }
  expect(seen).toMatchObject(those.map(said))
  const expanding = those.filter(({ kind }) => kind === 'expand').map(({ name }) => name)
  const broke = ({ breaks, rewrites }: MigrationSummary): boolean => breaks.length > 0 || rewrites.length > 0
  expect(seen.filter((summary) => expanding.includes(summary.name) && broke(summary))).toEqual([])
}

const PLANTED: Readonly<Record<string, string>> = {
  '0998_contracts.sql': `-- migration: contract
-- locks: banks access exclusive, merchants access exclusive, providers access exclusive
-- rewrites: none
-- reads: none
alter table merchants drop column support_contact;
drop table banks;
`,
  '0997_expands.sql': `-- migration: expand
-- locks: jobs share, transactions access exclusive
-- rewrites: none
-- reads: jobs
alter table transactions add column made_up text not null default '-';
create index made_up_work on jobs (due_at);
create table made_up_early (id bigint primary key);
`,
  '0999_stops.sql': `-- migration: stop
-- locks: jobs access exclusive
-- rewrites: jobs
-- reads: jobs
alter table jobs alter attempt type bigint;
`,
}

test('the check detects rewritten tables, dropped columns and new required ones', async () => {
  await client.query('create table made_up (id bigint, name text, note text)')
  const seen = await watched({
    ...parseMigration('9999_made_up.sql', HEAD),
    sql: `alter table made_up alter id type numeric, drop column name, alter note set not null;
      alter table made_up add column kind text not null; create index on made_up (kind)`,
  })
  expect(seen).toMatchObject({
    locks: [{ table: 'made_up', mode: 'access exclusive' }],
    rewrites: ['made_up'],
    reads: ['made_up'],
    breaks: ['made_up.id', 'made_up.name', 'made_up.note', 'made_up.kind'],
  })
})

// Databases have them: after the first release they are never squashed again.
test('no migration of a release is changed or removed', () => {
  const tag = lastTag()
  expect(tag === undefined ? [] : changedSince(tag, 'server/storage/migrations')).toEqual([])
})

const HEAD =
  '-- migration: expand\n-- locks: jobs share, accounts access exclusive\n-- rewrites: none\n-- reads: jobs\n'

test('refuses a file by name whose head lacks its kind, locks, rewrites or reads', () => {
  expect(parseMigration('0099_more.sql', `${HEAD}select 1;\n`)).toMatchObject({
    name: '0099_more.sql',
    kind: 'expand',
    locks: [
      { table: 'jobs', mode: 'share' },
      { table: 'accounts', mode: 'access exclusive' },
    ],
    rewrites: [],
    reads: ['jobs'],
  })
  const refused = (sql: string) => () => parseMigration('0099_more.sql', sql)
  expect(refused('select 1;')).toThrow('line 1 of 0099_more.sql must begin with "-- migration: "')
  expect(refused(HEAD.replace('expand', 'grow'))).toThrow(
    '0099_more.sql must be one of expand, contract, stop, not grow',
  )
  expect(refused(HEAD.replace('jobs share', 'jobs shared'))).toThrow('names a lock that is none: jobs shared')
  expect(refused(HEAD.replace('-- reads', '-- read'))).toThrow('line 4 of 0099_more.sql')
})
