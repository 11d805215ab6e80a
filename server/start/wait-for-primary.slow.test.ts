import { createServer } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig, type Config } from '../config.ts'
import { startGateway } from '../main.ts'
import { ConnectionFailed } from '../storage/driver-errors.ts'
import { databaseUrl } from '../verification/testing/database.ts'
import { freePort } from '../verification/testing/free-port.ts'
import { listening } from '../verification/testing/listening.ts'
import { startOwnPostgres, type OwnPostgres } from '../verification/testing/own-postgres.ts'
import { startStandbyOf, type Standby } from '../verification/testing/standby.ts'
import { startOnPrimary } from './wait-for-primary.ts'

let primary: OwnPostgres
let standby: Standby
const logged: string[] = []
const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
beforeAll(async () => {
  primary = await startOwnPostgres({ fsync: 'off' })
  standby = await startStandbyOf(primary)
})
beforeEach(() => void logged.splice(0))
afterAll(async () => {
  await standby?.remove()
  await primary?.remove()
})

const configOf = (url: string, env: Readonly<Record<string, string>> = {}): Config =>
  readConfig({ DATABASE_URL: url, PORT: '0', MALIPO_DATABASE_WAIT_MS: '60000', ...env })
const toStandby = (env?: Readonly<Record<string, string>>): Config => configOf(databaseUrl(standby.connection), env)
const alone = { logger, role: 'all', stopSignal: undefined } as const
const never = () => Promise.reject(new Error('started'))

const queried = async (url: string) => {
  const reply = await fetch(url)
  const { headers, status } = reply
  return { status, body: await reply.json(), closes: headers.get('connection'), wait: headers.get('retry-after') }
}

test('a start on a standby ends with its reason after one notice and its time limit', async () => {
  const config = toStandby({ MALIPO_DATABASE_WAIT_MS: '1200' })
  await expect(startOnPrimary(config, alone, never)).rejects.toMatchObject({ name: 'ReadOnlyDatabase' })
  expect(logged).toHaveLength(1)
  expect(logged[0]).toContain('no primary yet: the start waits for one, 2 s at most, and is not ready')
})

test('a start that may not wait ends at once', async () => {
  const config = toStandby({ MALIPO_DATABASE_WAIT_MS: '0' })
  await expect(startOnPrimary(config, alone, never)).rejects.toMatchObject({ name: 'ReadOnlyDatabase' })
  expect(logged).toEqual([])
})

test('a start at a wrong address, or with a wrong password, does not wait', async () => {
  const url = new URL(databaseUrl(standby.connection))
  for (const wrong of ['postgres://a:b@127.0.0.1:1/x', url.href.replace(standby.connection.password, 'wrong')])
    await expect(startOnPrimary(configOf(wrong), alone, never)).rejects.toThrow(/ECONNREFUSED|password/)
  expect(logged).toEqual([])
})

test('a start that is cancelled stops waiting', async () => {
  const stop = new AbortController()
  const started = startOnPrimary(toStandby(), { ...alone, stopSignal: stop.signal }, never)
  await expect.poll(() => logged.length).toBe(1)
  stop.abort()
  await expect(started).rejects.toMatchObject({ name: 'AbortError' })
})

test('waits for a primary that goes away in the middle of a start', async () => {
  const tries: string[] = []
  const start = async () => {
    tries.push('started')
    if (tries.length === 1) throw new Error('it failed', { cause: new ConnectionFailed('unreachable', new Error()) })
    return 'a gateway'
  }
  expect(await startOnPrimary(configOf(primary.databaseUrl), alone, start)).toBe('a gateway')
  expect([tries.length, logged.length]).toEqual([2, 1])
})

test.each(['api', 'worker'] as const)('a waiting process (%s) is live and not ready', async (role) => {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const config = toStandby({ PORT: String(port), MALIPO_METRICS_PORT: String(metricsPort) })
  const stop = new AbortController()
  const started = startOnPrimary(config, { logger, role, stopSignal: stop.signal }, never)
  const base = `http://127.0.0.1:${role === 'api' ? port : metricsPort}`
  await expect.poll(() => queried(`${base}/health/live`).catch(() => undefined)).toMatchObject({ status: 200 })
  expect(await queried(`${base}/health/ready`)).toMatchObject({
    status: 503,
    body: { status: 'waiting for a primary' },
  })
  if (role === 'api')
    expect(await queried(`${base}/data/wallet-balances`)).toMatchObject({
      status: 503,
      body: { code: 503, message: 'The service is temporarily unavailable: try again shortly' },
      closes: 'close',
      wait: '1',
    })
  stop.abort()
  await expect(started).rejects.toMatchObject({ name: 'AbortError' })
  await expect(fetch(`${base}/health/live`)).rejects.toThrow('fetch failed')
})

test('reports a port in use while a start waits', async () => {
  const { port, close } = await listening(createServer())
  await expect(startOnPrimary(toStandby({ PORT: String(port) }), alone, never)).rejects.toThrow('EADDRINUSE')
  await close()
})

// Must be the last test with this standby: it is promoted.
test('a gateway that started on a standby serves after its promotion', async () => {
  const port = await freePort()
  const started = startGateway(toStandby({ PORT: String(port) }), { logger, role: 'all', runJobs: false })
  const ready = `http://127.0.0.1:${port}/health/ready`
  await expect.poll(() => queried(ready).catch(() => undefined)).toMatchObject({ status: 503 })
  await standby.promote()
  const gateway = await started
  try {
    expect(await queried(ready)).toMatchObject({ status: 200, body: { status: 'ready' } })
    expect(logged.filter((line) => line.includes('no primary yet'))).toHaveLength(1)
  } finally {
    await gateway.stop()
  }
})
