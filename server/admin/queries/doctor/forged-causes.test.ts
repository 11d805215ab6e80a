import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { depositTransfer } from '../../../domain/ledger.ts'
import { bookByStaff } from '../../../verification/testing/book-by-staff.ts'
import { twoRoles } from '../../../verification/testing/two-roles.ts'
import { chainAll } from '../../../verification/testing/chain-all.ts'
import { ensureMonths, monthsAhead } from '../../../storage/months.ts'
import { examineChanged } from '../doctor.ts'
import { COMMITTED_AFTER_MS } from '../ledger-marks.ts'

// Whoever has the runtime role may append anything, but cannot write what exempts a transfer from having a cause.

const { runtime, poolOf } = await twoRoles()
const [ofOwner, pool] = [poolOf('owner'), poolOf('runtime')]
let now = new Date('2027-06-01T08:00:00Z')
let id: bigint

const broken = async (full = true) =>
  (await examineChanged(pool, now, full)).findings
    .filter(({ found }) => found > 0)
    .map(({ name, examples }) => [name, ...examples.map((example) => example.replaceAll(/\d{6,}/g, 'N'))])

/**
 * Puts money into the demo merchant's payout wallet.
 * @param cause further statements in the same transaction
 * @param entryIds of its two entries
 */
const insert = async (kind: string, currency: string, cause = '', entryIds = `nextval('entries_ids')`) => {
  id += 1_600_000n
  await pool.query(`
    begin;
    insert into transfers (id, kind, created_at) values (${id}, '${kind}', '${now.toISOString()}');
    insert into entries (id, transfer_id, account_id, amount_minor)
      select ${entryIds}, ${id}, id, case kind when 'operator' then -700 else 700 end from accounts
      where currency = '${currency}' and (kind = 'operator' or (kind = 'payout_available' and merchant_id = 1));
    update accounts set balance_minor = balance_minor + case kind when 'operator' then -700 else 700 end
      where currency = '${currency}' and (kind = 'operator' or (kind = 'payout_available' and merchant_id = 1));
    ${cause.replaceAll('ID', String(id))};
    commit`)
}

beforeAll(async () => {
  await ensureMonths(ofOwner, monthsAhead(now, 2), now)
  id = await bookByStaff(pool, depositTransfer(1n, 'UGX', 500_000n), now)
  for (let run = 0; run < 3; run += 1) {
    expect(await broken(false)).toEqual([])
    now = new Date(now.getTime() + COMMITTED_AFTER_MS)
    await chainAll(pool, now)
  }
})

test('finds a deposit with old entry ids', async () => {
  await insert('deposit', 'UGX', '', `-nextval('entries_ids')`)
  const wanted = ['transfers_caused', "transfer N (deposit) has no cause: no person's entry names it"]
  for (const full of [true, false]) expect(await broken(full)).toContainEqual(wanted)
})

test('finds an opening that names an archived month without its balance', async () => {
  await ofOwner.query(
    `insert into history_months (month, from_id, until_id, created_at, archived_at) values ('2025-11', 3, 4, now(), now())`,
  )
  await insert(
    'opening',
    'KES',
    `insert into transfer_causes (transfer_id, kind, month) values (ID, 'archive', '2025-11')`,
  )
  expect((await broken()).flat()).toContain('transfer N (opening) has no cause: no month that went into files names it')
})

test('PostgreSQL refuses the runtime role the transfers that exempt an archived month', async () => {
  const sql = `update history_months set opening_transfer_ids = '{1}'`
  await expect(pool.query(sql)).rejects.toMatchObject({ code: '42501' })
})

test.each([
  [
    'entries that do not sum to zero',
    `create temp table accounts (id bigint, currency text);
     insert into entries (transfer_id, account_id, amount_minor)
       select id, (select min(id) from public.accounts), 700 from transfers limit 1`,
    '23514',
  ],
  [
    'a link that names nothing',
    `insert into ledger_links select 99, now(), array[null]::bigint[], hash, hash from ledger_links limit 1`,
    '23514',
  ],
  [
    'a link of no time',
    `insert into ledger_links select 99, 'infinity', array[1]::bigint[], hash, hash from ledger_links limit 1`,
    '23514',
  ],
])('PostgreSQL refuses %s', async (_what, sql, code) => {
  const client = new pg.Client(runtime)
  await client.connect()
  try {
    await expect(client.query(sql)).rejects.toMatchObject({ code })
  } finally {
    await client.end()
  }
})

test("chains a transfer with its session's own waiting table, and one without time", async () => {
  const client = new pg.Client(runtime)
  await client.connect()
  await client.query('create temp table unchained_transfers (xid xid8, transfer_id bigint)')
  await client.query(
    `insert into transfers (id, kind, created_at) values (${(id += 1_600_000n)}, 'deposit', 'infinity')`,
  )
  await client.end()
  await chainAll(pool, now)
  const { rows } = await pool.query('select from ledger_links where $1 = any(transfer_ids)', [id])
  expect(rows).toHaveLength(1)
  expect((await broken()).map(([name]) => name)).not.toContain('transfers_chained')
})
