import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { depositTransfer } from '../domain/ledger.ts'
import { present } from '../domain/present.ts'
import { databaseUrl } from '../verification/testing/database.ts'
import { forFile } from '../verification/testing/for-file.ts'
import { untilLockWaits } from '../verification/testing/lock-waits.ts'
import { asSuperuser } from '../verification/testing/superuser.ts'
import { newTransaction, START } from '../verification/testing/transactions.ts'
import { twoRoles } from '../verification/testing/two-roles.ts'
import { createAcceptance } from './accept-transactions.ts'
import { connectionTo } from './database-hosts.ts'
import { migrate, NotMigrated } from './migrate.ts'
import { readMigrations, type Migration } from './migration-files.ts'
import { ensureMonths, MonthMissing, monthsAhead, partitionOf } from './months.ts'
import {
  EXCESS_RIGHTS,
  grantRuntimeRights,
  OtherDatabase,
  ownerOf,
  READ_ONLY_TABLES,
  UnboundedRuntimeRole,
} from './runtime-rights.ts'
import { createStore } from './store.ts'

const { owner, runtime, poolOf } = await twoRoles()
const connected = async (connection: pg.ClientConfig): Promise<pg.Client> => {
  const client = new pg.Client(connection)
  await client.connect()
  return client
}
const [asOwner, asRuntime] = [await forFile(connected(owner)), await forFile(connected(runtime))]
const [ofOwner, pool] = [poolOf('owner'), poolOf('runtime')]

const APPEND_ONLY = [
  'audit_log',
  'entries',
  'exception_notes',
  'ledger_links',
  'operator_references',
  'rail_account_changes',
  'transaction_events',
  'transfer_causes',
  'transfer_causes_since',
  'transfer_notes',
  'transfers',
]

/**
 * Tables whose rows the servers update and delete. A new table must be listed here, be append-only, or be writable by
 * the owner only.
 */
const CHANGEABLE = [
  'account_holder_queries',
  'account_messages',
  'account_usage',
  'accounts',
  'admin_requests',
  'approval_rules',
  'approvals',
  'audit_chain',
  'banks',
  'callback_attempts',
  'callbacks',
  'collection_attempts',
  'day_changes',
  'day_figures',
  'digest_key',
  'doctor_mark',
  'exchange_rates',
  'expected_payments',
  'handshake_attempts',
  'idempotency_keys',
  'jobs',
  'ledger_candidates',
  'ledger_chain_turn',
  'ledger_marks',
  'ledger_sums',
  'limit_locks',
  'limit_usage',
  'merchant_changes',
  'merchant_event_counts',
  'merchant_event_turn',
  'merchant_events',
  'merchant_keys',
  'merchant_logos',
  'merchant_options',
  'merchant_terms',
  'merchants',
  'operator_drift',
  'operator_exchanges',
  'passkeys',
  'payer_references',
  'payment_options',
  'payment_sessions',
  'payout_batch_rows',
  'payout_batches',
  'payout_waits',
  'people',
  'person_tokens',
  'processes',
  'providers',
  'rail_accounts',
  'rail_balances',
  'rail_callbacks',
  'rail_circuits',
  'rail_questions',
  'rail_references',
  'rail_tokens',
  'reconciliation_exceptions',
  'reconciliations',
  'recovery_codes',
  'reference_version',
  'refunds',
  'rsa_keys',
  'rules_since',
  'sandbox.clock',
  'sandbox.inbox',
  'sandbox.operator_journal',
  'sandbox.orders',
  'sandbox.reports',
  'sandbox.scenario_orders',
  'sandbox.scenarios',
  'saved_views',
  'search_again',
  'search_keys',
  'search_mark',
  'sessions',
  'sign_in_credentials',
  'sign_in_failures',
  'sign_in_tokens',
  'statement_imports',
  'statement_lines',
  'stopped_callbacks',
  'transaction_references',
  'transactions',
  'unchained_transfers',
  'unnumbered_callbacks',
  'unrequested_payments',
]

