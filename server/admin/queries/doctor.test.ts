import { describe, expect, test } from 'vitest'
import { fixedClock, startTestGateway } from '../../verification/testing/gateway.ts'
import { startReceiver } from '../../verification/testing/receiver.ts'
import { examine, examineSince, type Finding } from './doctor.ts'
import { atOperators, inCallbacks, inPayments, inTheBook, inWork, REBALANCE } from './testing/corruptions.ts'
import { makeEveryPayment } from './testing/every-payment.ts'
import { JOB_OF } from './testing/jobs.ts'
import { inTransaction, type Pool } from '../../storage/pool.ts'
import { createJobStore, jobStatements } from '../../storage/jobs.ts'
import type { Job, JobKind } from '../../actions/ports/jobs.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'

// One database with every sort of payment, made by the real gateway. The doctor finds it healthy. Then the tests break
// it in one way after another, and exactly the check that covers the damage reports it.

const DAY_MS = 24 * 60 * 60_000

const TABLES = [
  'accounts',
  'transfers',
  'entries',
  'transactions',
  'transaction_references',
  'transaction_events',
  'limit_usage',
  'jobs',
  'callbacks',
  'rules_since',
  'rail_accounts',
  'rail_callbacks',
  'reconciliation_exceptions',
]

/** Disables the ledger's guards: a fault that they prevent needs no check. */
const OPEN_BOOK = `
  alter table entries disable trigger user;
  alter table transfers disable trigger user;
  alter table transaction_events disable trigger user;
  alter table accounts drop constraint accounts_check;
  alter table callbacks drop constraint callbacks_of_payment;`

const { connection, pool } = await databaseTest()
const clock = fixedClock()
const receiver = await startReceiver()
const gateway = await startTestGateway({ connection, surroundings: { clock } })
try {
  await makeEveryPayment(gateway, clock, receiver.url)
} finally {
  await gateway.stop()
  await receiver.close()
}
await pool.query(
  `${OPEN_BOOK} ${TABLES.map((table) => `create table copy_of_${table} as select * from ${table};`).join('\n')}`,
)

/** With triggers off and entries inserted by hand these rules report everything here: insider.test.ts covers them. */
const AGAINST_HANDS = ['ledger_guarded', 'transfers_chained', 'transfers_caused']

type Examine = (pool: Pool, now: Date) => Promise<readonly Finding[]>
/** As if everything had happened since the last clean run. */
const asChanged: Examine = (pool, now) => examineSince(pool, now, { entryId: 0n, eventId: 0n, linkSeq: 0n })

/** The rules that this statement breaks. Afterwards the database is restored. */
async function broken(
  breaking: string | (() => Promise<unknown>),
  poll: Examine = examine,
): Promise<readonly Finding[]> {
  try {
    await (typeof breaking === 'string' ? pool.query(breaking) : breaking())
    return (await poll(pool, clock.now())).filter(({ found, name }) => found > 0 && !AGAINST_HANDS.includes(name))
  } finally {
    await pool.query(
      TABLES.map(
        (table) => `delete from ${table}; insert into ${table} overriding system value select * from copy_of_${table};`,
      ).join('\n'),
    )
  }
}

const column = async (sql: string): Promise<string[]> =>
  (await pool.query<{ text: string }>(`select distinct ${sql}`)).rows.map(({ text }) => text).sort()

test('a database with every sort of payment is healthy', async () => {
  expect(await broken('select')).toEqual([])
  const states = await column(`type || ' ' || status as text from transactions`)
  expect(states).toEqual([
    'COLLECTION CANCELLED',
    'COLLECTION COMPLETED',
    'COLLECTION FAILED',
    'COLLECTION PENDING',
    'COLLECTION PROCESSING',
    'PAYOUT COMPLETED',
    'PAYOUT FAILED',
    'PAYOUT PENDING',
    'PAYOUT PROCESSING',
  ])
  const kinds = await column('kind as text from transfers')
  expect(kinds).toEqual([
    'clearing',
    'collection',
    'deposit',
    'payout',
    'payout_hold',
    'payout_late',
    'payout_release',
    'wallet_transfer',
  ])
})

