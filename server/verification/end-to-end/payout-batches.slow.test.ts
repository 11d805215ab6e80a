import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { railBookChecks } from '../chaos/rail-book.ts'
import { databaseUrl } from '../testing/database.ts'
import { databaseTest } from '../testing/database-test.ts'
import { forFile } from '../testing/for-file.ts'
import { gatewayProcesses } from '../testing/gateway-processes.ts'
import { DEMO_KEYS } from '../testing/gateway.ts'
import { startReceiver } from '../testing/receiver.ts'
import { mobileMoneyPayout, postJson, send, uniqueReference } from '../testing/requests.ts'
import { until } from '../testing/served-gateway.ts'

// Processes are killed while a batch is accepted, and while it is paid. Our books are compared with those of the operator.

const { pool, connection } = await databaseTest()
const receiver = await forFile(startReceiver())
await pool.query('update merchants set verification_url = $1, payout_callback_url = $1', [receiver.url])

const { start, end } = gatewayProcesses({ DATABASE_URL: databaseUrl(connection), MALIPO_SANDBOX_DELAY_MS: '200' })

const PAYOUTS = 400
const reference = uniqueReference()
const payouts = Array.from({ length: PAYOUTS }, (_, index) =>
  mobileMoneyPayout({ account_number: `256772${String(index).padStart(3, '0')}123`, amount: 1_000 }),
)
const countOf = async (sql: string) => Number((await pool.query<{ count: bigint }>(sql)).rows[0]?.count)

test('kill -9 while a batch is accepted and while it is paid pays each row once', { timeout: 180_000 }, async () => {
  const keys = { ...DEMO_KEYS, 'idempotency-key': reference }
  const body = { batch_reference: reference, payouts }
  for (const afterMs of [10, 40, 90, 160]) {
    const api = await start({ role: 'api' })
    const sent = postJson(api.url, '/payout/batches', body, keys).catch(() => 'no reply')
    await delay(afterMs)
    await end(api)
    await sent
    expect([0, PAYOUTS]).toContain(await countOf('select count(*) from transactions'))
  }
  const api = await start({ role: 'api' })
  expect((await postJson(api.url, '/payout/batches', body, keys)).status).toBe(202)

  const killed = await start({ role: 'worker' })
  await until(
    async () => (await countOf(`select count(*) from transactions where status = 'COMPLETED'`)) > 20,
    60_000,
    'some are paid',
  )
  await end(killed)
  expect(await countOf('select count(*) from transactions where final_at is null')).toBeGreaterThan(0)
  await start({ role: 'worker' })
  const read = async () =>
    (await send(api.url, 'GET', `/payout/batches/${reference}`, { headers: DEMO_KEYS })).body.data
  await until(async () => (await read()).batch_status === 'COMPLETED', 120_000, 'the batch ends')
  expect(await read()).toMatchObject({ totals: [{ payouts: PAYOUTS, amount: PAYOUTS * 1_000, completed: PAYOUTS }] })
  for (const { broken, sql } of railBookChecks) expect((await pool.query(sql)).rows, broken).toEqual([])
  const callbacks = () => receiver.received.filter(({ json }) => json?.event === 'payout_batch.completed')
  await until(() => callbacks().length > 0, 60_000, 'the batch callback')
  expect(await countOf(`select count(*) from callbacks where event = 'payout_batch.completed'`)).toBe(1)
})
