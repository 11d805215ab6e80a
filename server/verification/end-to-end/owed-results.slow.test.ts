import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openEmbeddedPostgres } from '../../local/embedded-postgres/embedded-postgres.ts'
import { createPool, type Queryable } from '../../storage/pool.ts'
import { freePort } from '../testing/free-port.ts'
import { transfersFor } from '../testing/operators-book.ts'
import { collect, verify } from '../testing/requests.ts'
import { runCli, serve, until, type ServedGateway } from '../testing/served-gateway.ts'

// kill -9 of a sandbox with the real rails, while its simulated operator still owes a result: the operator's records,
// the order and its jobs are all in the data folder.

/** Long enough for the order to be seen at the operator before its customer has approved. */
const CUSTOMER_MS = 4_000
const WITHIN_MS = 30_000

const dataDir = await mkdtemp(join(tmpdir(), 'malipo-owed-'))
const port = await freePort()
const start = (): Promise<ServedGateway> =>
  serve({
    dataDir,
    port,
    env: { MALIPO_SANDBOX_RAILS: 'wire', MALIPO_SANDBOX_DELAY_MS: String(CUSTOMER_MS), LOG_LEVEL: 'fatal' },
  })
let gateway: ServedGateway | undefined
afterAll(async () => {
  gateway?.child.kill('SIGTERM')
  await gateway?.exited
  await rm(dataDir, { recursive: true, force: true })
})

async function withDatabase<Value>(run: (database: Queryable) => Promise<Value>): Promise<Value> {
  const database = await openEmbeddedPostgres({ dataDir, role: 'guest' })
  const pool = createPool({ connection: database.connection, connectionsMax: 2, onError: () => undefined })
  try {
    return await run(pool)
  } finally {
    await pool.end()
    await database.stop()
  }
}

/** Every call about the customer's payment, from M-PESA's own journal. */
async function entriesOf(database: Queryable): Promise<readonly string[]> {
  const { rows } = await database.query<{ entry: string }>(
    `select entry ->> 'entry' as entry from sandbox.operator_journal where operator = 'daraja' order by id`,
  )
  return rows.map(({ entry }) => entry)
}

// Completed, with all books clean.
test('a result that M-PESA owes at a kill arrives after the restart, moved once', async () => {
  gateway = await start()
  const requested = { provider_code: 'mpesa_ke', currency: 'KES', amount: 500, merchant_reference: 'OWED-0001' }
  expect(await collect(gateway.url, { ...requested, msisdn: '254711111123' })).toMatchObject({ status: 202 })
  const owing = await withDatabase((database) =>
    until(
      async () => {
        const entries = await entriesOf(database)
        return entries.includes('taken') && entries
      },
      WITHIN_MS,
      'M-PESA has taken it',
    ),
  )
  expect(owing).not.toContain('settled')
  gateway.child.kill('SIGKILL')
  await gateway.exited

  const { url } = (gateway = await start())
  const statusOf = async () => (await verify(url, 'OWED-0001')).body.data.transaction_status
  await until(async () => (await statusOf()) === 'COMPLETED', WITHIN_MS, 'it is completed')
  expect(await withDatabase((database) => transfersFor(database, 'OWED-0001'))).toBe(1)
  expect(JSON.parse(await runCli(['doctor', '--json'], dataDir))).toMatchObject({ clean: true })
})
