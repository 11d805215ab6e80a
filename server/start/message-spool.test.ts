import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { SIMULATORS, startSimulator } from '../../openapi/operators/simulator/index.ts'
import { StorageUnavailable } from '../actions/ports/store.ts'
import { OUR_REFERENCE } from '../actions/ports/rail-references.ts'
import { examineMessageSpool } from '../admin/cli/doctor-spool.ts'
import { readConfig } from '../config.ts'
import { present } from '../domain/present.ts'
import { createMessageSpool } from '../message-spool/message-spool.ts'
import { leaveSpool, spoolFolder, spoolOwner } from '../message-spool/spool-files.ts'
import { databaseId } from '../storage/database-id.ts'
import { MESSAGE_SPOOL } from '../storage/sealed-places.ts'
import { createSecretBox } from '../storage/secret-box.ts'
import { createTestDatabase } from '../verification/testing/database.ts'
import { forFile } from '../verification/testing/for-file.ts'
import { fixedClock, MASTER_KEY, seededRandom, startTestGateway } from '../verification/testing/gateway.ts'
import { installRail } from '../verification/testing/installed-rail.ts'
import { until } from '../verification/testing/served-gateway.ts'

const ORDER = '3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11'
const RECEIVED_AT = new Date('2026-03-01T07:59:00Z')
const STORED_MS_MAX = 60_000

const database = await forFile(createTestDatabase())
const daraja = await forFile(startSimulator(present(SIMULATORS['daraja'], 'the simulator of Daraja')({}), { seed: 7 }))
let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'malipo-spool-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
})

async function start(env: Readonly<Record<string, string>> = {}, logged: string[] = []) {
  const { pino } = await import('pino')
  const logger = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) })
  const gateway = await startTestGateway({
    connection: database.connection,
    surroundings: { clock: fixedClock(), logger },
    env: { MALIPO_SPOOL_DIR: dir, ...env },
  })
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= gateway.stop())
  onTestFinished(stop)
  return { ...gateway, stop }
}
const ready = async (url: string): Promise<unknown> => (await fetch(`${url}/health/ready`)).json()

/** Leaves a message about this order, sealed with this key, as a killed process would. */
async function leave(folder: string, order: string, masterKey: string): Promise<void> {
  const box = createSecretBox(masterKey, seededRandom(order))
  const owner = spoolOwner(hostname(), process.pid, order.replaceAll('-', ''))
  const spool = createMessageSpool({
    folder,
    owner,
    bytesMax: 1_000_000,
    now: () => RECEIVED_AT.getTime(),
    seal: (text) => box.seal(text, MESSAGE_SPOOL),
    open: (sealed) => box.open(sealed, MESSAGE_SPOOL),
    receive: () => Promise.reject(new StorageUnavailable(new Error('away'))),
    atOnceMax: 1,
    appends: true,
    events: {
      replayed: () => undefined,
      tookOver: () => undefined,
      damaged: () => undefined,
      refused: () => undefined,
      faultChanged: () => undefined,
    },
  })
  const callback = { railAccount: 'kenya', orderId: order, method: 'POST', body: '{"of":"the dead"}' } as const
  await spool.append({ callback, receivedAt: RECEIVED_AT })
  await spool.stop()
  leaveSpool(owner)
}

test("stores a dead process's messages despite a new master key, and no other's", async () => {
  const first = await start()
  await installRail(first, daraja, { name: 'kenya', providers: ['mpesa_ke'] })
  await first.pool.query(
    `insert into rail_references (transaction_id, rail_account, name, reference, recorded_at)
     values (1, 'kenya', $1, $2, now())`,
    [OUR_REFERENCE, ORDER],
  )
  const folder = spoolFolder(readConfig({ MALIPO_SPOOL_DIR: dir }), await databaseId(first.pool))
  await first.stop()
  await leave(folder, ORDER, 'the master key before, nothing real')
  const logged: string[] = []
  const without = await start({}, logged)
  await until(() => logged.some((line) => line.includes('cannot be stored')), STORED_MS_MAX, 'it is logged')
  expect(await examineMessageSpool(readConfig({ MALIPO_SPOOL_DIR: dir }), without.pool, new Date())).toMatchObject({
    found: 1,
    examples: [expect.stringMatching(/^1 message in 1 file, \d+ bytes, the oldest for \d+ s: start a server on /)],
  })
  await without.stop()
  expect(without.spooled()).toEqual({ messages: 1, folder })
  expect(logged.join('')).toContain('messages of operators wait in the spool')

  const elsewhere = join(dir, '0123456789abcdef')
  await leave(elsewhere, ORDER, MASTER_KEY)
  const { pool, spooled } = await start({ MALIPO_MASTER_KEY_OLD: 'the master key before, nothing real' })
  await until(async () => (await readdir(folder)).length === 0, STORED_MS_MAX, 'the spool is empty')
  const { rows } = await pool.query('select order_id, received_at from rail_callbacks')
  expect(rows).toEqual([{ order_id: ORDER, received_at: RECEIVED_AT }])
  expect(await examineMessageSpool(readConfig({ MALIPO_SPOOL_DIR: dir }), pool, new Date())).toMatchObject({ found: 0 })
  expect(logged.join('')).not.toContain('of the dead')
  // Those of another database stay in place.
  expect([await readdir(elsewhere), spooled().messages]).toEqual([[expect.any(String)], 0])
})

test('readiness names an unwritable folder, and the process serves all the same', async () => {
  await writeFile(join(dir, 'file'), '')
  const { url, pool } = await start({ MALIPO_SPOOL_DIR: join(dir, 'file') })
  await until(
    async () => JSON.stringify(await ready(url)).includes('degraded'),
    STORED_MS_MAX,
    'the first look at the folder',
  )
  expect(await ready(url)).toEqual({ status: 'ready', degraded: 'messages of operators cannot be spooled: ENOTDIR' })
  const config = readConfig({ MALIPO_SPOOL_DIR: join(dir, 'file') })
  expect(await examineMessageSpool(config, pool, new Date())).toMatchObject({
    found: 1,
    examples: [expect.stringContaining('cannot be read and written by this user: ENOTDIR')],
  })
})
