import { describe, expect, test } from 'vitest'
import { fixedClock, startTestGateway } from '../../verification/testing/gateway.ts'
import { startReceiver } from '../../verification/testing/receiver.ts'
import { examine, examineChanged, examineSince, type Finding } from './doctor.ts'
import { whilePlaying } from './doctor/past.ts'
import { atOperators, inCallbacks, inPayments, inTheBook, inWork, REBALANCE } from './testing/corruptions.ts'
import { inApprovals } from './testing/corruptions-of-approvals.ts'
import { inSums } from './testing/corruptions-of-sums.ts'
import { makeEveryPayment } from './testing/every-payment.ts'
import { JOB_OF, TOGETHER } from './testing/jobs.ts'
import { inTransaction, type Pool } from '../../storage/pool.ts'
import { createJobStore, jobStatements } from '../../storage/jobs.ts'
import type { Job } from '../../actions/ports/jobs.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { untilLockWaits } from '../../verification/testing/lock-waits.ts'

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
  'account_messages',
  'payout_batches',
  'reconciliation_exceptions',
  'approvals',
  'approval_rules',
]

/** Disables the ledger's guards: a fault that they prevent needs no check. */
const OPEN_BOOK = `
  alter table entries disable trigger user;
  alter table transfers disable trigger user;
  alter table transaction_events disable trigger user;
  alter table callbacks disable trigger user;
  alter table accounts drop constraint accounts_check;
  alter table transfers drop constraint transfers_of_payment;
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

/** Polls the database while this statement has broken it. Afterwards the database is restored. */
async function whileBroken<Result>(breaking: string, poll: () => Promise<Result>): Promise<Result> {
  try {
    await pool.query(breaking)
    return await poll()
  } finally {
    await pool.query(
      TABLES.map(
        (table) => `delete from ${table}; insert into ${table} overriding system value select * from copy_of_${table};`,
      ).join('\n'),
    )
  }
}

const faults = async (by: Examine = examine): Promise<readonly Finding[]> =>
  (await by(pool, clock.now())).filter(({ found, name }) => found > 0 && !AGAINST_HANDS.includes(name))
const namesOf = (findings: readonly Finding[]): string[] => findings.map(({ name }) => name)

const column = async (sql: string): Promise<string[]> =>
  (await pool.query<{ text: string }>(`select distinct ${sql}`)).rows.map(({ text }) => text).sort()

test('waits for a past that is being played', async () => {
  const steps: string[] = []
  let examined: Promise<unknown> | undefined
  await whilePlaying(pool, true, async () => {
    examined = examineChanged(pool, clock.now(), true).then(() => steps.push('examined'))
    await untilLockWaits(pool)
    steps.push('played')
  })
  await examined
  expect(steps).toEqual(['played', 'examined'])
})

test('a database with every sort of payment is healthy', async () => {
  expect(await faults()).toEqual([])
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

/** Damage to nothing that has changed: only a check of everything finds it. */
const FOUND_IN_ALL_ONLY = ['a transfer without entries', 'a reference without its transaction']
/** The incremental check still sees the transaction, and reports the damage from that side. */
const IN_OTHER_WORDS: Readonly<Record<string, RegExp>> = {
  'a callback without its transaction': /CANCELLED\) has no callback$/,
}

describe.each([
  ['the sums', inSums],
  ['the book', inTheBook],
  ['payments', inPayments],
  ['jobs', inWork],
  ['money at operators', atOperators],
  ['callbacks', inCallbacks],
  ['approvals', inApprovals],
])('in %s the doctor finds', (part, corruptions) => {
  test.each(corruptions)('%s, among what has changed too', async (what, breaking, checks, example) => {
    const found = await whileBroken(part === 'the book' ? `${breaking}; ${REBALANCE}` : breaking, async () => ({
      all: await faults(),
      changed: await faults(asChanged),
    }))
    expect(namesOf(found.all)).toEqual([checks].flat())
    expect(found.all.flatMap(({ examples }) => examples)).toContainEqual(expect.stringMatching(example))
    if (FOUND_IN_ALL_ONLY.includes(what)) return expect(found.changed).toEqual([])
    expect(namesOf(found.changed)).toEqual([checks].flat())
    expect(found.changed.flatMap(({ examples }) => examples)).toContainEqual(
      expect.stringMatching(IN_OTHER_WORDS[what] ?? example),
    )
  })
})

test('ends before callbacks became mandatory may lack one; later ends may not', async () => {
  const without = (since: string) => `update rules_since set since = '${since}'; delete from callbacks`
  expect(await whileBroken(without(new Date(clock.now().getTime() + DAY_MS).toISOString()), faults)).toEqual([])
  expect(await whileBroken(without('2026-03-01T10:00:00Z'), faults)).toMatchObject([
    { name: 'callbacks_told', found: 2 },
  ])
})

const queue = createJobStore(pool)
const later = (ms: number): Date => new Date(clock.now().getTime() + ms)
const WAIT_MS = 30_000
const inUnit = (change: (unit: ReturnType<typeof jobStatements>) => Promise<unknown>): Promise<unknown> =>
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

test('the jobs of these lists are of every kind', () => {
  expect(TOGETHER.flat().toSorted()).toEqual(Object.keys(JOB_OF).toSorted())
})

describe.each(TOGETHER)('of healthy jobs (%s, …)', (...kinds) => {
  test.each(STATES)('the doctor finds a quarantine and nothing else: %s', async (_state, reach, found) => {
    const breaking = `${kinds.map((kind) => JOB_OF[kind]).join(';')}; update jobs set due_at = '${clock.now().toISOString()}', attempt = 0`
    await whileBroken(breaking, async () => {
      for (const kind of kinds) {
        const claim = { token: crypto.randomUUID(), now: clock.now(), leaseUntil: later(WAIT_MS) }
        const items = await queue.claim(kind, claim, 500)
        expect(items.length, kind).toBeGreaterThan(0)
        await reach(items)
      }
      expect([namesOf(await faults()), namesOf(await faults(asChanged))]).toEqual([found, found])
    })
  })
})
