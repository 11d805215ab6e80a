import { expect, test, vi } from 'vitest'
import { webhooks } from '../../client/index.ts'
import { createTestDatabase } from '../verification/testing/database.ts'
import { forFile } from '../verification/testing/for-file.ts'
import { startTestGateway } from '../verification/testing/gateway.ts'
import { startReceiver } from '../verification/testing/receiver.ts'
import { collect, uniqueMsisdn, uniqueReference } from '../verification/testing/requests.ts'

// Real sandboxes on the real clock, with jobs that run by themselves.

const HOUR_MS = 3_600_000
/** For a busy machine. */
const PATIENTLY = { timeout: 60_000 }
const SECRET = 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=='

const { connection } = await forFile(createTestDatabase())
const start = () => startTestGateway({ connection, surroundings: { runJobs: true } })
const gateway = await forFile(start())
const receiver = await forFile(startReceiver())
await gateway.pool.query('update merchants set collection_callback_url = $1', [receiver.url])
await gateway.refresh()

interface ClockReply {
  readonly now: string
  readonly real_now: string
  readonly ahead_ms: number
  readonly finished?: boolean
  readonly due?: Readonly<Record<string, number>>
}

async function clockOf(url: string, advance?: object): Promise<{ status: number; body: ClockReply }> {
  const response = await fetch(`${url}/sandbox/clock${advance ? '/advance' : ''}`, {
    ...(advance && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(advance) }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) as ClockReply }
}

const attemptsOf = async (reference: string): Promise<readonly number[]> => {
  const { rows } = await gateway.pool.query<{ at: Date }>(
    `select a.at from callback_attempts a join callbacks c on c.id = a.callback_id
     join transactions t on t.id = c.transaction_id where t.merchant_reference = $1 order by a.at`,
    [reference],
  )
  return rows.map(({ at }) => at.getTime())
}

test('runs each retry at its own time, in order, with a webhook timestamp of now', async () => {
  receiver.answer(500, 500, 500, 500, 200)
  const reference = uniqueReference()
  await collect(gateway.url, { merchant_reference: reference, msisdn: uniqueMsisdn('010') })
  const { body } = await clockOf(gateway.url, { by: '24h' })
  expect(body).toMatchObject({ finished: true, due: {} })
  expect(body.ahead_ms).toBeGreaterThan(24 * HOUR_MS - 60_000)
  expect(receiver.about(reference)).toHaveLength(5)
  const at = await attemptsOf(reference)
  const waits = at.slice(1).map((time, n) => time - (at[n] ?? 0))
  for (const [n, least] of [5_000, 300_000, 1_800_000, 7_200_000].entries()) {
    expect(waits[n]).toBeGreaterThanOrEqual(least)
    expect(waits[n]).toBeLessThan(least * 1.1 + 5_000)
  }
  const last = receiver.about(reference).at(-1)
  await expect(webhooks.verify(last?.body ?? '', last?.headers ?? {}, SECRET)).resolves.toBeDefined()
})

test('holds for later and for running processes, which run no jobs meanwhile', async () => {
  const { body: before } = await clockOf(gateway.url)
  const later = await start()
  try {
    expect((await clockOf(later.url)).body.ahead_ms).toBe(before.ahead_ms)
    const reference = uniqueReference()
    await collect(gateway.url, { merchant_reference: reference, msisdn: uniqueMsisdn('010') })
    expect((await clockOf(later.url, { by: '1h30m' })).body.finished).toBe(true)
    expect(receiver.about(reference)).toHaveLength(1)
    await vi.waitFor(
      async () => expect((await clockOf(gateway.url)).body.ahead_ms).toBeGreaterThan(before.ahead_ms + HOUR_MS),
      PATIENTLY,
    )
  } finally {
    await later.stop()
  }
})

test.for([
  [{}, 'Either by or to is required'],
  [{ by: '24' }, 'by must be a duration'],
  [{ by: '367d' }, 'a year at most'],
  [{ to: 'tomorrow' }, 'to must be a time such as'],
  [{ by: '1s', timeout_seconds: 241 }, 'timeout_seconds must be'],
  [{ by: '1s', at: 1 }, 'at is not allowed'],
] as const)('refuses %j', async ([advance, message]) => {
  expect(await clockOf(gateway.url, advance)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(message) as unknown },
  })
})

test('is advanced once at a time, and reports what still runs at its time-out', async () => {
  receiver.answer('hang')
  const reference = uniqueReference()
  await collect(gateway.url, { merchant_reference: reference })
  const first = clockOf(gateway.url, { by: '1h', timeout_seconds: 2 })
  await vi.waitFor(() => expect(receiver.about(reference)).toHaveLength(1), PATIENTLY)
  expect((await clockOf(gateway.url, { by: '1h' })).status).toBe(409)
  expect((await first).body).toMatchObject({ finished: false, due: { deliverCallback: 1 } })
})
