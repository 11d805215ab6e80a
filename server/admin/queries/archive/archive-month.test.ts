import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { getStatement } from '../../../actions/get-statement.ts'
import { listEvents } from '../../../actions/list-events.ts'
import { verifyTransaction } from '../../../actions/verify-transaction.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { fixedClock, startTestGateway } from '../../../verification/testing/gateway.ts'
import { databaseTest } from '../../../verification/testing/database-test.ts'
import { startReceiver } from '../../../verification/testing/receiver.ts'
import { numberEvents } from '../../../storage/merchant-events.ts'
import { createLookups } from '../../../storage/lookups.ts'
import { ensureMonths, monthsAhead } from '../../../storage/months.ts'
import { createMerchantLists } from '../merchant-lists.ts'
import { examine, examineChanged } from '../doctor.ts'
import { createFigures } from '../figures.ts'
import { listAuditLog } from '../audit-log.ts'
import { makeEveryPayment } from '../testing/every-payment.ts'
import { archiving } from '../../../verification/testing/book-by-staff.ts'
import { chainAll } from '../../../verification/testing/chain-all.ts'
import { verifyChained } from './archived-chain.ts'
import { archiveMonth } from './archive-month.ts'
import { MANIFEST, readManifest } from './month-files.ts'
import { readArchived } from './read-archive.ts'
import { temporaryFolder } from '../../../verification/testing/temporary-folder.ts'

// One database with every sort of payment of March 2026, made by the real gateway. A month with open payments stays;
// then the test ends them by hand, and the month is archived.

const { connection, pool } = await databaseTest()
const clock = fixedClock()
const { path: folder } = temporaryFolder()
const LATER = new Date('2027-05-01T00:00:00Z')
const archive = (now = LATER) => archiveMonth(pool, '2026-03', folder, now, archiving('2026-03'))
const unclean = async () => (await examine(pool, LATER)).filter(({ found }) => found > 0).map(({ name }) => name)
const one = async <Value>(sql: string, values: readonly unknown[] = []): Promise<Value> =>
  (await pool.query<{ value: Value }>(sql, [...values])).rows[0]!.value
const checked = (now: Date) => createFigures(pool).checkLedger(now, new AbortController().signal)
const balances = () => one<string>(`select json_agg(a order by id)::text as value from accounts a`)

beforeAll(async () => {
  const receiver = await startReceiver()
  const gateway = await startTestGateway({ connection, surroundings: { clock } })
  try {
    await makeEveryPayment(gateway, clock, receiver.url)
  } finally {
    await gateway.stop()
    await receiver.close()
  }
  await ensureMonths(pool, monthsAhead(LATER, 1), LATER)
})

test('refuses a month that does not exist, or ended less than 13 months ago', async () => {
  expect(await archiveMonth(pool, '2019-01', folder, LATER, archiving('2019-01'))).toEqual({ result: 'no_such_month' })
  expect(await archive(new Date(LATER.getTime() - 1))).toEqual({ result: 'too_young', archivableFrom: LATER })
})

test('refuses a month with something open, names it, and changes nothing', async () => {
  expect(await archive()).toMatchObject({
    result: 'open',
    open: expect.arrayContaining([{ what: 'payments without an end', count: expect.any(Number) as number }]) as unknown,
  })
  await pool.query(`update transactions_2026_03 set description = description`)
  expect(existsSync(join(folder, '2026-03'))).toBe(false)
})

