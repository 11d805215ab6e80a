import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { installed } from '../queries/statements/testing/installed.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { json, malipo } from './testing/command-line.ts'
import { environmentOf } from './testing/operated-gateway.ts'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'

// A third-party file, from the command line to the exceptions.

const DAY = new URL('../../statements/testing/cases/camt/c23-day1-ntryref-1.xml', import.meta.url)
const { written } = temporaryFolder()
const database = await databaseTest()
const env = environmentOf(database)

test('makes equal lines of two halves of a day an exception', async () => {
  const settings = { statement_window_hours: '0', statement_account: 'KE0000000001' }
  await installed(database.pool, 'bank', settings, { currency: 'EUR' })
  const text = await readFile(DAY, 'utf8')
  const half = async (name: string, from: string, to: string) => {
    const period = `<FrToDt><FrDtTm>2026-11-18T${from}</FrDtTm><ToDtTm>2026-11-18T${to}</ToDtTm></FrToDt>`
    return json(['statement', 'import', 'bank', written(name, text.replace('<Acct>', `${period}<Acct>`))], env)
  }
  const reconciled = async () => {
    const { exceptions } = await json<{ exceptions: Record<string, string>[] }>(['reconcile', 'bank'], env)
    return exceptions.map(({ kind, found, suspense }) => [kind, found, suspense].join(' '))
  }
  expect(await half('am.xml', '00:00:00', '12:00:00')).toMatchObject({ new_lines: 1, maybe_repeated: 0 })
  expect(await half('pm.xml', '12:00:00', '23:59:59')).toMatchObject({ new_lines: 0, maybe_repeated: 1 })
  expect(await half('day.xml', '00:00:00', '23:59:59')).toMatchObject({ new_lines: 0, maybe_repeated: 0 })
  expect(await reconciled()).toEqual(['missing_with_us 5000.00 5000.00', 'maybe_repeated 5000.00 0.00'])

  const { out } = await malipo(['reconcile', 'list', 'bank'], env)
  expect(out).toMatch(/ THE ENTRY\n/)
  expect(out).toContain('is the same as one of another statement: it may be that movement, or a second one')
  const [known, doubted] = await json<{ id: number }[]>(['reconcile', 'list', 'bank'], env)
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
