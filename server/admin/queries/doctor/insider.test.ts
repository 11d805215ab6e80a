import { afterEach, beforeAll, expect, test } from 'vitest'
import { depositTransfer } from '../../../domain/ledger.ts'
import { walletTransfer } from '../../../domain/wallet-transfer.ts'
import { bookByStaff } from '../../../verification/testing/book-by-staff.ts'
import { chainAll } from '../../../verification/testing/chain-all.ts'
import { databaseTest } from '../../../verification/testing/database-test.ts'
import { extendChain } from '../../../storage/ledger-chain.ts'
import { ensureMonths, monthsAhead } from '../../../storage/months.ts'
import { examineChanged } from '../doctor.ts'
import { COMMITTED_AFTER_MS } from '../ledger-marks.ts'
import { bookStaffTransfer } from '../wallets.ts'

// An insider who can change the database and knows how a ledger balances: each forged entry is balanced, and each
// balance equals the sum of its entries.

const { pool } = await databaseTest()
let now = new Date('2026-03-01T08:00:00Z')
const pass = (ms: number): void => {
  now = new Date(now.getTime() + ms)
}
let transferId: bigint

const broken = async (full = true) =>
  (await examineChanged(pool, now, full)).findings
    .filter(({ found }) => found > 0)
    .map(({ name, examples }) => [name, ...examples.map((example) => example.replaceAll(/\d{6,}/g, 'N'))])
const namesOf = async (full = true) => (await broken(full)).map(([name]) => name)

const OFF = 'alter table entries disable trigger user; alter table transfers disable trigger user;'
const PARTITIONS_OFF = `alter table entries_2026_03 disable trigger user; alter table transfers_2026_03 disable trigger user;`
const ON = `alter table entries_2026_03 enable trigger user; alter table transfers_2026_03 enable trigger user;
  alter table entries enable trigger user; alter table transfers enable trigger user;`
const REBALANCE =
  'update accounts a set balance_minor = coalesce((select sum(amount_minor) from entries where account_id = a.id), 0);'
const TABLES = [
  'accounts',
  'transfers',
  'entries',
  'ledger_links',
  'unchained_transfers',
  'transfer_causes',
  'audit_log',
]
const LINKS_OFF = TABLES.slice(3)
  .map((table) => `alter table ${table} disable trigger user;`)
  .join(' ')
const LINKS_ON = LINKS_OFF.replaceAll('disable', 'enable')

/** Runs it with triggers switched off. */
const secretly = (sql: string) =>
  pool.query(`${OFF} ${PARTITIONS_OFF} ${LINKS_OFF} ${sql}; ${REBALANCE} ${ON} ${LINKS_ON}`)

/** A balanced deposit, inserted by somebody who knows the tables. @param then statements that forge its cause */
const insertDeposit = (id: bigint, then = '') =>
  pool.query(`
    insert into transfers (id, kind, created_at) values (${id}, 'deposit', '${now.toISOString()}');
    insert into entries (transfer_id, account_id, amount_minor)
      select ${id}, id, case kind when 'operator' then -700 else 700 end from accounts
      where currency = 'UGX' and (kind = 'operator' or (kind = 'payout_available' and merchant_id = 1));
    ${then} ${REBALANCE}`)

beforeAll(async () => {
  await ensureMonths(pool, monthsAhead(now, 2), now)
  transferId = await bookByStaff(pool, depositTransfer(1n, 'UGX', 500_000n), now)
  await bookByStaff(pool, walletTransfer(1n, 'UGX', 1_000n, { from: 'payout', to: 'collection' }), now)
  await chainAll(pool, now)
  // As if the gateway had run for a while: the next run checks only what is new.
  expect(await namesOf()).toEqual([])
  for (let run = 0; run < 2; run += 1) {
    pass(COMMITTED_AFTER_MS)
    expect(await namesOf(false)).toEqual([])
  }
  await pool.query(TABLES.map((table) => `create table copy_of_${table} as select * from ${table};`).join('\n'))
})

afterEach(async () => {
  await secretly(
    TABLES.map(
      (table) => `delete from ${table}; insert into ${table} overriding system value select * from copy_of_${table};`,
    ).join('\n'),
  )
  await pool.query('delete from unchained_transfers')
})

test.each([false, true])('finds a balanced deposit that no person has made (full: %s)', async (full) => {
  await insertDeposit(transferId + 1_600_000n)
  expect(await broken(full)).toEqual([
    ['transfers_caused', "transfer N (deposit) has no cause: no person's entry names it"],
  ])
})

test('finds a false deposit in what has changed although it has a low id', async () => {
  await insertDeposit(17n)
  expect(await namesOf(false)).toEqual(['transfers_caused'])
})

test.each([
  ['an entry that does not exist', 'values (ID, 4711)', /names entry 4711 of the audit log, which does not exist$/],
  ['an entry of another amount', 'select ID, max(id) + 1 from audit_log', /does not fit entry \d+ .*UGX$/],
])('finds a deposit that names %s', async (_what, rows, example) => {
  const id = transferId + 1_600_000n
  await insertDeposit(
    id,
    `insert into audit_log (id, at, actor_kind, actor, command, subject, old, new, reason) overriding system value
       select max(s.id) + 1, now(), 'os_user', 'me', 'wallet deposit', 'pub_sandbox_demo', '{}', '{"amount": "500 UGX"}', 'because' from audit_log s;
     with r(id, entry) as (${rows.replaceAll('ID', String(id))})
     insert into transfer_causes (transfer_id, kind, staff_action_id) select id, 'staff_action', entry - ${rows.startsWith('select') ? 1 : 0} from r;`,
  )
  const findings = await broken()
  expect(findings).toEqual([
    ['transfers_caused', expect.stringMatching(example)],
    ['audit_chained', '1 entries are in no link, and 0 are older than the chain'],
  ])
})

