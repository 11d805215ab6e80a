import { expect, test } from 'vitest'
import type { Claim, JobKind } from '../actions/ports/jobs.ts'
import { createStore } from './store.ts'
import { createJobStore } from './jobs.ts'
import { databaseTest } from '../verification/testing/database-test.ts'

const { pool } = await databaseTest()
const store = createStore(pool)
const queue = createJobStore(pool)

const at = (seconds: number): Date => new Date(Date.UTC(2026, 2, 1, 8, 0, seconds))
let subject = 1_000n

async function addJobs(count: number, dueAt = at(0)): Promise<void> {
  await store.transaction((unit) =>
    unit.addJobs(Array.from({ length: count }, () => ({ kind: 'pollRail' as const, subjectId: subject++, dueAt }))),
  )
}
let claims = 0
/** Each claim has its own fencing token, as with real workers. */
const claimOf = (now: Date, leaseUntil: Date): Claim => ({ token: String(++claims).padStart(32, '0'), now, leaseUntil })
const claim = (kind: JobKind, now: Date, leaseUntil: Date, limit: number) =>
  queue.claim(kind, claimOf(now, leaseUntil), limit)
const drain = () => pool.query('delete from jobs')

test('gives each job to exactly one of many workers', async () => {
  await addJobs(100)
  const claims = await Promise.all(Array.from({ length: 8 }, () => claim('pollRail', at(1), at(31), 20)))
  const ids = claims.flat().map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toHaveLength(100)
  await drain()
})

test('does not claim what is not due', async () => {
  await addJobs(1, at(10))
  expect(await claim('pollRail', at(9), at(39), 10)).toEqual([])
  expect(await claim('pollRail', at(10), at(40), 10)).toHaveLength(1)
  await drain()
})

// It can neither hold, finish nor replace the job.
test('a claim whose lease expired passes on; its first holder can change nothing', async () => {
  await addJobs(1)
  const [first] = await claim('pollRail', at(0), at(30), 1)
  expect(await claim('pollRail', at(29), at(59), 1)).toEqual([])
  const [second] = await claim('pollRail', at(30), at(60), 1)
  expect(second).toEqual({ ...first!, attempt: 2, token: second!.token })
  expect(second!.token).not.toBe(first!.token)
  await store.transaction(async (unit) => {
    expect(await unit.holdJobs([first!])).toEqual([])
    await unit.finishJobs([first!])
    await unit.replaceJobs([first!], 'submitToRail', at(99))
    expect(await unit.holdJobs([second!])).toEqual([second])
    await unit.finishJobs([second!])
  })
  expect((await pool.query('select from jobs')).rowCount).toBe(0)
})

test("another kind resets a job's attempts; the same kind keeps counting", async () => {
  await addJobs(1)
  const [queried] = await claim('pollRail', at(0), at(30), 1)
  await store.transaction((unit) => unit.replaceJobs([queried!], 'submitToRail', at(1)))
  const [submitted] = await claim('submitToRail', at(1), at(31), 1)
  expect(submitted!.attempt).toBe(1)
  await store.transaction((unit) => unit.replaceJobs([submitted!], 'submitToRail', at(2)))
  expect((await claim('submitToRail', at(2), at(32), 1))[0]!.attempt).toBe(2)
  await drain()
})

test('a failed transaction leaves nothing in the database', async () => {
  await expect(
    store.transaction(async (unit) => {
      await unit.addJobs([{ kind: 'pollRail', subjectId: 7n, dueAt: at(0) }])
      throw new Error('changed my mind')
    }),
  ).rejects.toThrow('changed my mind')
  expect((await pool.query('select from jobs')).rowCount).toBe(0)
})

test('a released job is due before its lease ends, unless another holds it by now', async () => {
  await addJobs(2)
  const [ours, taken] = await claim('pollRail', at(0), at(30), 2)
  await pool.query('update jobs set token = gen_random_uuid() where id = $1', [taken!.id])
  await queue.release([ours!, taken!], at(2))
  expect(await claim('pollRail', at(1), at(31), 2)).toEqual([])
  expect(await claim('pollRail', at(2), at(32), 2)).toEqual([
    { ...ours!, attempt: 2, token: expect.any(String) as string },
  ])
  await drain()
})

// The other claim was made at the same moment.
test('releases a claim whose reply was lost by its token, and no other claim', async () => {
  await addJobs(3)
  const lost = claimOf(at(0), at(30))
  await queue.claim('pollRail', lost, 2)
  const [other] = await claim('pollRail', at(0), at(30), 1)
  await queue.releaseClaim('pollRail', lost, at(2))
  const again = await claim('pollRail', at(2), at(32), 3)
  expect(again).toHaveLength(2)
  expect(again.map(({ id }) => id)).not.toContain(other!.id)
  await drain()
})

test('a fencing token never fits again: not as another kind, not as a retry', async () => {
  await addJobs(1)
  const [paused] = await claim('pollRail', at(0), at(30), 1)
  const [successor] = await claim('pollRail', at(30), at(60), 1)
  await store.transaction((unit) => unit.replaceJobs([successor!], 'submitToRail', at(30)))
  const [submitted] = await claim('submitToRail', at(30), at(60), 1)
  expect([submitted!.id, submitted!.attempt]).toEqual([paused!.id, paused!.attempt])
  const pretended = { ...submitted!, kind: 'pollRail' as const }
  await store.transaction(async (unit) => expect(await unit.holdJobs([paused!, successor!, pretended])).toEqual([]))
  await store.transaction((unit) => unit.replaceJobs([submitted!], 'submitToRail', at(40)))
  await store.transaction(async (unit) => expect(await unit.holdJobs([submitted!])).toEqual([]))
  await drain()
})

test('a quarantined job waits, counted and with its reason, until it is replaced', async () => {
  await addJobs(1)
  const [item] = await claim('pollRail', at(0), at(30), 1)
  await queue.quarantine(item!, at(5), 'Error: it does not work')
  expect(await claim('pollRail', at(4), at(34), 1)).toEqual([])
  const [again] = await claim('pollRail', at(5), at(35), 1)
  expect([item!.failures, again!.failures]).toEqual([0, 1])
  expect((await pool.query('select failures, last_error from jobs')).rows).toEqual([
    { failures: 1, last_error: 'Error: it does not work' },
  ])
  await queue.quarantine(item!, at(99), 'by somebody who lost it')
  await store.transaction((unit) => unit.replaceJobs([again!], 'pollRail', at(6)))
  expect((await pool.query('select failures, last_error from jobs')).rows).toEqual([{ failures: 0, last_error: null }])
  await drain()
})
