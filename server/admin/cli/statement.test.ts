import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { examine } from '../queries/doctor.ts'
import { givenOrders, importLines, installed } from '../queries/statements/testing/installed.ts'
import { csvOf, FEE, plantedStatement } from '../queries/statements/testing/planted-statement.ts'
import { smallerByDefault } from '../../verification/testing/nightly.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { expectBalancedBooks } from '../../verification/testing/ledger.ts'
import { json, malipo } from './testing/command-line.ts'
import { environmentOf } from './testing/operated-gateway.ts'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'

const SEED = 20_261_122
/** A large merchant's day by default; a large operator's in the nightly run. */
const MANY = smallerByDefault('lines of a statement', 1_500, 100_000)
const DAY_MS = 86_400_000
const START = new Date(Date.now() - 10 * DAY_MS)

const { path: folder } = temporaryFolder()

async function written(name: string, parts: Iterable<string>): Promise<string> {
  const file = join(folder, name)
  await pipeline(Readable.from(parts), createWriteStream(file))
  return file
}

/** A database with the orders of a planted statement, and the commands on it. */
async function given(size: number, plants: number) {
  const database = await databaseTest()
  const env = environmentOf(database)
  const statement = plantedStatement(SEED, size, plants, START)
  await installed(database.pool, 'mtn-uganda', { fee_in: FEE, fee_out: FEE })
  await givenOrders(database.pool, 'mtn-uganda', statement.orders)
  return {
    ...database,
    statement,
    importFile: (file: string) => json(['statement', 'import', 'mtn-uganda', file], env),
    reconcile: () => json(['reconcile', 'mtn-uganda'], env),
    reconcileAll: () => json<object[]>(['reconcile'], env),
    /** In the generator's terms. */
    async found() {
      const { rows } = await database.pool.query<{ found: string }>(
        `select e.kind || ' ' || coalesce(t.merchant_reference, l.reference) as found
         from reconciliation_exceptions e left join transactions t on t.id = e.transaction_id
           left join statement_lines l on l.id = e.line_id where e.ended_at is null`,
      )
      return rows.map(({ found }) => found).sort()
    },
    async expectSoundBooks() {
      await expectBalancedBooks(database)
      const findings = await examine(database.pool, new Date())
      // The statement says that these were paid after all.
      const paid = statement.orders.filter(({ type, status }) => type === 'PAYOUT' && status === 'FAILED').length
      expect(findings.filter(({ found }) => found > 0).map(({ name, found }) => [name, found])).toEqual(
        paid > 0 ? [['paid_payouts_booked', paid]] : [],
      )
    },
    /** Balance of every account, by its name. */
    async balances() {
      const { rows } = await database.pool.query<{ account: string; balance_minor: bigint }>(
        `select concat_ws(' ', kind, currency, merchant_id, provider_code, rail_account) as account, balance_minor
         from accounts where kind in ('rail', 'fee', 'suspense', 'collection_available', 'payout_available') order by 1`,
      )
      return Object.fromEntries(rows.map(({ account, balance_minor }) => [account, balance_minor]))
    },
  }
}

test(`finds all 500 planted differences of ${MANY} lines, and no other`, async () => {
  const { pool, statement, importFile, reconcile, found } = await given(MANY, 500)
  const file = await written('whole.csv', csvOf(statement.lines))
  const began = performance.now()
  const imported = await importFile(file)
  const read = performance.now()
  const first = await reconcile()
  const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1)
  process.stdout.write(
    `${statement.lines.length} lines: imported in ${seconds(began, read)} s, reconciled in ${seconds(read, performance.now())} s\n`,
  )
  expect(imported).toMatchObject({ lines: statement.lines.length, new_lines: statement.lines.length, skipped: 0 })
  expect(statement.planted).toHaveLength(500)
  expect(await found()).toEqual(statement.planted)
  expect(first).toMatchObject({ opened: 500, ended: 0, completed_orders: statement.hanging, waiting_lines: 0 })
  await expectBalancedBooks({ pool })
}, 600_000)

const SOME = 400

/** Imported and compared once: for tests that do not change it. */
let whole: ReturnType<typeof importWhole> | undefined
async function importWhole() {
  const of = await given(SOME, 80)
  const file = await written('whole-again.csv', csvOf(of.statement.lines))
  await of.importFile(file)
  return { ...of, file, first: await of.reconcile() }
}
const imported = () => (whole ??= importWhole())

