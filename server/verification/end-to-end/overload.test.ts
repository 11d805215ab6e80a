import { pino } from 'pino'
import { expect, test } from 'vitest'
import { present } from '../../domain/present.ts'
import { registerProcess } from '../../storage/processes.ts'
import { databaseTest } from '../testing/database-test.ts'
import { expectError } from '../testing/expect-error.ts'
import { forFile } from '../testing/for-file.ts'
import { startTestGateway } from '../testing/gateway.ts'
import { refusal } from '../testing/refusal.ts'
import { collect, payOut, send, type RawReply } from '../testing/requests.ts'

const { connection, pool } = await databaseTest()
const logged: Readonly<Record<string, unknown>>[] = []
const logger = pino({}, { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) })
const gateway = await forFile(
  startTestGateway({
    connection,
    surroundings: { logger },
    env: { MALIPO_JOB_DELAY_MS: '1000', MALIPO_METRICS_PORT: '0', MALIPO_METRICS_HOST: '127.0.0.1' },
  }),
)

const WORKER = { id: '00000000-0000-4000-8000-000000000001', role: 'worker', host: 'pay-2', pid: 4711 }
/** A worker notes for the next hour how long due jobs wait. */
const note = (delayMs: number) =>
  pool.query(
    'update processes set queue_delay_ms = $1, queue_delay_at = now() + make_interval(hours => 1) where id = $2',
    [delayMs, WORKER.id],
  )
const payments = async (count: number) => {
  const replies: RawReply[] = []
  for (let n = 0; n < count; n += 1) replies.push(await (n % 2 === 0 ? collect : payOut)(gateway.url))
  return replies
}
const accepted = (replies: readonly RawReply[]) => replies.filter(({ status }) => status === 202)
const counted = async () => {
  const metrics = await (await fetch(present(gateway.metricsUrl, 'the address of the metrics'))).text()
  const refused = metrics.matchAll(
    /^malipo_http_requests_total\{operation="(?:initializeCollection|sendFunds)",status="503"\} (\d+)$/gm,
  )
  return [...refused].reduce((sum, [, count]) => sum + Number(count), 0)
}
const stored = async () => (await pool.query('select from transactions')).rowCount

test('refuses new payments while jobs wait too long, before it stores any', async () => {
  await registerProcess(pool, WORKER, [])
  expect(accepted(await payments(4))).toHaveLength(4)
  await note(2_000)
  await expect.poll(async () => accepted(await payments(1))).toHaveLength(0)
  const before = (await stored()) ?? 0
  const countedBefore = await counted()
  const replies = await payments(8)
  const refused = replies.filter(({ status }) => status !== 202)
  expect(refused).not.toHaveLength(0)
  for (const reply of refused) {
    expectError(reply, 503, refusal('overloaded'))
    expect(reply.headers.get('retry-after')).toBe('1')
  }
  expect(await stored()).toBe(before + accepted(replies).length)
  expect(await counted()).toBe(countedBefore + refused.length)
})

test('logs the first refusal and no line for each', () => {
  expect(logged.filter(({ status }) => status === 503)).toEqual([])
  expect(logged.filter(({ requests }) => requests === 1)).toHaveLength(1)
})

test('goes on with everything else meanwhile, and accepts payments afterwards', async () => {
  const providers = '/data/payment-providers?currency=UGX&transaction_type=COLLECTION'
  for (let n = 0; n < 5; n += 1) expect((await send(gateway.url, 'GET', providers)).status).toBe(200)
  await note(0)
  await expect.poll(async () => accepted(await payments(1)), { timeout: 60_000 }).toHaveLength(1)
})
