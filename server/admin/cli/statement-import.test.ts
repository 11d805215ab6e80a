import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { installed } from '../queries/statements/testing/installed.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { accountNamed, queryForAccount } from './statement-account.ts'
import { json, malipo } from './testing/command-line.ts'
import { environmentOf } from './testing/operated-gateway.ts'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'

const { written } = temporaryFolder()
const database = await databaseTest()
const env = environmentOf(database)
let made = 0

const CREDENTIALS = {
  collection_subscription_key: 'k',
  collection_api_user: '00000000-0000-4000-8000-000000000001',
  collection_api_key: 'k',
}

/** A rail account in EUR, and the commands on it. */
async function bank(settings: Readonly<Record<string, string>> = {}, currency = 'EUR') {
  made += 1
  const name = `bank-${made}`
  await installed(database.pool, name, { ...CREDENTIALS, ...settings }, { currency })
  const run = (file: string, ...more: readonly string[]) => malipo(['statement', 'import', name, file, ...more], env)
  return {
    name,
    run,
    imported: (file: string) => json(['statement', 'import', name, file], env),
    async stored() {
      const { rows } = await database.pool.query<{ line: string }>(
        `select concat_ws(' ', nullif(account, ''), direction, amount_minor, doubt) as line from statement_lines
         where rail_account = $1 order by id`,
        [name],
      )
      return rows.map(({ line }) => line)
    },
  }
}

interface Entry {
  readonly amount?: string
  readonly status?: string
  readonly ref?: string
}
const stmt = (account: string | undefined, entries: readonly Entry[]): string =>
  `<Stmt><Id>S</Id>${account === undefined ? '' : `<Acct><Id><Othr><Id>${account}</Id></Othr></Id></Acct>`}${entries
    .map(
      ({ amount = '50.00', status = 'BOOK', ref = 'R1' }) =>
        `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>2026-11-18</Dt></BookgDt><AcctSvcrRef>${ref}</AcctSvcrRef></Ntry>`,
    )
    .join('')}</Stmt>`

const camt = (name: string, ...statements: readonly string[]): string =>
  written(name, `<Document><BkToCstmrStmt>${statements.join('')}</BkToCstmrStmt></Document>`)
const csv = (name: string, rows: readonly string[]): string =>
  written(name, ['Reference,Time,Amount,Status', ...rows].join('\n'))
const WITH_STATUS = {
  statement_columns: 'reference=Reference; at=Time; amount=Amount; status=Status',
  statement_statuses: 'Completed',
}

const OURS = 'KE12 0000 0000 3456'
const EXTERNAL_IDS = 'KE99 0000 0000 0002'

test('prompts once for the account of a file that names one', async () => {
  const { name, run, stored, imported } = await bank()
  const file = camt('one.xml', stmt('KE12000000003456', [{}]))
  const refused = await run(file)
  expect(refused).toMatchObject({ code: 2, out: '' })
  expect(refused.err).toContain('has 1 statement of account …3456, and the account of')
  expect(refused.err).toContain(
    `rail set ${name} --set statement_account=<the IBAN or account number that ends in 3456> --reason <text>`,
  )
  expect(refused.err).not.toContain('KE12000000003456')
  expect(await stored()).toEqual([])
  await json(['rail', 'set', name, '--set', `statement_account=${OURS}`], env)
  expect(await imported(file)).toMatchObject({ lines: 1, new_lines: 1, skipped_statements: [] })
  expect(await stored()).toEqual(['KE12000000003456 in 5000'])
})

test('skips the statements of other accounts and names them', async () => {
  const { run, stored } = await bank({ statement_account: OURS })
  const other = stmt(EXTERNAL_IDS, [{ ref: 'X' }, { ref: 'Y', amount: 'lots' }])
  const file = camt('both.xml', other, stmt('ke12000000003456', [{}]), other)
  const { code, out } = await run(file)
  expect(code).toBe(0)
  expect(out).toMatch(
    /^1 line of bank-\d+, from .*: 1 new\.\nSkipped, because the account is another: 2 statements of account …0002\.\n/,
  )
  expect(await stored()).toEqual(['KE12000000003456 in 5000'])
})

test('refuses a file that has no statement of the account', async () => {
  const { run, stored } = await bank({ statement_account: OURS })
  const { code, out, err } = await run(camt('theirs.xml', stmt(EXTERNAL_IDS, [{}]), stmt('KE77000000000007', [{}])))
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain('has no statement of account …3456')
  expect(err).toContain('It has 1 statement of account …0002, 1 statement of account …0007.')
  expect(err).not.toMatch(/KE\d/)
  expect(await stored()).toEqual([])
})

test('prompts at a terminal for the account', async () => {
  const accounts = new Map([['KE12000000003456', 1]])
  const query = async (answer: string, isTTY = true) => {
    const [input, output] = [new PassThrough(), new PassThrough()].map((stream) => Object.assign(stream, { isTTY }))
    input!.write(`${answer}\n`)
    const account = await queryForAccount('bank', 'a.xml', accounts, { input: input!, output: output! })
    return { account, shown: String(output!.read() ?? '') }
  }
  expect(await query('3456', false)).toEqual({ account: undefined, shown: '' })
  await expect(query('0002')).rejects.toThrow('not one of these accounts')
  const { account, shown } = await query('3456')
  expect(account).toBe('KE12000000003456')
  expect(shown).toContain('a.xml has 1 statement of account …3456.')
  expect(shown).not.toContain('KE12')
})

test('accepts an account by its last characters, unless they fit twice', () => {
  const accounts = new Map([
    ['KE12000000003456', 1],
    ['KE99000000003456', 1],
    ['KE99000000000002', 1],
  ])
  expect(accountNamed(' ke99 0000 0000 3456', accounts)).toBe('KE99000000003456')
  expect(accountNamed('0002', accounts)).toBe('KE99000000000002')
  for (const text of ['3456', '002', '', 'KE55']) expect(accountNamed(text, accounts)).toBeUndefined()
})

test('counts skipped lines by their reason', async () => {
  const { run, name } = await bank(WITH_STATUS)
  const rows = ['A,2026-11-18 10:00,1.00,Completed', ...Array<string>(2).fill('B,2026-11-18 10:01,1.00,Pending')]
  const file = csv('statuses.csv', rows)
  const { out } = await run(file)
  expect(out).toMatch(/^3 lines of bank-\d+, from .*: 1 new, 2 with status Pending\.\n/)
  expect(await json(['statement', 'import', name, file], env)).toMatchObject({
    lines: 3,
    new_lines: 0,
    passed_over: { 'with status Pending': 2 },
  })
  expect(await json(['statement', 'list', name], env)).toMatchObject([
    { lines: 3, new_lines: 0, passed_over: 2 },
    { lines: 3, new_lines: 1, passed_over: 2 },
  ])
})

test('reports of a fully skipped file that nothing moved, and why', async () => {
  const { run, name } = await bank(WITH_STATUS)
  const { code, out } = await run(csv('pending.csv', ['B,2026-11-18 10:01,1.00,Pending']))
  expect(code).toBe(0)
  expect(out).toMatch(/\nNothing in it moved money: 1 entry passed over: with status Pending\.\n/)
  const { err } = await malipo(['reconcile', name], env)
  expect(err).toContain('1 entry passed over')
  const several = ['B,2026-11-18 10:02,1.00,Pending', 'C,2026-11-18 10:03,1.00,Failed']
  expect((await run(csv('several.csv', several))).out).toContain(
    '\nNothing in it moved money: 2 entries passed over: 1 with status Pending, 1 with status Failed.\n',
  )
})