describe('the rights of the runtime role', () => {
  test('are decided for every table', async () => {
    const { rows } = await asOwner.query<{ name: string; held: string }>(
      `select c.oid::regclass::text as name, array_to_string(array(
         select privilege from unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'])
           as privilege where has_table_privilege($1, c.oid, privilege)), ' ') as held
       from pg_class c where relkind in ('r', 'p') and not relispartition
         and relnamespace in ('public'::regnamespace, 'sandbox'::regnamespace) order by 1`,
      [runtime.user],
    )
    const holding = (held: string) => rows.filter((row) => row.held === held).map(({ name }) => name)
    expect(holding('select').sort()).toEqual([...READ_ONLY_TABLES].sort())
    expect(holding('select insert')).toEqual(APPEND_ONLY)
    expect(holding('select insert update delete')).toEqual(CHANGEABLE)
    expect(rows).toHaveLength(READ_ONLY_TABLES.length + APPEND_ONLY.length + CHANGEABLE.length)
  })

  test('on a partition are none: it is reached through its table', async () => {
    const held = `select c.oid::regclass::text as name from pg_class c, unnest(array['select', 'insert', 'update', 'delete'])
      privilege where c.relispartition and has_table_privilege($1, c.oid, privilege)`
    expect((await asOwner.query(held, [runtime.user])).rows).toEqual([])
    await asOwner.query(`alter default privileges grant all on tables to ${runtime.user}`)
    try {
      const ahead = monthsAhead(new Date('2044-01-01T00:00:00Z'), 0)
      await ensureMonths(ofOwner, ahead, START)
      expect((await asOwner.query(held, [runtime.user])).rows).not.toEqual([])
      await grantRuntimeRights(asOwner, runtime.user)
      expect((await asOwner.query(held, [runtime.user])).rows).toEqual([])
    } finally {
      await asOwner.query(`alter default privileges revoke all on tables from ${runtime.user}`)
    }
  })

  test('are granted once: a second run has nothing to do', async () => {
    expect(await grantRuntimeRights(asOwner, runtime.user)).toEqual([])
    await asOwner.query(`revoke insert on jobs from ${runtime.user}; grant update on entries to ${runtime.user};
      grant update (kind) on transfers to ${runtime.user}; grant create on schema public to ${runtime.user};
      grant update on transfer_ids to ${runtime.user}`)
    expect((await asRuntime.query(EXCESS_RIGHTS)).rows.map(Object.values).flat()).toEqual([
      'entries may be changed by the role malipo_runtime',
      'transfers may be changed by the role malipo_runtime',
      'the role malipo_runtime may make tables in the schema public',
    ])
    expect(await grantRuntimeRights(asOwner, runtime.user)).toEqual([
      'revoke create on schema public from malipo_runtime',
      'revoke UPDATE on sequence transfer_ids from malipo_runtime',
      'revoke UPDATE on table entries from malipo_runtime',
      'grant INSERT on table jobs to malipo_runtime',
      'revoke UPDATE (kind) on table transfers from malipo_runtime',
    ])
    expect((await asRuntime.query(EXCESS_RIGHTS)).rows).toEqual([])
  })

  test('are granted by several owners at once without an error', async () => {
    await asOwner.query(`revoke all on all tables in schema public from ${runtime.user}`)
    const owners = await Promise.all([1, 2, 3].map(() => connected(owner)))
    const given = await Promise.all(owners.map((one) => grantRuntimeRights(one, runtime.user)))
    await Promise.all(owners.map((one) => one.end()))
    expect(given.filter((statements) => statements.length > 0)).toHaveLength(1)
  })
})

const LEDGER = [...APPEND_ONLY, ...READ_ONLY_TABLES]
const ledgerPartition = (table: string): string => partitionOf(table, '2026-03')

const REFUSED: readonly string[] = [
  ...LEDGER.flatMap((table) => [
    `delete from ${table}`,
    `truncate ${table}`,
    `alter table ${table} disable trigger all`,
    `alter table ${table} add column more int`,
    `alter table ${table} owner to ${runtime.user}`,
    `drop table ${table}`,
    `create trigger mine before insert on ${table} for each row execute function refuse_change()`,
    `create rule mine as on insert to ${table} do instead nothing`,
    `lock table ${table} in access exclusive mode`,
  ]),
  'update entries set amount_minor = amount_minor + 1',
  'update transfers set created_at = now()',
  `update audit_log set reason = 'another'`,
  'select from entries for update',
  `merge into entries using (select 1) one on true when matched then delete`,
  `insert into transfers (id, kind, created_at) values (1, 'deposit', now()) on conflict (id) do update set kind = 'x'`,
  `insert into schema_migrations (name) values ('9999_mine.sql')`,
  `insert into history_months (month, from_id, until_id, created_at) values ('2050-01', 1, 2, now())`,
  `update database_mode set mode = 'live'`,
  ...['transfers', 'entries', 'transactions'].flatMap((table) => [
    `select from ${ledgerPartition(table)}`,
    `delete from ${ledgerPartition(table)}`,
    `alter table ${table} detach partition ${ledgerPartition(table)}`,
    `drop table ${ledgerPartition(table)}`,
    `alter table ${ledgerPartition(table)} disable trigger all`,
  ]),
  'truncate accounts, jobs',
  'set session_replication_role = replica',
  'create table mine (id int)',
  'create schema mine',
  'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
  'drop function refuse_change() cascade',
  'alter function refuse_change() rename to other',
  `select setval('transfer_ids', 1)`,
  'alter sequence transfer_ids restart',
  `set role ${owner.user}`,
  `set session authorization ${owner.user}`,
  `reassign owned by ${owner.user} to ${runtime.user}`,
  'drop schema public cascade',
  'create extension plpgsql',
  `alter role ${runtime.user} superuser`,
]

