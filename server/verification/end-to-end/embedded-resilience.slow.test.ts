import { freePort } from '../testing/free-port.ts'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, test } from 'vitest'
import { openEmbeddedPostgres } from '../../local/embedded-postgres/embedded-postgres.ts'
import { CLIENTS, expectQuietAndWell, expectResumed, report, RESUMED_MS_MAX } from '../testing/outage.ts'
import { startLoad } from '../testing/payment-load.ts'
import { startReceiver, type Receiver } from '../testing/receiver.ts'
import { collect } from '../testing/requests.ts'
import { runCli, serve, until, type ServedGateway } from '../testing/served-gateway.ts'

let receiver: Receiver
let folder: string
let gateway: ServedGateway
let startedAt: number
beforeAll(async () => {
  receiver = await startReceiver()
  folder = await mkdtemp(join(tmpdir(), 'malipo-resilience-'))
  startedAt = performance.now()
  gateway = await serve({ dataDir: folder, port: await freePort(), env: { MALIPO_SANDBOX_DELAY_MS: '200' } })
  await runCli(['merchant', 'set', 'pub_sandbox_demo', '--collection-callback-url', receiver.url], folder)
  await delay(1_000)
})
afterAll(async () => {
  gateway.child.kill('SIGKILL')
  await gateway.exited
  await receiver.close()
  await rm(folder, { recursive: true, force: true })
})

test('the server restarts a killed PostgreSQL, and all accepted ends within 10 s', async () => {
  const load = startLoad({ url: gateway.url, clients: CLIENTS })
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    await delay(700)
    const [pid] = (await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
    process.kill(Number(pid), signal)
    await until(
      async () => (await collect(gateway.url)).status === 202,
      RESUMED_MS_MAX,
      'collections are accepted again',
    )
  }
  const readyAt = performance.now()
  const guest = await openEmbeddedPostgres({ dataDir: folder, role: 'guest' })
  try {
    report(
      'embedded, three signals',
      load,
      await expectResumed({ connection: guest.connection, load, readyAt, receiver }),
    )
  } finally {
    await guest.stop()
  }
  await expectQuietAndWell(gateway, startedAt)
})
