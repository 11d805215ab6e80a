import { expect, test } from 'vitest'
import { examine } from '../admin/queries/doctor.ts'
import { listPeople } from '../admin/queries/people.ts'
import { createTestDatabase } from '../verification/testing/database.ts'
import { forFile } from '../verification/testing/for-file.ts'
import { fixedClock, startTestGateway } from '../verification/testing/gateway.ts'
import { eventsOf } from '../verification/testing/history.ts'

const database = await forFile(createTestDatabase('template0'))
const clock = fixedClock()
const options = { connection: database.connection, surroundings: { clock }, env: { MALIPO_SANDBOX_HISTORY: 'month' } }
let gateway = await startTestGateway(options)

const counted = async (sql: string): Promise<Readonly<Record<string, number>>> => {
  const { rows } = await gateway.pool.query<{ name: string; count: number }>(
    `select name, count(*)::int as count from (${sql}) as named(name) group by name`,
  )
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}
const byStatus = () => counted(`select type || ' ' || status from transactions`)

test('a new sandbox begins with a month of payments of every ending', async () => {
  expect(await byStatus()).toEqual({
    'COLLECTION COMPLETED': 66,
    'COLLECTION FAILED': 11,
    'COLLECTION PENDING': 1,
    'COLLECTION PROCESSING': 2,
    'PAYOUT COMPLETED': 23,
    'PAYOUT FAILED': 3,
  })
  expect(Object.keys(await counted('select failure_code from transactions where failure_code is not null'))).toEqual(
    expect.arrayContaining(['account_blocked', 'declined', 'expired', 'insufficient_funds']),
  )
})

test('the past holds in every check of doctor', async () => {
  const findings = await examine(gateway.pool, clock.now())
  expect(findings.filter(({ found }) => found > 0)).toEqual([])
})

test('the inbox has the callbacks of the past with good signatures, but the last', async () => {
  expect(
    await counted(`select (checks->'webhook'->>'verdict') || (checks->'rsa'->>'verdict') from sandbox.inbox
      where kind = 'callback'`),
  ).toEqual({ goodgood: 102 })
  expect(await counted('select status from callbacks')).toEqual({ DELIVERED: 102, PENDING: 2 })
})

test('a late success of the past has its callback too', async () => {
  const { rows } = await gateway.pool.query<{ internal_reference: string }>(
    `select internal_reference from transactions where account like '%007'`,
  )
  const events = await eventsOf(gateway, rows[0]?.internal_reference ?? '')
  const [failed, completed] = [
    ['settled', 'callback_delivered'],
    ['settled', 'callback_delivered'],
  ]
  expect(events.map(({ kind }) => kind)).toEqual(['submitted', ...failed, ...completed])
})

test('the demo merchant and the sandbox have people, and the merchant a logo', async () => {
  const { rows } = await gateway.pool.query<{ id: bigint }>('select id from merchants where logo_digest is not null')
  expect(await listPeople(gateway.pool, { merchantId: null })).toHaveLength(4)
  expect(await listPeople(gateway.pool, { merchantId: rows[0]?.id ?? 0n })).toHaveLength(4)
})

test('a further start adds nothing to the past', async () => {
  const before = await byStatus()
  await gateway.stop()
  gateway = await forFile(startTestGateway(options))
  expect(await byStatus()).toEqual(before)
})