describe('PostgreSQL refuses the runtime role', () => {
  test.each(REFUSED)('%s', async (statement) => {
    await asRuntime.query('begin')
    const outcome = await asRuntime.query(statement).then(
      () => 'done',
      (error: unknown) => (error as pg.DatabaseError).code,
    )
    await asRuntime.query('rollback')
    // Insufficient privilege, or, for `create extension`, an error that PostgreSQL raises before it checks privileges.
    expect(outcome).toMatch(statement.startsWith('create extension') ? /^(42501|42710)$/ : /^42501$/)
  })

  test('a right that it grants to itself', async () => {
    for (const table of LEDGER) await asRuntime.query(`grant all on ${table} to ${runtime.user}, public`) // a warning
    expect((await asRuntime.query(EXCESS_RIGHTS)).rows).toEqual([])
  })

  test('everything other than reading and appending, by its columns too', async () => {
    const { rows } = await asRuntime.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c where relname = any($1) and has_any_column_privilege(c.oid, 'update')`,
      [APPEND_ONLY],
    )
    expect(rows).toEqual([])
  })
})

describe('as the runtime role', () => {
  test('a payment is accepted and a deposit is booked', async () => {
    const ahead = monthsAhead(START, 0)
    await ensureMonths(ofOwner, ahead, START)
    expect(await createAcceptance(pool).accept(newTransaction())).toBe('accepted')
    await createStore(pool).transaction((unit) => unit.book([depositTransfer(1n, 'UGX', 5n)], START))
    const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from transfers')
    expect(rows[0]?.n).toBeGreaterThan(0)
  })

  test('a payment of a missing month is unavailable, then accepted once it exists', async () => {
    const at = new Date('2047-05-01T00:00:00Z')
    const acceptance = createAcceptance(pool)
    const transaction = newTransaction({ createdAt: at })
    await expect(acceptance.accept(transaction)).rejects.toBeInstanceOf(MonthMissing)
    await expect(
      createStore(pool).transaction((unit) => unit.book([depositTransfer(1n, 'UGX', 5n)], at)),
    ).rejects.toThrow('malipo months')
    await ensureMonths(ofOwner, monthsAhead(at, 0), START)
    expect(await acceptance.accept(transaction)).toBe('accepted')
  })

  test('refuses a role that may do everything as the runtime role', async () => {
    const roles = (connection: pg.ClientConfig) => ({ connection, owner: connectionTo(databaseUrl(owner)) })
    expect(await ownerOf(roles(runtime))).toMatchObject({ runtimeRole: runtime.user })
    expect(await ownerOf(roles(owner))).toMatchObject({ runtimeRole: undefined })
    await expect(ownerOf(roles(await asSuperuser(owner)))).rejects.toBeInstanceOf(UnboundedRuntimeRole)
    await expect(ownerOf(roles({ ...runtime, database: 'postgres' }))).rejects.toBeInstanceOf(OtherDatabase)
  })
})

describe('a start as the runtime role', () => {
  const as = () => ({ id: randomUUID(), role: 'worker', host: 'here', pid: 1 })

  test('applies nothing, and waits for a migration before it registers', async () => {
    const identity = as()
    await asOwner.query('begin; lock table schema_migrations in exclusive mode')
    let isRegistered = false
    const started = migrate(runtime, 'sandbox', { as: identity }).finally(() => (isRegistered = true))
    await untilLockWaits(asOwner)
    expect(isRegistered).toBe(false)
    await asOwner.query('commit')
    expect(await started).toEqual([])
    expect((await asOwner.query('select from processes where id = $1', [identity.id])).rowCount).toBe(1)
  })

  test.each([
    ['names a migration that is missing', 'expand', NotMigrated],
    ['works without one that takes away what it does not use', 'contract', undefined],
  ])('%s', async (_, kind, refusal) => {
    const missing = {
      ...present((await readMigrations())[0], 'a migration'),
      name: `9998_${kind}.sql`,
      kind,
    } as Migration
    const starting = migrate(runtime, 'sandbox', { as: as(), migrations: [...(await readMigrations()), missing] })
    if (refusal) await expect(starting).rejects.toThrow(/lacks 9998_expand.sql, and the role malipo_runtime may not/)
    else expect(await starting).toEqual([])
  })
})
