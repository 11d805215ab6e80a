import { beforeEach, expect, test, vi } from 'vitest'
import { installed } from '../admin/queries/statements/testing/installed.ts'
import { markOutage, readRailAccounts } from '../storage/rail-accounts.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { fixedClock } from '../verification/testing/gateway.ts'
import { createOutageWatch, TRIED_AT_ONCE_MAX, type WatchedConnection } from './outages.ts'

const { pool } = await databaseTest()
const clock = fixedClock()
/** One more than are tried at the same time, in the order in which they are checked. */
const HANGING = Array.from({ length: TRIED_AT_ONCE_MAX + 1 }, (_, n) => `hangs-${n}`)
const NAMES = [...HANGING, 'well']
for (const name of NAMES) await installed(pool, name)
const RETRY_AFTER_MS = 10_000
/** For a busy machine; normally the result comes at once. */
const PATIENTLY = { timeout: 60_000 }

const rows = async () => new Map((await readRailAccounts(pool)).map((row) => [row.name, row]))
const isDown = async (name: string) => (await rows()).get(name)?.down_since !== null

/** An outage watch over these rail accounts, whose checks the test answers. */
async function watching(names: readonly string[], check: (name: string) => Promise<boolean>) {
  const tried: string[] = []
  const errors: unknown[] = []
  const connection = (name: string): WatchedConnection => ({
    circuit: { state: () => ({ state: 'closed', since: clock.now() }), enter: () => undefined },
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
