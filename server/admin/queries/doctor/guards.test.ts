import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { databaseTest } from '../../../verification/testing/database-test.ts'
import { asSuperuser } from '../../../verification/testing/superuser.ts'
import { ensureMonths, monthsAhead } from '../../../storage/months.ts'
import { createPool } from '../../../storage/pool.ts'
import { examine } from '../doctor.ts'

// Whoever owns the tables can fake every guard of the ledger.

const { pool, connection } = await databaseTest()
const now = new Date('2026-03-01T08:00:00Z')
await ensureMonths(pool, monthsAhead(now, 2), now)
const superuser = new pg.Client(await asSuperuser(connection))
await superuser.connect()
afterAll(() => superuser.end())

const found = async (name: string): Promise<readonly string[]> =>
  (await examine(pool, now)).find((finding) => finding.name === name)?.examples ?? []

test('finds nothing in a database that the migrations made', async () => {
  expect([await found('ledger_guarded'), await found('months_whole')]).toEqual([[], []])
})

const APPEND_ONLY = 'for each statement execute function refuse_change()'

test.each([
  [
    'a trigger with a condition',
    `drop trigger append_only on entries;
     create trigger append_only before update or delete or truncate on entries for each statement when (false) execute function refuse_change()`,
    `drop trigger append_only on entries; create trigger append_only before update or delete or truncate on entries ${APPEND_ONLY}`,
    'the trigger append_only of entries is not called for every change',
  ],
  [
    'a trigger that lets one kind of change pass',
    `create or replace trigger append_only before delete or truncate on transfers_2026_03 ${APPEND_ONLY}`,
    `create or replace trigger append_only before update or delete or truncate on transfers_2026_03 ${APPEND_ONLY}`,
    'the trigger append_only of transfers_2026_03 is not called for every change',
  ],
  [
    'a trigger on one column',
    `create or replace trigger append_only before update of kind or delete or truncate on transfers ${APPEND_ONLY}`,
    `create or replace trigger append_only before update or delete or truncate on transfers ${APPEND_ONLY}`,
    'the trigger append_only of transfers is not called for every change',
  ],
  [
    'a trigger beside its own',
    `create function mine() returns trigger language plpgsql as $$ begin return null; end $$;
     create trigger mine before insert on entries_2026_04 for each row execute function mine()`,
    'drop function mine() cascade',
    "the trigger mine of entries_2026_04 is none of the migrations' own",
  ],
  [
    'a trigger on balances',
    `create function mine() returns trigger language plpgsql as $$ begin return new; end $$;
     create trigger mine before update on accounts for each row execute function mine()`,
    'drop function mine() cascade',
    "the trigger mine of accounts is none of the migrations' own",
  ],
  [
    'a rule',
    'create rule mine as on insert to unchained_transfers do instead nothing',
    'drop rule mine on unchained_transfers',
    'the rule mine changes what statements do to unchained_transfers',
  ],
  [
    'row security',
    `alter table entries enable row level security; create policy mine on entries using (amount_minor <> 700)`,
    'drop policy mine on entries; alter table entries disable row level security',
    'row security hides rows of entries',
  ],
  [
    'rows of another table',
    'create table mine () inherits (audit_log)',
    'drop table mine',
    'mine adds rows to audit_log',
  ],
  [
    'a view in the place of a table',
    'alter table audit_log rename to kept; create view audit_log as select * from kept',
    'drop view audit_log; alter table kept rename to audit_log',
    'audit_log is no table',
  ],
  [
    'a chain without the right to append',
    'delete from ledger_chain_turn',
    'insert into ledger_chain_turn default values',
    'ledger_chain_turn has no row: no transfer comes into the hash chain',
  ],
  [
    'a trigger that is off',
    'alter table entries disable trigger append_only',
    'alter table entries enable trigger append_only',
    'the trigger append_only of entries is switched off',
  ],
  [
    'a trigger of a partition that is off',
    'alter table transfers_2026_03 disable trigger all',
    'alter table transfers_2026_03 enable trigger all',
    'the trigger append_only of transfers_2026_03 is switched off',
  ],
  [
    'a trigger that is gone',
    'alter trigger unchained on transfers rename to sleeping',
    'alter trigger sleeping on transfers rename to unchained',
    'the trigger unchained of transfers is missing',
  ],
  [
    'a constraint that is gone',
    'alter table accounts rename constraint accounts_check to was; alter table accounts drop constraint was',
    `alter table accounts add constraint accounts_check check (balance_minor >= 0 or kind in ('rail', 'operator', 'fee', 'suspense'))`,
    'the constraint CHECK (((balance_minor >= 0) OR',
  ],
  [
    'a function that refuses nothing',
    `create function kept() returns trigger language plpgsql as $$ begin return null; end $$; alter function refuse_change() rename to refused; alter function kept() rename to refuse_change`,
    'alter function refuse_change() rename to kept; drop function kept(); alter function refused() rename to refuse_change',
    'the function refuse_change is another one',
  ],
])('finds that the ledger has %s', async (_what, breaking, restoring, example) => {
  await pool.query(breaking)
  try {
    expect((await found('ledger_guarded')).join('\n')).toContain(example)
  } finally {
    await pool.query(restoring)
  }
  expect(await found('ledger_guarded')).toEqual([])
})

