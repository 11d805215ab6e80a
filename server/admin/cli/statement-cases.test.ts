import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { balancesAt, installed } from '../queries/statements/testing/installed.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { json, malipo } from './testing/command-line.ts'
import { environmentOf } from './testing/operated-gateway.ts'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'

// Third-party files, from the command line to the exceptions.

const CASES = fileURLToPath(new URL('../../statements/testing/cases/', import.meta.url))
const { written } = temporaryFolder()
const database = await databaseTest()
const env = environmentOf(database)
let made = 0

async function bank(settings: Readonly<Record<string, string>>, { currency = 'EUR', rail = 'mtn-momo' } = {}) {
  made += 1
  const name = `bank-${made}`
  await installed(database.pool, name, { statement_window_hours: '0', ...settings }, { currency, rail })
  return {
    name,
    imported: (file: string) => json(['statement', 'import', name, join(CASES, file)], env),
    importedFrom: (file: string) => json(['statement', 'import', name, file], env),
    printed: async (file: string) => (await malipo(['statement', 'import', name, join(CASES, file)], env)).out,
    async reconciled() {
      const { exceptions } = await json<{ exceptions: readonly Exception[] }>(['reconcile', name], env)
      return exceptions.map(({ kind, found, suspense }) => [kind, found, suspense].join(' '))
    },
    balances: () => balancesAt(database.pool, name),
  }
}

interface Exception {
  readonly kind: string
  readonly found: string | null
  readonly suspense: string
}

test('makes equal lines of two halves of a day an exception', async () => {
  const { name, importedFrom, reconciled } = await bank({ statement_account: 'KE0000000001' })
  const text = await readFile(join(CASES, 'camt/c23-day1-ntryref-1.xml'), 'utf8')
  const half = async (name: string, from: string, to: string) => {
    const period = `<FrToDt><FrDtTm>2026-11-18T${from}</FrDtTm><ToDtTm>2026-11-18T${to}</ToDtTm></FrToDt>`
    return importedFrom(written(name, text.replace('<Acct>', `${period}<Acct>`)))
  }
  expect(await half('am.xml', '00:00:00', '12:00:00')).toMatchObject({ new_lines: 1, maybe_repeated: 0 })
  expect(await half('pm.xml', '12:00:00', '23:59:59')).toMatchObject({ new_lines: 0, maybe_repeated: 1 })
  expect(await half('day.xml', '00:00:00', '23:59:59')).toMatchObject({ new_lines: 0, maybe_repeated: 0 })
  expect(await reconciled()).toEqual(['missing_with_us 5000.00 5000.00', 'maybe_repeated 5000.00 0.00'])

  const { out } = await malipo(['reconcile', 'list', name], env)
  expect(out).toMatch(/ THE ENTRY\n/)
  expect(out).toContain('is the same as one of another statement: it may be that movement, or a second one')
  const [known, doubted] = await json<{ id: number }[]>(['reconcile', 'list', name], env)
  const end = (id: number | undefined) =>
    malipo(['reconcile', 'end', String(id), '--reason', 'Paid twice', '--second-movement', '--by', 'amina'], env)
  expect(await end(known?.id)).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      'is missing_with_us: only what is maybe_repeated can be a second movement; nothing was ended.',
    ),
  })
  expect(await end(doubted?.id)).toMatchObject({ code: 0, out: expect.stringContaining('It had no money.') })
  expect(await reconciled()).toEqual(Array(2).fill('missing_with_us 5000.00 5000.00'))
})

const MTN = {
  statement_columns: 'reference=Id; ours=External Transaction Id; at=Date; amount=Amount; status=Status',
  statement_statuses: 'Successful',
}

test('reports the reversal of a line that is known', async () => {
  const { importedFrom, imported, printed, reconciled } = await bank(MTN, { currency: 'UGX' })
  expect(await printed('csv/m03-mtn-failed.csv')).toContain(
    'Nothing in it moved money: 2 entries passed over: 1 with status Failed, 1 with status Reversed.',
  )
  const text = await readFile(join(CASES, 'csv/m03-mtn-failed.csv'), 'utf8')
  const before = written('before.csv', text.replace('Reversed', 'Successful'))
  expect(await importedFrom(before)).toMatchObject({ lines: 2, new_lines: 1, reversals: 0 })
  expect(await imported('csv/m03-mtn-failed.csv')).toMatchObject({ lines: 2, new_lines: 0, reversals: 1 })
  expect(await imported('csv/m03-mtn-failed.csv')).toMatchObject({ reversals: 0 })
  expect(await reconciled()).toEqual(['missing_with_us 5000 5000', 'unclear  0'])
})