test('archives what is over; books, doctor and ledger check stay correct across it', async () => {
  await endEverything()
  await chainAll(pool, LATER)
  expect(await unclean()).toEqual([])
  const [before, payments] = [await balances(), await one<bigint>('select count(*) as value from transactions_2026_03')]
  const completed = await one<string>(
    `select merchant_reference as value from transactions_2026_03 where type = 'COLLECTION' and status = 'COMPLETED' order by id limit 1`,
  )
  const merchantId = await one<bigint>(
    'select merchant_id as value from transaction_references where merchant_reference = $1',
    [completed],
  )

  // Verified entries are removed and summed up in one transaction: their sum must not be counted twice.
  for (const minutes of [-40, -20]) await checked(new Date(LATER.getTime() + minutes * 60_000))
  expect(await one(`select upto > 0 as value from ledger_marks where kind = 'verified'`)).toBe(true)
  await numberEvents(pool)
  await pool.query('insert into search_keys select 1, id from transactions_2026_03 union select 1, 1')
  const archived = await archive()
  expect(await one<bigint>('select count(*) as value from search_keys')).toBe(1n)
  const lists = createMerchantLists(pool)
  expect(await lists.events(merchantId, { limit: 1 })).toEqual([])
  await expect(listEvents({ lists }, { id: merchantId } as Merchant, { after: 1n, limit: 1 })).rejects.toThrow(
    /^Events up to \d+ have been archived with 2026-03$/,
  )
  const statement = (from: string, to: string) => {
    const period = { from: new Date(from), to: new Date(to), entriesMax: 100 }
    return getStatement({ lists }, { id: merchantId }, { purpose: 'collection', currency: 'UGX', ...period })
  }
  await expect(statement('2026-03-10', '2026-04-05')).rejects.toThrow('2026-03')
  const balanceMinor = await one<bigint>(
    `select sum(balance_minor)::bigint as value from accounts
     where merchant_id = $1 and currency = 'UGX' and kind like 'collection%'`,
    [merchantId],
  )
  expect(balanceMinor).toBeGreaterThan(0n)
  for (const [from, to] of [
    ['2026-04-01', '2026-04-30'],
    ['2027-04-20', '2027-05-20'],
  ] as const)
    expect(await statement(from, to)).toEqual({ openingMinor: balanceMinor, closingMinor: balanceMinor, entries: [] })
  expect(archived).toMatchObject({ result: 'archived', folder: join(folder, '2026-03') })
  const { tables } = await readManifest(join(folder, '2026-03'))
  expect(tables.find(({ table }) => table === 'transactions')?.rows).toBe(Number(payments))

  expect(await one(`select to_regclass('transactions_2026_03') as value`)).toBeNull()
  expect(await balances()).toBe(before)
  expect(await unclean()).toEqual([])
  expect(await checked(LATER)).toEqual({ accountsOff: 0, currenciesOff: 0, recountedAt: LATER })
  expect(await archive()).toEqual({ result: 'archived_before', at: LATER })

  // The chain outlives the month: it verifies the month's files, and a changed file is detected.
  const { findings } = await examineChanged(pool, LATER, true)
  expect(findings.filter(({ found }) => found > 0)).toEqual([])
  const at = join(folder, '2026-03')
  const manifest = await readManifest(at)
  expect(await verifyChained(pool, at, manifest)).toBeGreaterThan(10)
  const accounts = manifest.accounts.map((account) => ({ ...account, merchant_id: '77' }))
  await expect(verifyChained(pool, at, { ...manifest, accounts })).rejects.toThrow('is not what it was')
  const file = join(at, 'transfers.ndjson.gz')
  const written = await readFile(file)
  const lines = gunzipSync(written).toString().split('\n').slice(1)
  await writeFile(file, gzipSync(lines.join('\n')))
  await expect(verifyChained(pool, at, manifest)).rejects.toThrow(/transfers, the hash chain \d+ of that month$/)
  await writeFile(file, written)

  const lookups = createLookups(pool)
  expect(await lookups.transactionByMerchantReference(merchantId, completed)).toBeUndefined()
  expect(await lookups.isArchived(merchantId, completed)).toBe(true)
  expect(await lookups.isArchived(merchantId, 'NEVER-USED')).toBe(false)
  const verify = (reference: string) => verifyTransaction({ lookups }, { id: merchantId } as Merchant, reference)
  await expect(verify(completed)).rejects.toThrow(`Transaction (${completed}) has been archived`)
  await expect(verify('NEVER-USED')).rejects.toThrow('Transaction (NEVER-USED) was not found')

  const [payment, ...others] = await readArchived(folder, completed)
  expect(others).toEqual([])
  expect(payment).toMatchObject({
    month: '2026-03',
    transaction: { merchant_reference: completed, status: 'COMPLETED' },
    callbacks: [
      {
        event: 'transaction.completed',
        status: 'DELIVERED',
        body: expect.stringContaining(`"${completed}"`) as string,
      },
    ],
    attempts: [{ attempt: 1, http_status: 200, url: expect.stringMatching(/^http:/) as string }],
  })
  expect(payment?.events.map(({ kind }) => kind)).toContain('settled')
  const sum = payment?.entries.reduce((total, { amount_minor }) => total + Number(amount_minor), 0)
  expect([sum, payment?.entries.length]).toEqual([0, expect.any(Number)])
  expect(payment?.entries.map(({ account, currency }) => `${String(account)} ${String(currency)}`)).toContain(
    'rail UGX',
  )
  expect(await readArchived(folder, String(payment?.transaction['internal_reference']))).toHaveLength(1)
  expect(await readArchived(folder, 'NEVER-USED')).toEqual([])
})

