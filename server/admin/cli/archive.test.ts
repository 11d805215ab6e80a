import { join } from 'node:path'
import { expect, test } from 'vitest'
import { maskAccount } from '../../domain/phone.ts'
import { createAcceptance } from '../../storage/accept-transactions.ts'
import { archiveMonth } from '../queries/archive/archive-month.ts'
import { ensureMonths, monthsAhead } from '../../storage/months.ts'
import { archiving } from '../../verification/testing/book-by-staff.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { newTransaction, START } from '../../verification/testing/transactions.ts'
import { json, malipo } from './testing/command-line.ts'
import { environmentOf } from './testing/operated-gateway.ts'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'

const database = await databaseTest()
const { pool } = database
const env = environmentOf(database)
const { path: folder } = temporaryFolder()

test('reports an absent month as not found, refuses an invalid one before any query', async () => {
  expect(await malipo(['archive', '2041-01'], env)).toMatchObject({
    code: 3,
    err: 'malipo: there is no month 2041-01 in the database.\n',
  })
  expect(await malipo(['archive', '2026-13'], env)).toMatchObject({
    code: 2,
    err: expect.stringContaining('like 2025-09') as string,
  })
})

test('a month that is too young names the date from which it can be archived', async () => {
  const ahead = new Date('2087-05-05T00:00:00Z')
  await ensureMonths(pool, monthsAhead(ahead, 0), ahead)
  const { code, err } = await malipo(['archive', '2087-05', '--to', folder], env)
  expect({ code, err }).toEqual({
    code: 1,
    err: 'malipo: 2087-05 can be archived from 2088-07-01 on, 13 months after its end.\n',
  })
})

test('shows an archived payment from the files by both references, without a database', async () => {
  const transaction = newTransaction({ merchantReference: 'ORDER-2026-0301', customerName: 'Grace Akello' })
  await createAcceptance(pool).accept(transaction)
  await pool.query(
    `update transactions set status = 'FAILED', status_message = 'The request timed out'; delete from jobs`,
  )
  const later = new Date('2027-06-01T00:00:00Z')
  await ensureMonths(pool, monthsAhead(later, 0), later)
  expect(await archiveMonth(pool, '2026-03', folder, later, archiving('2026-03'))).toMatchObject({ result: 'archived' })
  expect(await json(['archive', '2026-03', '--to', folder], env)).toMatchObject({ result: 'archived_before' })

  const without = { MALIPO_DATA_DIR: join(folder, 'nowhere') }
  const { code, out } = await malipo(['archive', 'show', 'ORDER-2026-0301', '--from', folder], without)
  expect(code).toBe(0)
  expect(out).toMatch(/^month +2026-03\n/)
  expect(out).toMatch(/\nstatus message +The request timed out\n/)
  expect(out).toContain(START.toISOString().slice(0, 19))
  const [shown] = await json<[{ transaction: unknown }]>(
    ['archive', 'show', transaction.internalReference, '--from', folder],
    without,
  )
  expect(shown.transaction).toMatchObject({ merchant_reference: 'ORDER-2026-0301', amount_minor: 1000 })
  expect(shown.transaction).toMatchObject({ account: maskAccount(transaction.account), customer_name: '***' })
  expect(out).not.toContain(transaction.account)
  expect(await malipo(['archive', 'show', 'ORDER-2026-0302', '--from', folder], without)).toMatchObject({ code: 3 })
})
