import { beforeEach, expect, test } from 'vitest'
import { depositTransfer } from '../../../domain/ledger.ts'
import { databaseTest } from '../../../verification/testing/database-test.ts'
import { ensureMonths, monthsAhead } from '../../../storage/months.ts'
import { COMMITTED_AFTER_MS } from '../ledger-marks.ts'
import { examineChanged } from '../doctor.ts'
import { bookByStaff } from '../../../verification/testing/book-by-staff.ts'

// The doctor without --full: it reports a payment that breaks a rule while it is new, and does not read verified rows
// again.

const { pool } = await databaseTest({ connectionsMax: 1 })
let now = new Date('2026-03-01T08:00:00Z')
await ensureMonths(pool, monthsAhead(now, 2), now)
const pass = (ms: number): void => {
  now = new Date(now.getTime() + ms)
}
const run = async (full = false) => {
  const { findings, since } = await examineChanged(pool, now, full)
  return { since, broken: findings.filter(({ found }) => found > 0).map(({ name }) => name) }
}
let id = 100n
/** A payment that has ended without a callback. */
async function untold(): Promise<bigint> {
  id += 1n
  await pool.query(
    `insert into transactions (id, merchant_id, merchant_reference, internal_reference, type, method, provider_code, account,
       request_currency, request_amount_minor, currency, amount_minor, charge_minor, total_minor, charge_customer,
       allow_final_status_change, customer_name, description, status, status_message, created_at, final_at)
     select $1::bigint, 1, 'UNTOLD-' || $1::bigint, 'MLP' || $1::bigint, 'COLLECTION', 'MOBILE_MONEY', 'mtn_ug', '256770000001', 'UGX', 5, 'UGX', 5, 0, 0,
       false, true, '', 'Never reported', 'FAILED', '', $2, $2`,
    [id, now],
  )
  await pool.query(
    `insert into transaction_references (merchant_id, merchant_reference, transaction_id) values (1, 'UNTOLD-' || $1::bigint, $1)`,
    [id],
  )
  await pool.query(
    `insert into transaction_events (transaction_id, at, kind, detail) values ($1, $2, 'accepted', '')`,
    [id, now],
  )
  return id
}
const forget = (gone: bigint) =>
  pool.query(
    `delete from transaction_references where transaction_id = ${gone}; delete from transactions where id = ${gone}`,
  )
const deposit = () => bookByStaff(pool, depositTransfer(1n, 'UGX', 700n), now)

beforeEach(async () => {
  await pool.query(`delete from doctor_mark; update rules_since set since = '-infinity'`)
})

test('the first run checks everything, and so does one after unclean runs', async () => {
  const old = await untold()
  expect(await run()).toEqual({ since: undefined, broken: ['callbacks_told'] })
  expect(await run()).toEqual({ since: undefined, broken: ['callbacks_told'] })
  await forget(old)
  expect(await run()).toEqual({ since: undefined, broken: [] })
  expect(await run()).toEqual({ since: now, broken: [] })
})

test('skips what was clean unless all is requested; checks new rows until clean', async () => {
  await deposit()
  await run()
  const clean = now
  const fresh = await untold()
  expect(await run()).toEqual({ since: clean, broken: ['callbacks_told'] })
  pass(COMMITTED_AFTER_MS)
  expect(await run()).toEqual({ since: clean, broken: ['callbacks_told'] })
  pass(COMMITTED_AFTER_MS)
  expect(await run()).toEqual({ since: clean, broken: ['callbacks_told'] })
  await pool.query(`update rules_since set since = 'infinity'`)
  expect(await run()).toEqual({ since: clean, broken: [] })
  const cleanAgain = now
  await pool.query(`update rules_since set since = '-infinity'`)
  expect(await run()).toEqual({ since: cleanAgain, broken: [] })
  expect(await run(true)).toEqual({ since: undefined, broken: ['callbacks_told'] })
  await forget(fresh)
})

test('new refunds, returns and attempts hold references and count as their kinds do', async () => {
  await run()
  for (const [type, prefix] of [
    ['REFUND', 'refund:'],
    ['RETURN', 'return:'],
    ['ATTEMPT', ''],
  ] as const) {
    const made = await untold()
    await pool.query(
      `update transaction_references set merchant_reference = $2 || merchant_reference where transaction_id = $1`,
      [made, prefix],
    )
    await pool.query(`update transactions set type = $2, status = 'PROCESSING', final_at = null where id = $1`, [
      made,
      type,
    ])
    if (type === 'ATTEMPT')
      await pool.query(
        `insert into limit_usage (provider_code, transaction_type, account, merchant_id, transaction_id, created_at, amount_minor)
         select provider_code, 'COLLECTION', account, merchant_id, id, created_at, amount_minor from transactions where id = $1`,
        [made],
      )
    const { broken } = await run()
    expect(broken).not.toEqual(expect.arrayContaining(['references_match']))
    expect(broken).not.toEqual(expect.arrayContaining(['limits_counted']))
    await pool.query(`delete from limit_usage where transaction_id = ${made}`)
    await forget(made)
  }
})