test('leaves one entry of who archived the month, and none where nothing was moved', async () => {
  const rows = expect.stringMatching(/^[1-9]\d*$/) as string
  const change = { old: { place: 'the database' }, new: { place: join(folder, '2026-03'), rows } }
  expect(await listAuditLog(pool, { subject: '2026-03', limit: 9 })).toMatchObject([
    { command: 'archive run', actor: 'test', ...change, at: LATER },
  ])
})

test('resumes after the files were written, unless the files changed', async () => {
  const acceptedAt = new Date('2026-04-10T00:00:00Z')
  await ensureMonths(pool, monthsAhead(acceptedAt, 0), acceptedAt)
  const id = await one<bigint>(`select from_id as value from history_months where month = '2026-04'`)
  await pool.query(
    `insert into transaction_events (transaction_id, at, kind, detail) values ($1, $2, 'noted', 'alone')`,
    [id, acceptedAt],
  )
  const now = new Date('2027-06-01T00:00:00Z')
  const at = join(folder, '2026-04')
  await chainAll(pool, now)
  await pool.query(`alter table history_months add constraint stopped check (archived_at <> '2027-06-01') not valid`)
  await expect(archiveMonth(pool, '2026-04', folder, now, archiving('2026-04'))).rejects.toMatchObject({
    constraint: 'stopped',
  })
  await pool.query('alter table history_months drop constraint stopped')
  // All of it is still in the database, and nobody can change it any more.
  expect(await one<bigint>('select count(*) as value from transaction_events_2026_04')).toBe(1n)
  await expect(
    pool.query(`insert into transaction_events (transaction_id, at, kind, detail) values ($1, now(), 'x', 'x')`, [id]),
  ).rejects.toThrow('append-only')

  const file = join(at, 'transaction_events.ndjson.gz')
  const written = await readFile(file)
  const manifest = await readFile(join(at, MANIFEST), 'utf8')
  await writeFile(file, Buffer.from(written).fill(7, written.length - 1))
  await expect(archiveMonth(pool, '2026-04', folder, now, archiving('2026-04'))).rejects.toThrow(
    'is not the file that was written',
  )
  await writeFile(file, written)
  expect(await archiveMonth(pool, '2026-04', folder, now, archiving('2026-04'))).toMatchObject({ result: 'archived' })
  expect(await readFile(join(at, MANIFEST), 'utf8')).toBe(manifest)
  expect(await unclean()).toEqual([])
})

/** By hand, as if a year had passed: open payments fail without having moved anything, and all credit is released. */
async function endEverything(): Promise<void> {
  await pool.query(`
    alter table entries_2026_03 disable trigger user; alter table transfers_2026_03 disable trigger user;
    alter table entries disable trigger user; alter table transfers disable trigger user;
    with open as (select id from transactions where status in ('PENDING', 'PROCESSING')), held as (
      delete from transfers where transaction_id in (select id from open) returning id
    ) delete from entries where transfer_id in (select id from held);
    with uncleared as (select e.transfer_id, e.id, e.account_id, a.id as into_id from entries e
      join accounts u on u.id = e.account_id and u.kind in ('collection_uncleared', 'collection_reserve')
      join accounts a on a.kind = 'collection_available' and a.currency = u.currency and a.merchant_id = u.merchant_id)
    update entries e set account_id = into_id from uncleared u where (u.transfer_id, u.id) = (e.transfer_id, e.id);
    delete from entries where transfer_id in (select id from transfers where kind = 'clearing');
    delete from transfers where kind = 'clearing';
    update accounts a set balance_minor = coalesce((select sum(amount_minor) from entries where account_id = a.id), 0);
    delete from unchained_transfers u where not exists (select from transfers r where r.id = u.transfer_id);
    alter table entries_2026_03 enable trigger user; alter table transfers_2026_03 enable trigger user;
    alter table entries enable trigger user; alter table transfers enable trigger user;
    insert into callbacks (id, webhook_id, transaction_id, merchant_id, event, url, body, status, created_at)
      select id, 'cb_' || id, id, merchant_id, 'transaction.failed', '', '{"transaction_status":"FAILED"}', 'STOPPED', created_at
      from transactions where status in ('PENDING', 'PROCESSING');
    delete from limit_usage; delete from jobs; delete from account_usage;
    update transactions set status = 'FAILED', final_at = created_at where status in ('PENDING', 'PROCESSING');
    update transactions set rail_paid_at = null where rail_paid_at is not null;
    update callbacks set status = 'STOPPED' where status = 'PENDING';
    delete from sandbox.reports`)
}
