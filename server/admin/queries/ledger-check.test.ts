import { beforeEach, expect, test } from 'vitest'
import { depositTransfer } from '../../domain/ledger.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { ensureMonths, monthsAhead } from '../../storage/months.ts'
import { inTransaction } from '../../storage/pool.ts'
import { checkLedger, RECOUNT_MS } from './ledger-check.ts'
import { beginDoubted, COMMITTED_AFTER_MS, countOn, SLICE_IDS } from './ledger-marks.ts'
import { bookByStaff } from '../../verification/testing/book-by-staff.ts'

const { pool } = await databaseTest()
let now = new Date('2026-03-01T08:00:00Z')

const pass = (ms: number): void => {
  now = new Date(now.getTime() + ms)
}
const check = () => checkLedger(pool, now, new AbortController().signal)
const deposit = () => bookByStaff(pool, depositTransfer(1n, 'UGX', 700n), now)
const value = async <Value>(sql: string): Promise<Value> =>
  (await pool.query<{ value: Value }>(`select ${sql} as value`)).rows[0]!.value
const verifiedUpto = () => value<bigint>(`(select upto from ledger_marks where kind = 'verified')`)
const tamperBalance = (by: number) =>
  pool.query(`update accounts set balance_minor = balance_minor + ${by} where kind = 'charges' and currency = 'UGX'`)
/** Skips so many ids that the next entry falls into another slice. */
const skipIds = () => pool.query(`select setval('entries_ids', (select last_value from entries_ids) + ${SLICE_IDS})`)
const tamperEntry = (by: number) =>
  pool.query(
    `alter table entries disable trigger user; alter table entries_before disable trigger user;
     update entries set amount_minor = amount_minor + ${by} where id = (select min(id) from entries)`,
  )
/** Verifies all entries so far. */
async function verifyAll(): Promise<void> {
  await check()
  pass(COMMITTED_AFTER_MS)
  await check()
}
const balanced = { accountsOff: 0, currenciesOff: 0 }

beforeEach(async () => {
  await pool.query(
    `insert into accounts (kind, currency) values ('charges', 'UGX') on conflict do nothing;
     update ledger_marks set ended_at = null, upto = 0, doubted = false, off = false; delete from ledger_sums`,
  )
  await deposit()
  await verifyAll()
})

test('verifies entries old enough for no later commit below them, and counts once', async () => {
  const before = await verifiedUpto()
  await deposit()
  await check()
  pass(COMMITTED_AFTER_MS - 1)
  expect(await check()).toMatchObject(balanced)
  expect(await verifiedUpto()).toBe(before)
  pass(1)
  expect(await check()).toMatchObject(balanced)
  expect(await verifiedUpto()).toBe(await value(`(select max(id) from entries)`))
})

test('the next check reports a changed balance after a full recount', async () => {
  await tamperBalance(7)
  expect(await check()).toEqual({ accountsOff: 1, currenciesOff: 0, recountedAt: now })
  const reported = now
  pass(60_000)
  expect(await check()).toEqual({ accountsOff: 1, currenciesOff: 0, recountedAt: reported })
  await tamperBalance(-7)
  expect(await check()).toEqual({ ...balanced, recountedAt: reported })
  await tamperBalance(7)
  expect(await check()).toEqual({ accountsOff: 1, currenciesOff: 0, recountedAt: now })
  await tamperBalance(-7)
})

test('finds a changed old entry once a day', async () => {
  await tamperEntry(5)
  expect(await check()).toMatchObject(balanced)
  pass(RECOUNT_MS)
  expect(await check()).toEqual({ accountsOff: 1, currenciesOff: 1, recountedAt: now })
  await tamperEntry(-5)
  pass(RECOUNT_MS)
  expect(await check()).toEqual({ ...balanced, recountedAt: now })
})

test('a recount that was stopped half-way resumes there', async () => {
  await skipIds()
  await deposit()
  await verifyAll()
  const endedAt = await value<Date>(`(select ended_at from ledger_marks where kind = 'recount')`)
  await tamperBalance(7)
  await inTransaction(pool, beginDoubted)
  const until = await verifiedUpto()
  expect(await inTransaction(pool, (client) => countOn(client, 'recount', until, endedAt))).toBe('counted')
  // A recount that starts again at the first entry would not see this change.
  await pool.query(
    `update ledger_sums set minor = minor + 1 where kind = 'recount' and account_id = (select max(account_id) from ledger_sums)`,
  )
  expect(await check()).toMatchObject({ accountsOff: 2, recountedAt: now })
  await tamperBalance(-7)
})

test("a recount ends even when the database itself noted the last one's time", async () => {
  await pool.query(`update ledger_marks set ended_at = '2026-01-01T00:00:00.123456Z' where kind = 'recount'`)
  expect(await check()).toEqual({ ...balanced, recountedAt: now })
})

