import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { isFree } from '../verification/testing/free-port.ts'
import { MASTER_KEY } from '../verification/testing/gateway.ts'
import { collect, mobileMoneyCollection, send, verify } from '../verification/testing/requests.ts'
import { until } from '../verification/testing/served-gateway.ts'
import { temporaryFolder } from '../verification/testing/temporary-folder.ts'
import { databaseByTcp } from './testing/database-by-tcp.ts'
import { bootSystemd, whyNoSystemd } from './testing/systemd-machine.ts'
import { run, testWith } from './testing/tools.ts'

// systemd accepts the units, they are sandboxed from the machine, and a payment goes through them under a real systemd.

const { written } = temporaryFolder()
const units = fileURLToPath(new URL('systemd', import.meta.url))
const guide = await readFile(join(units, '../README.md'), 'utf8')
const files = (await readdir(units)).filter((name) => name.endsWith('.service'))
/** The exposure level of `systemd-analyze security` in tenths: 96 is the worst, a unit without any hardening. */
const EXPOSURE_MAX = 15

testWith(['systemd-analyze'], 'systemd').each(files)('%s is valid, and isolates its process', async (name) => {
  const text = await readFile(join(units, name), 'utf8')
  // The same except for the path of Node: not every machine has /opt/malipo.
  const here = written(
    name,
    text.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true').replaceAll('malipo-migrate.service', ''),
  )
  expect(await run('systemd-analyze', ['verify', here])).toMatchObject({ code: 0, text: '' })
  const judged = await run('systemd-analyze', ['security', '--offline=true', `--threshold=${EXPOSURE_MAX}`, here])
  expect(judged.code, judged.text).toBe(0)
})

/** Four digits: the units prefix it with 1 for the metrics port. */
async function fourDigitPort(): Promise<number> {
  for (let port = 5_000; port > 1_024; port -= 1) if ((await isFree(port)) && (await isFree(10_000 + port))) return port
  throw new Error('no free port of four digits')
}

/** One digit: its metrics are on port 1900n. */
async function freeWorker(): Promise<number> {
  for (let n = 9; n > 0; n -= 1) if (await isFree(19_000 + n)) return n
  throw new Error('no free port for a worker')
}

const database = await databaseByTcp()
const why = await whyNoSystemd()
if (why !== undefined) console.log(`the units are not started under a real systemd: ${why}`)

test.skipIf(why !== undefined)('under systemd one unit accepts a payment and the other executes it', async () => {
  const port = await fourDigitPort()
  const [api, worker] = [`malipo-api@${port}.service`, `malipo-worker@${await freeWorker()}.service`]
  const machine = await bootSystemd({
    units,
    environment: {
      DATABASE_URL: database,
      MALIPO_MODE: 'sandbox',
      MALIPO_MASTER_KEY: MASTER_KEY.replaceAll(' ', '-'),
      MALIPO_SANDBOX_DELAY_MS: '50',
    },
    start: [api, worker],
  })
  onTestFinished(() => machine.end())
  const gateway = `http://127.0.0.1:${port}`
  const isReady = () =>
    send(gateway, 'GET', '/health/ready').then(
      ({ status }) => status === 200,
      () => false,
    )
  const shown = async (unit: string, name: string) =>
    (await machine.run('systemctl', 'show', '--value', '-p', name, unit)).out.trim()
  await until(isReady, 60_000, 'the API is ready').catch((error: unknown) => {
    throw new Error(machine.log(), { cause: error })
  })
  expect(await shown('malipo-migrate.service', 'ActiveState')).toBe('active')
  // Operator messages can be spooled: the unit has a writable folder.
  expect((await send(gateway, 'GET', '/health/ready')).body).toEqual({ status: 'ready' })

  const payment = mobileMoneyCollection()
  expect((await collect(gateway, payment)).status).toBe(202)
  const isPaid = async () =>
    (await verify(gateway, String(payment.merchant_reference))).body.data.transaction_status === 'COMPLETED'
  await until(isPaid, 60_000, 'the worker has carried it out')

  // As in the guide.
  const [, command = ''] = /```sh\n(cd \/opt\/malipo && sh -c .*?)```/s.exec(guide) ?? []
  expect((await machine.run('sh', '-c', command)).text).toContain('Clean: ')

  const before = await shown(api, 'MainPID')
  expect((await machine.run('systemctl', 'restart', api)).code).toBe(0)
  await until(isReady, 60_000, 'the API is ready again')
  expect(await shown(api, 'MainPID')).not.toBe(before)
  expect((await machine.run('systemctl', 'stop', api, worker)).code).toBe(0)
  expect([await shown(api, 'Result'), await shown(worker, 'Result')]).toEqual(['success', 'success'])
})
