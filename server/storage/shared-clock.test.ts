import { describe, expect, test, vi } from 'vitest'
import { startTestGateway } from '../verification/testing/gateway.ts'
import { collect, verify } from '../verification/testing/requests.ts'
import { CLOCK_SKEW_MAX_MS, createSharedClock, skewText, type OwnTime } from './shared-clock.ts'
import { databaseTest } from '../verification/testing/database-test.ts'

const { connection, pool } = await databaseTest()

const HOUR = 60 * 60 * 1000
/** Far longer than a query takes on a busy machine, and far shorter than the skews. */
const SOON = 300_000
const skewed = (byMs: number): OwnTime => ({ wallMs: () => Date.now() + byMs, elapsedMs: () => performance.now() })

test.each([HOUR, -HOUR])("a clock wrong by %i ms follows the database's and reports its error", async (byMs) => {
  const clock = await createSharedClock(pool, skewed(byMs))
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(SOON)
  expect(Math.abs(clock.skewMs() - byMs)).toBeLessThan(SOON)
})

test('a clock that jumps between two polls moves nothing', async () => {
  let jumpMs = 0
  const clock = await createSharedClock(pool, { wallMs: () => Date.now() + jumpMs, elapsedMs: () => performance.now() })
  const before = clock.now().getTime()
  jumpMs = 24 * HOUR
  expect(clock.now().getTime() - before).toBeLessThan(SOON)
  await clock.sync()
  expect(clock.now().getTime() - before).toBeLessThan(SOON)
  expect(Math.abs(clock.skewMs() - jumpMs)).toBeLessThan(SOON)
})

test('a machine that was suspended is right again with its next poll', async () => {
  let stoodStillMs = 0
  const clock = await createSharedClock(pool, {
    wallMs: () => Date.now(),
    elapsedMs: () => performance.now() - stoodStillMs,
  })
  stoodStillMs = HOUR
  expect(Date.now() - clock.now().getTime()).toBeGreaterThan(HOUR - SOON)
  await clock.sync()
  expect(Math.abs(Date.now() - clock.now().getTime())).toBeLessThan(SOON)
})

test('reports a skew with its direction', () => {
  expect([skewText(3_600_000), skewText(-90_000)]).toEqual([
    "3600 s ahead of the database's",
    "90 s behind the database's",
  ])
})

describe('a gateway whose machine is an hour ahead', () => {
  test('expires no page before its time, says so in its readiness, and goes on serving', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR })
    const gateway = await startTestGateway({ connection })
    try {
      const { body } = await collect(gateway.url, {
        mobile_money_hpp: true,
        redirect_url: 'https://shop.example/done',
        merchant_reference: 'SKEWED-0001',
      })
      expect(body.code).toBe(202)
      await gateway.runDue()
      expect((await verify(gateway.url, 'SKEWED-0001')).body.data).toMatchObject({ transaction_status: 'PENDING' })
      const { rows } = await gateway.pool.query(
        "select now() - created_at < interval '10 minutes' as now from transactions where merchant_reference = $1",
        ['SKEWED-0001'],
      )
      expect(rows).toEqual([{ now: true }])
      const ready = await fetch(`${gateway.url}/health/ready`)
      expect([ready.status, await ready.json()]).toEqual([
        503,
        { status: expect.stringMatching(/^the clock is 3[3-9]\d\d s ahead of the database's$/) as string },
      ])
      expect(HOUR).toBeGreaterThan(CLOCK_SKEW_MAX_MS)
    } finally {
      vi.useRealTimers()
      await gateway.stop()
    }
  })
})