describe.each([
  ['the book', inTheBook],
  ['payments', inPayments],
  ['work', inWork],
  ['money at operators', atOperators],
  ['callbacks', inCallbacks],
])('in %s the doctor finds', (part, corruptions) => {
  test.each(corruptions)('%s', async (_what, breaking, check, example) => {
    const findings = await broken(part === 'the book' ? `${breaking}; ${REBALANCE}` : breaking)
    expect(findings.map(({ name }) => name)).toEqual([check])
    expect(findings.flatMap(({ examples }) => examples)).toContainEqual(expect.stringMatching(example))
  })
})

/** The incremental check still sees the transaction, and reports the damage from that side. */
const IN_OTHER_WORDS: Readonly<Record<string, RegExp>> = {
  'a callback without its transaction': /CANCELLED\) has no callback$/,
}

describe.each([
  ['the book', inTheBook],
  ['payments', inPayments],
  ['work', inWork],
  ['money at operators', atOperators],
  ['callbacks', inCallbacks],
])('in %s of what has changed the doctor finds', (part, corruptions) => {
  test.each(corruptions)('%s, too', async (what, breaking, check, example) => {
    const findings = await broken(part === 'the book' ? `${breaking}; ${REBALANCE}` : breaking, asChanged)
    expect(findings.map(({ name }) => name)).toEqual([check])
    expect(findings.flatMap(({ examples }) => examples)).toContainEqual(
      expect.stringMatching(IN_OTHER_WORDS[what] ?? example),
    )
  })
})

test('ends before callbacks became mandatory may lack one; later ends may not', async () => {
  const [since, all] = ['2026-03-01T10:00:00Z', 'delete from callbacks']
  expect(
    await broken(`update rules_since set since = '${new Date(clock.now().getTime() + DAY_MS).toISOString()}'; ${all}`),
  ).toEqual([])
  const findings = await broken(`update rules_since set since = '${since}'; ${all}`)
  expect(findings).toMatchObject([{ name: 'callbacks_told', found: 2 }])
})

const queue = createJobStore(pool)
const later = (ms: number): Date => new Date(clock.now().getTime() + ms)
const WAIT_MS = 30_000
const inUnit = (change: (unit: ReturnType<typeof jobStatements>) => Promise<void>): Promise<void> =>
  inTransaction(pool, (client) => change(jobStatements(client)))

/** States of a claimed job, and the checks that then report it. */
const STATES: readonly (readonly [
  state: string,
  reach: (items: readonly Job[]) => Promise<unknown>,
  found: readonly string[],
])[] = [
  ['due', (items) => inUnit((unit) => unit.rescheduleJobs(items.map((item) => ({ item, dueAt: later(-1_000) })))), []],
  ['claimed', () => Promise.resolve(), []],
  ['released', (items) => queue.release(items, clock.now()), []],
  ['rescheduled', (items) => inUnit((unit) => unit.replaceJobs(items, items[0]!.kind, later(WAIT_MS))), []],
  [
    'rescheduled before its first attempt',
    (items) => inUnit((unit) => unit.rescheduleJobs(items.map((item) => ({ item, dueAt: later(WAIT_MS) })))),
    [],
  ],
  [
    'quarantined',
    (items) => Promise.all(items.map((item) => queue.quarantine(item, later(WAIT_MS), 'Error: no'))),
    ['nothing_quarantined'],
  ],
]

describe.each(Object.keys(JOB_OF) as JobKind[])('of a healthy %s job', (kind) => {
  test.each(STATES)('the doctor finds a quarantine and nothing else: %s', async (_state, reach, found) => {
    for (const poll of [examine, asChanged]) {
      const findings = await broken(async () => {
        await pool.query(JOB_OF[kind])
        await pool.query('update jobs set due_at = $2, attempt = 0 where kind = $1', [kind, clock.now()])
        const claim = { token: crypto.randomUUID(), now: clock.now(), leaseUntil: later(WAIT_MS) }
        const items = await queue.claim(kind, claim, 500)
        expect(items.length).toBeGreaterThan(0)
        await reach(items)
      }, poll)
      expect(findings.map(({ name }) => name)).toEqual(found)
    }
  })
})