test('finds a setting of the database or a role that disables triggers', async () => {
  for (const of of [
    `database ${connection.database}`,
    `role ${connection.runtime?.user} in database ${connection.database}`,
  ]) {
    await superuser.query(`alter ${of} set session_replication_role = replica`)
    try {
      expect(await found('ledger_guarded')).toEqual([
        expect.stringMatching(
          /^the setting session_replication_role=replica of the (database|role \w+) calls no trigger$/,
        ),
      ])
    } finally {
      await superuser.query(`alter ${of} reset session_replication_role`)
    }
  }
})

test('a month that is sealed for the archive has its guards', async () => {
  await pool.query(`create trigger sealed before insert or update or delete on entries_2026_03 for each row
    execute function refuse_change()`)
  expect(await found('ledger_guarded')).toEqual([])
  await pool.query('drop trigger sealed on entries_2026_03')
})

test.each([
  [
    'a detached partition',
    'alter table callbacks detach partition callbacks_2026_04',
    `alter table callbacks attach partition callbacks_2026_04 for values from (FROM) to (UNTIL)`,
    'callbacks_2026_04 is no partition of callbacks',
  ],
  [
    'a partition of fewer ids',
    `alter table callbacks detach partition callbacks_2026_04;
     alter table callbacks attach partition callbacks_2026_04 for values from (FROM) to (UNTIL - 1)`,
    `alter table callbacks detach partition callbacks_2026_04;
     alter table callbacks attach partition callbacks_2026_04 for values from (FROM) to (UNTIL)`,
    'callbacks_2026_04 has FOR VALUES',
  ],
  [
    'a partition of no month',
    'create table mine partition of transactions for values from (9000000000000000) to (9000000000000009)',
    'drop table mine',
    'mine is a partition of transactions and of no month',
  ],
  [
    'a month that is called archived and is there',
    `update history_months set archived_at = now() where month = '2026-04'`,
    `update history_months set archived_at = null where month = '2026-04'`,
    'transfers_2026_04 is a partition of transfers and of no month',
  ],
])('finds that the history has %s', async (_what, breaking, restoring, example) => {
  const { rows } = await pool.query<{ from_id: bigint; until_id: bigint }>(
    `select from_id, until_id from history_months where month = '2026-04'`,
  )
  const [month] = rows
  const withBounds = (sql: string): string =>
    sql
      .replaceAll('UNTIL - 1', String(month!.until_id - 1n))
      .replaceAll('FROM', String(month!.from_id))
      .replaceAll('UNTIL', String(month!.until_id))
  await pool.query(withBounds(breaking))
  try {
    expect((await found('months_whole')).join('\n')).toContain(example)
  } finally {
    await pool.query(withBounds(restoring))
  }
  expect(await found('months_whole')).toEqual([])
})

test('reads the tables of the ledger, whatever a search path puts before them', async () => {
  const bookedUncaused = async () => (await found('transfers_caused')).length
  await pool.query(`insert into transfers (id, kind, created_at) values (17, 'deposit', '2025-01-01')`)
  expect(await bookedUncaused()).toBe(1)
  await pool.query('create schema mine; create table mine.transfers (like public.transfers)')
  const path = `alter database ${connection.database} set search_path`
  await superuser.query(`${path} = mine, public`)
  const fresh = createPool({ connection, connectionsMax: 1, onError: () => undefined })
  try {
    const finding = (await examine(fresh, now)).find(({ name }) => name === 'transfers_caused')
    expect(finding?.found).toBe(1)
  } finally {
    await fresh.end()
    await superuser.query(`alter database ${connection.database} reset search_path`)
    await pool.query('drop schema mine cascade')
  }
})