test('of two concurrent processes each count runs once, and both report correctly', async () => {
  for (let n = 0; n < 5; n += 1) {
    await skipIds()
    await deposit()
  }
  await check()
  pass(COMMITTED_AFTER_MS)
  expect(await Promise.all([check(), check(), check()])).toMatchObject([balanced, balanced, balanced])
  await tamperBalance(7)
  const reported = await Promise.all([check(), check(), check()])
  expect(reported).toContainEqual({ accountsOff: 1, currenciesOff: 0, recountedAt: now })
  for (const findings of reported) if (findings) expect(findings).toMatchObject({ accountsOff: 1, currenciesOff: 0 })
  await tamperBalance(-7)
  expect(
    await value<bigint>(
      `(select count(*) from (select account_id, sum(amount_minor) as minor from entries group by 1) e
        full join (select * from ledger_sums where kind = 'verified') s using (account_id) where s.minor is distinct from e.minor)`,
    ),
  ).toBe(0n)
})

test.each([
  ['in time is counted as any other', COMMITTED_AFTER_MS - 1, false],
  ['too late is counted by a recount, without a finding', COMMITTED_AFTER_MS, true],
])('an entry with a lower id than others that commits %s', async (_when, afterMs, isRecounted) => {
  const first = await check()
  const late = await pool.connect()
  try {
    await late.query('begin')
    await late.query(
      `with r as (insert into transfers (id, kind, created_at) select max(id) + 1, 'deposit', now() from transfers returning id)
       insert into entries (transfer_id, account_id, amount_minor)
         select r.id, a.id, case a.kind when 'operator' then -9 else 9 end from r, accounts a
         where a.currency = 'UGX' and (a.kind = 'operator' or a.kind = 'payout_available' and a.merchant_id = 1)`,
    )
    await late.query(
      `update accounts set balance_minor = balance_minor + case kind when 'operator' then -9 else 9 end
       where currency = 'UGX' and (kind = 'operator' or kind = 'payout_available' and merchant_id = 1)`,
    )
    await pool.query(`select nextval('entries_ids')`)
    await check()
    pass(afterMs)
    expect(await check()).toMatchObject(balanced)
    await late.query('commit')
  } finally {
    late.release()
  }
  expect(await check()).toEqual({ ...balanced, recountedAt: isRecounted ? now : first?.recountedAt })
  pass(COMMITTED_AFTER_MS)
  expect(await check()).toMatchObject(balanced)
})

test('a check reads few pages of a long ledger', async () => {
  await pool.query(
    `with r as (insert into transfers (id, kind, created_at) select 5000000 + n, 'deposit', now() from generate_series(1, 20000) n returning id)
     insert into entries (transfer_id, account_id, amount_minor)
       select r.id, a.id, case a.kind when 'operator' then -1 else 1 end from r, accounts a
       where a.currency = 'UGX' and (a.kind = 'operator' or a.kind = 'payout_available' and a.merchant_id = 1)`,
  )
  await pool.query(
    `update accounts set balance_minor = balance_minor + case kind when 'operator' then -20000 else 20000 end
     where currency = 'UGX' and (kind = 'operator' or kind = 'payout_available' and merchant_id = 1)`,
  )
  await pool.query('vacuum analyze entries')
  await verifyAll()
  await deposit()
  const pages = async (): Promise<number> => {
    await pool.query('select pg_stat_force_next_flush()')
    return Number(
      await value(
        `(select sum(heap_blks_hit + heap_blks_read) from pg_statio_user_tables where relname like 'entries%')`,
      ),
    )
  }
  const before = await pages()
  expect(await check()).toMatchObject(balanced)
  const read = (await pages()) - before
  expect(read).toBeLessThan(
    Number(await value(`(select sum(relpages) from pg_class where relname like 'entries%' and relkind = 'r')`)) / 3,
  )
})

test('every partition finds entries and events by number and keeps the index', async () => {
  await ensureMonths(pool, monthsAhead(new Date('2031-01-01T00:00:00Z'), 0), now)
  const { rows } = await pool.query(
    `select c.relname, i.reloptions from pg_class c join pg_index x on x.indrelid = c.oid join pg_class i on i.oid = x.indexrelid
       join pg_am on pg_am.oid = i.relam
     where pg_am.amname = 'brin' and c.relname in ('entries_before', 'entries_2031_01', 'transaction_events_2031_01') order by 1`,
  )
  expect(rows).toEqual(
    ['entries_2031_01', 'entries_before', 'transaction_events_2031_01'].map((relname) => ({
      relname,
      reloptions: ['autosummarize=on'],
    })),
  )
})