test('repeating the file changes nothing, and the books are sound', async () => {
  const { statement, file, first, importFile, reconcile, reconcileAll, found, expectSoundBooks, balances } =
    await imported()
  expect(first).toMatchObject({ opened: 80, ended: 0 })
  expect(await found()).toEqual(statement.planted)
  await expectSoundBooks()
  const before = await balances()
  expect(await importFile(file)).toMatchObject({ new_lines: 0, imported_before: expect.any(String) })
  expect(await reconcile()).toMatchObject({ opened: 0, ended: 0, settled_lines: 0, completed_orders: 0, fees: '0' })
  expect(await reconcileAll()).toMatchObject([{ rail_account: 'mtn-uganda', opened: 0, open: expect.any(Object) }])
  expect(await found()).toEqual(statement.planted)
  expect(await balances()).toEqual(before)
})

test('two halves, even overlapping ones, give the same as the whole', async () => {
  const { balances } = await imported()
  const halves = await given(SOME, 80)
  const { lines } = halves.statement
  await halves.importFile(await written('first.csv', csvOf(lines.slice(0, SOME / 2))))
  await halves.reconcile()
  await halves.importFile(await written('second.csv', csvOf(lines.slice(SOME / 2 - 40))))
  await halves.reconcile()
  expect(await halves.found()).toEqual(halves.statement.planted)
  expect(await halves.balances()).toEqual(await balances())
  await halves.expectSoundBooks()
})

test("the rail accounts agree with the operator's balance in its statement", async () => {
  const { statement, balances } = await imported()
  const moved = statement.lines.reduce(
    (sum, { direction, amountMinor, feeMinor }) => sum + (direction === 'IN' ? amountMinor : -amountMinor) - feeMinor,
    0n,
  )
  const rails = Object.entries(await balances()).filter(([account]) => account.startsWith('rail '))
  expect(rails.reduce((sum, [, minor]) => sum + minor, 0n)).toBe(-moved)
})

test('refuses a file with an unreadable line unless the rest is requested', async () => {
  const database = await databaseTest()
  const env = environmentOf(database)
  await installed(database.pool, 'mtn-uganda')
  const [header = '', ...lines] = [...csvOf(plantedStatement(SEED, 12, 0, START).lines)]
  const file = await written('broken.csv', [header, ...lines.slice(0, 4), 'nonsense\r\n', ...lines.slice(4)])
  const command = ['statement', 'import', 'mtn-uganda', file]
  expect(await malipo(command, env)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(
      /^malipo: nothing was imported: a line of .* cannot be read\.\n {2}line 6 .*\nImport the others all the same: --skip-unreadable\n$/,
    ),
  })
  expect(await json(['statement', 'list'], env)).toEqual([])
  expect(await json([...command, '--skip-unreadable'], env)).toMatchObject({
    new_lines: lines.length,
    skipped: 1,
    unreadable: [expect.stringMatching(/^line 6 /)],
  })
  expect(await json(['statement', 'list', 'mtn-uganda'], env)).toMatchObject([{ name: 'broken.csv', skipped: 1 }])
})

test('a statement without movements is no missing statement', async () => {
  const database = await databaseTest()
  const env = environmentOf(database)
  await installed(database.pool, 'mtn-uganda')
  const found = async (form: 'csv' | 'pull', name: string) => {
    await importLines(database.pool, 'mtn-uganda', [], START, { form, name })
    const { code, err } = await malipo(['reconcile', 'mtn-uganda'], env)
    expect(code).toBe(3)
    return err
  }
  expect(await found('pull', '2026-11-21T06:00:00.000Z to 2026-11-22T06:00:00.000Z')).toContain(
    'malipo: the statement of mtn-uganda was pulled from 2026-11-21T06:00:00.000Z to 2026-11-22T06:00:00.000Z, and nothing was found',
  )
  expect(await malipo(['reconcile'], env)).toMatchObject({
    code: 3,
    err: expect.stringContaining('there is no statement yet'),
  })
  expect(await found('csv', 'empty.csv')).toContain('(empty.csv), and has no line: there is nothing to compare')
})

test('refuses what is not there, or not offered', async () => {
  const database = await databaseTest()
  await installed(database.pool, 'mtn-uganda', {
    collection_subscription_key: 'k',
    collection_api_user: '00000000-0000-4000-8000-000000000001',
    collection_api_key: 'k',
  })
  for (const [args, code, err] of [
    [['statement', 'import', 'nobody', 'x.csv'], 3, 'there is no rail account nobody'],
    [['statement', 'import', 'mtn-uganda', 'not-there.csv'], 2, 'not-there.csv cannot be read (ENOENT)'],
    [['statement', 'pull', 'mtn-uganda', '--since', '1h'], 2, 'mtn-uganda offers no statement by API'],
    [['reconcile', 'mtn-uganda'], 3, 'there is no statement of mtn-uganda yet'],
    [['reconcile', 'end', '17', '--reason', 'Because'], 3, 'there is no exception 17'],
  ] as const)
    expect(await malipo(args, environmentOf(database)), args.join(' ')).toMatchObject({
      code,
      out: '',
      err: expect.stringContaining(err),
    })
})
