import { beforeEach, expect, test, vi } from 'vitest'
import { installed } from '../admin/queries/statements/testing/installed.ts'
import { markOutage, readRailAccounts } from '../storage/rail-accounts.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { fixedClock } from '../verification/testing/gateway.ts'
import type { CircuitState } from '../rails/circuit.ts'
import { railCircuits } from '../storage/rail-circuits.ts'
import { createOutageWatch, TRIED_AT_ONCE_MAX, type WatchedConnection } from './outages.ts'

const { pool } = await databaseTest()
const clock = fixedClock()
/** One more than are tried at the same time, in the order in which they are checked. */
const HANGING = Array.from({ length: TRIED_AT_ONCE_MAX + 1 }, (_, n) => `hangs-${n}`)
const NAMES = [...HANGING, 'well']
for (const name of NAMES) await installed(pool, name)
const PROCESS = '00000000-0000-4000-8000-000000000001'
const RETRY_AFTER_MS = 10_000
/** For a busy machine; normally the result comes at once. */
const PATIENTLY = { timeout: 60_000 }

const rows = async () => new Map((await readRailAccounts(pool)).map((row) => [row.name, row]))
const isDown = async (name: string) => (await rows()).get(name)?.down_since !== null

const closed = (): CircuitState => ({ state: 'closed', since: clock.now() })

/** An outage watch over these rail accounts, whose checks the test answers. */
async function watching(names: readonly string[], check: (name: string) => Promise<boolean>, state = closed) {
  const tried: string[] = []
  const errors: unknown[] = []
  const connection = (name: string): WatchedConnection => ({
    circuit: { state, enter: () => undefined },
    retryAfterMs: RETRY_AFTER_MS,
    adapter: {
      async check() {
        tried.push(name)
        return [{ what: 'token', ok: await check(name), detail: '' }]
      },
    },
  })
  const watch = createOutageWatch({
    pool,
    clock,
    processId: PROCESS,
    railAccounts: () => new Map(names.map((name) => [name, { downSince: clock.now() }])),
    connect: connection,
    onError: (error) => errors.push(error),
  })
  return { watch, tried, errors }
}

const never = () => new Promise<boolean>(() => undefined)

beforeEach(async () => {
  for (const name of NAMES) await markOutage(pool, name, clock.now())
})

test("an operator that hangs does not delay another's recovery", async () => {
  const { watch } = await watching(['hangs-0', 'well'], (name) => (name === 'well' ? Promise.resolve(true) : never()))
  await watch.poll()
  await vi.waitFor(async () => expect(await isDown('well')).toBe(false), PATIENTLY)
  expect(await isDown('hangs-0')).toBe(true)
})

test('tries a bounded number at once, each once, and the longest waiting next', async () => {
  const answers = new Map<string, (isBack: boolean) => void>()
  const { watch, tried } = await watching(NAMES, (name) => new Promise((resolve) => answers.set(name, resolve)))
  await watch.poll()
  clock.advance(RETRY_AFTER_MS)
  await watch.poll()
  expect(tried).toEqual(HANGING.slice(0, TRIED_AT_ONCE_MAX))
  for (const name of ['hangs-0', 'hangs-1']) answers.get(name)?.(false)
  await vi.waitFor(async () => {
    await watch.poll()
    expect(tried.slice(TRIED_AT_ONCE_MAX)).toEqual(['hangs-8', 'well'])
  }, PATIENTLY)
})

test('reports an outage that cannot be recorded, and nothing after the stop', async () => {
  const { watch, tried, errors } = await watching(['well'], async () => true)
  const query = vi.spyOn(pool, 'query').mockRejectedValueOnce(new Error('away'))
  await watch.poll()
  await vi.waitFor(() => expect(errors).toEqual([new Error('away')]), PATIENTLY)
  query.mockRestore()
  clock.advance(RETRY_AFTER_MS)
  watch.stop()
  await watch.poll()
  expect(tried).toEqual(['well'])
  expect(await isDown('well')).toBe(true)
})

test('stores a circuit when it changes, and ignores that of a process that has ended', async () => {
  await pool.query(`insert into processes (id, role, host, pid, knows) values ($1, 'worker', 'a', 1, '{}')`, [PROCESS])
  let circuit: CircuitState = { state: 'open', since: clock.now(), lastError: 'no answer within 15 s' }
  const { watch } = await watching(['well'], never, () => circuit)
  await watch.poll()
  const { since } = circuit
  const stored = { rail_account: 'well', state: 'open', since, last_error: 'no answer within 15 s' }
  const nextTryAt = new Date(since.getTime() + RETRY_AFTER_MS)
  expect([...(await railCircuits(pool)).values()]).toEqual([{ ...stored, next_try_at: nextTryAt }])
  const query = vi.spyOn(pool, 'query')
  await watch.poll()
  expect(query.mock.calls.filter(([text]) => text.includes('rail_circuits'))).toEqual([])
  query.mockRestore()
  await pool.query("update processes set seen_at = clock_timestamp() - interval '1 hour'")
  expect((await railCircuits(pool)).size).toBe(0)
  await pool.query('update processes set seen_at = clock_timestamp()')
  expect((await railCircuits(pool)).size).toBe(1)
  circuit = { state: 'closed', since: clock.now() }
  await watch.poll()
  expect((await railCircuits(pool)).size).toBe(0)
})