test.each([
  ['a changed amount', 'update entries set amount_minor = amount_minor * 2 where transfer_id = ID'],
  [
    'a changed account',
    `update entries set account_id = (select id from accounts where kind = 'charges' limit 1) where transfer_id = ID and amount_minor > 0`,
  ],
  [
    'an account of another merchant under the same id',
    `update accounts set merchant_id = 77 where kind = 'payout_available' and currency = 'UGX'`,
  ],
  ['a changed kind', `update transfers set kind = 'wallet_transfer' where id = ID`],
  ['a changed time', `update transfers set created_at = created_at + interval '1 second' where id = ID`],
  ['a removed entry', 'delete from entries where transfer_id = ID and amount_minor > 0'],
  [
    'two entries more',
    `insert into entries (transfer_id, account_id, amount_minor) select transfer_id, account_id, amount_minor from entries where transfer_id = ID`,
  ],
])('finds %s after the triggers are on again', async (_what, sql) => {
  await pool.query(`insert into accounts (kind, currency) values ('charges', 'UGX') on conflict do nothing`)
  await secretly(sql.replaceAll('ID', String(transferId)))
  const chained = (await broken()).find(([name]) => name === 'transfers_chained')
  expect(chained?.[1]).toMatch(/^transfer N has changed since link \d+ /)
})

test('finds new entries of an old transfer without --full', async () => {
  await secretly(
    `insert into entries (transfer_id, account_id, amount_minor) select transfer_id, account_id, amount_minor from entries where transfer_id = ${transferId}`,
  )
  expect(await broken(false)).toContainEqual([
    'transfers_chained',
    expect.stringMatching(/^transfer N has changed since/),
  ])
})

test('finds a removed transfer', async () => {
  await secretly(
    `delete from entries where transfer_id = ${transferId}; delete from transfers where id = ${transferId}`,
  )
  expect(await broken()).toContainEqual([
    'transfers_chained',
    expect.stringMatching(/^transfer N of link \d+ .* is gone$/),
  ])
})

test('finds a transfer that was kept out of the chain', async () => {
  await insertDeposit(transferId + 1_600_000n, 'delete from unchained_transfers;')
  for (const full of [false, true])
    expect(await broken(full)).toContainEqual(['transfers_chained', 'transfer N is in no link'])
})

test.each([
  [
    'a changed digest',
    `update ledger_links set digests = overlay(digests placing '\\x00'::bytea from 1) where seq = 1`,
    /^link \d+ .* does not follow/,
  ],
  ['a removed link', 'delete from ledger_links where seq = 1', /^link 1 is gone$/],
])('finds %s in the chain', async (_what, sql, example) => {
  await bookByStaff(pool, depositTransfer(1n, 'UGX', 700n), now)
  // A transaction in another database of the server may delay the chain for a moment.
  await expect
    .poll(async () => {
      await extendChain(pool, () => now)
      return (await pool.query('select from unchained_transfers')).rowCount
    })
    .toBe(0)
  await secretly(sql)
  const chained = (await broken()).find(([name]) => name === 'transfers_chained')
  expect(chained?.[1]).toMatch(example)
})

test.each([
  ['operator_fee', 'rail', 'fee', /^transfer N \(operator_fee\) of -700 has lines of statements with fees of 0$/],
  [
    'difference',
    'rail',
    'suspense',
    /^transfer N \(difference\) moves 700 on suspense, its exceptions nothing: it has none$/,
  ],
  [
    'difference_moved',
    'suspense',
    'fee',
    /^transfer N \(difference_moved\) moves -700 on suspense, its exceptions nothing/,
  ],
  ['opening', 'rail', 'fee', /^transfer N \(opening\) has no cause: no month that went into files names it$/],
])('finds a transfer of kind %s that nothing names', async (kind, from, into, example) => {
  const id = transferId + 1_600_000n
  await pool.query(`
    insert into accounts (kind, currency, rail_account) values ('rail', 'UGX', 'x'), ('fee', 'UGX', 'x'), ('suspense', 'UGX', 'x')
      on conflict do nothing;
    insert into transfers (id, kind, created_at) values (${id}, '${kind}', '${now.toISOString()}');
    insert into entries (transfer_id, account_id, amount_minor)
      select ${id}, id, case kind when '${from}' then -700 else 700 end from accounts
      where rail_account = 'x' and kind in ('${from}', '${into}');
    ${REBALANCE}`)
  expect(await broken()).toContainEqual(['transfers_caused', expect.stringMatching(example)])
})

test('says that a deposit without the entry of a person has no cause', async () => {
  const wanted = {
    transfer: depositTransfer(1n, 'UGX', 700n),
    note: undefined,
    reference: undefined,
    staffActionId: undefined,
  }
  await bookStaffTransfer(pool, wanted, now)
  expect(await namesOf()).toEqual(['transfers_caused'])
})

test('lets one entry of a person be the cause of one deposit', async () => {
  const { rows } = await pool.query<{ id: bigint }>('select max(id) as id from audit_log')
  const wanted = {
    transfer: depositTransfer(1n, 'UGX', 700n),
    note: undefined,
    reference: undefined,
    staffActionId: rows[0]!.id,
  }
  await expect(bookStaffTransfer(pool, wanted, now)).rejects.toMatchObject({
    constraint: 'transfer_causes_staff_action_id_key',
  })
})