test('the next run checks what commits late, below what a clean run has checked', async () => {
  await run()
  pass(60_000)
  await pool.query(`select nextval('transaction_events_ids')`) // drawn by a payment that has not committed
  await deposit()
  expect((await run()).broken).toEqual([])
  pass(COMMITTED_AFTER_MS - 1)
  expect((await run()).broken).toEqual([])
  const late = await untold()
  await pool.query(
    `alter table transaction_events disable trigger user; alter table transaction_events_before disable trigger user;
     update transaction_events set id = id - 1 where transaction_id = ${late};
     alter table transaction_events enable trigger user; alter table transaction_events_before enable trigger user`,
  )
  expect((await run()).broken).toEqual(['callbacks_told'])
  await forget(late)
})

test('a full run finds a changed entry, any run a changed balance', async () => {
  await deposit()
  await run()
  for (let n = 0; n < 2; n += 1) {
    pass(COMMITTED_AFTER_MS)
    await run()
  }
  const by = (minor: number) =>
    pool.query(
      `alter table entries disable trigger user; alter table entries_2026_03 disable trigger user;
       update entries set amount_minor = amount_minor + ${minor} where id = (select min(id) from entries_2026_03);
       alter table entries enable trigger user; alter table entries_2026_03 enable trigger user`,
    )
  await by(3)
  expect((await run()).broken).toEqual([])
  expect((await run(true)).broken).toEqual([
    'transfers_sum_to_zero',
    'balances_equal_replay',
    'transfers_caused',
    'transfers_chained',
  ])
  await by(-3)
  const balance = (minor: number) =>
    pool.query(
      `update accounts set balance_minor = balance_minor + ${minor} where kind = 'payout_available' and currency = 'UGX'`,
    )
  await balance(3)
  expect((await run()).broken).toEqual(['book_sums_to_zero', 'balances_equal_replay'])
  await balance(-3)
})

test('reads few pages of a long history, and leaves the session unchanged', async () => {
  await pool.query(
    `insert into transaction_events (transaction_id, at, kind, detail) select 200 + n, now(), 'accepted', '' from generate_series(1, 20000) n`,
  )
  await pool.query(
    `with r as (insert into transfers (id, kind, created_at) select 5000000 + n, 'deposit', now() from generate_series(1, 10000) n returning id),
       c as (insert into transfer_causes (transfer_id, kind) select id, 'demo_balance' from r)
     insert into entries (transfer_id, account_id, amount_minor) select r.id, a.id, case a.kind when 'operator' then -1 else 1 end
       from r, accounts a where a.currency = 'UGX' and (a.kind = 'operator' or a.kind = 'payout_available' and a.merchant_id = 1)`,
  )
  await pool.query(
    `update accounts set balance_minor = balance_minor + case kind when 'operator' then -10000 else 10000 end
     where currency = 'UGX' and (kind = 'operator' or kind = 'payout_available' and merchant_id = 1)`,
  )
  for (const table of ['transaction_events', 'entries', 'transfers']) await pool.query(`vacuum analyze ${table}`)
  for (let n = 0; n < 3; n += 1) {
    await run()
    pass(COMMITTED_AFTER_MS)
  }
  await deposit()
  const count = async (sql: string): Promise<number> => Number((await pool.query<{ n: unknown }>(sql)).rows[0]?.n)
  const HISTORY = `relname ~ '^(transaction_events|transfers|entries)_'`
  const pages = async (): Promise<number> => {
    await pool.query('select pg_stat_force_next_flush()')
    return count(`select sum(heap_blks_hit + heap_blks_read) as n from pg_statio_user_tables where ${HISTORY}`)
  }
  const before = await pages()
  expect((await run()).broken).toEqual([])
  const read = (await pages()) - before
  const stored = await count(`select sum(relpages) as n from pg_class where relkind = 'r' and ${HISTORY}`)
  expect(read).toBeLessThan(stored / 4)
  expect(await count("select count(*) as n from pg_class where relpersistence = 't'")).toBe(0)
  expect(
    (await pool.query(`select current_setting('search_path') as path, current_setting('enable_hashjoin') as hash`))
      .rows,
  ).toEqual([{ path: '"$user", public', hash: 'on' }])
})
