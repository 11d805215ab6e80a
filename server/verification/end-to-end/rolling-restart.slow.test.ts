import { spawn, type ChildProcess } from 'node:child_process'
import { Agent, request } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { certificateIn, testWith, toolPath } from '../../deploy/testing/tools.ts'
import { databaseUrl } from '../testing/database.ts'
import { databaseTest } from '../testing/database-test.ts'
import { freePort } from '../testing/free-port.ts'
import { gatewayProcesses } from '../testing/gateway-processes.ts'
import { DEMO_KEYS } from '../testing/gateway.ts'
import { isNightly } from '../testing/nightly.ts'
import { collect, mobileMoneyCollection, send } from '../testing/requests.ts'
import { until } from '../testing/served-gateway.ts'

// Two API processes behind the HAProxy of the guide, restarted one after the other under load: no client notices.

const CONFIGURATION = fileURLToPath(new URL('../../deploy/haproxy/gateway.cfg', import.meta.url))
/** The nightly run has the machine to itself; beside other work so many requests would fail for want of a processor. */
const [PER_SECOND, REQUESTS] = isNightly ? [300, 10_000] : [60, 480]
/** Longer than HAProxy takes to notice, according to its configuration. */
const DRAIN_MS = 2_500
const CONNECTIONS = 50

const { pool, connection } = await databaseTest()
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const { start, end, folder } = gatewayProcesses({
  DATABASE_URL: databaseUrl(connection),
  MALIPO_DRAIN_MS: String(DRAIN_MS),
  MALIPO_RATE_LIMIT: '1000000',
  LOG_LEVEL: 'info', // one line for each request
})

/**
 * Starts the proxy of the guide, with a certificate of its own.
 * @returns its port
 */
async function startProxy([first, second]: readonly [number, number]): Promise<number> {
  const [https, http] = [await freePort(), await freePort()]
  const proxy: ChildProcess = spawn(toolPath('haproxy') ?? 'haproxy', ['-db', '-f', CONFIGURATION], {
    env: {
      ...process.env,
      GATEWAY_HTTPS: `127.0.0.1:${https}`,
      GATEWAY_HTTP: `127.0.0.1:${http}`,
      GATEWAY_CERTIFICATE: await certificateIn(folder),
      GATEWAY_1: `127.0.0.1:${first}`,
      GATEWAY_2: `127.0.0.1:${second}`,
    },
    stdio: 'ignore',
  })
  const exited = new Promise((resolve) => proxy.once('exit', resolve))
  ends.push(() => (proxy.kill('SIGKILL'), exited))
  return https
}

type RequestOutcome = number | string

/** @returns the status, or why there was none */
const pay = (agent: Agent, port: number, n: number): Promise<RequestOutcome> =>
  new Promise((resolve) => {
    const msisdn = `25677${String(n % 10_000).padStart(4, '0')}123`
    const body = JSON.stringify(mobileMoneyCollection({ merchant_reference: `ROLLING-${n}`, msisdn }))
    const requested = request(
      {
        agent,
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/collections/initialize',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'x-api-version': '1',
          'public-key': DEMO_KEYS['public-key'],
        },
      },
      (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 'no status'))
        response.once('error', (error) => resolve(error.message))
      },
    )
    requested.once('error', (error) => resolve(error.message)).end(body)
  })

/** Sends at even intervals, however long the replies take. */
async function load(port: number, agent: Agent): Promise<readonly RequestOutcome[]> {
  const startedAt = performance.now()
  const answers: Promise<RequestOutcome>[] = []
  for (let n = 0; n < REQUESTS; n += 1) {
    const early = startedAt + (n * 1_000) / PER_SECOND - performance.now()
    if (early > 1) await delay(early)
    answers.push(pay(agent, port, n))
  }
  return Promise.all(answers)
}

testWith(['haproxy', 'openssl'], 'haproxy openssl')('a rolling restart behind a proxy fails no request', async () => {
  const ports = [await freePort(), await freePort()] as const
  const gateways = [await start({ role: 'api', port: ports[0] }), await start({ role: 'api', port: ports[1] })]
  const port = await startProxy(ports)
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, rejectUnauthorized: false })
  ends.push(async () => agent.destroy())
  await until(async () => (await pay(agent, port, 999_999)) === 202, 60_000, 'the proxy answers')

  const done = load(port, agent)
  let isLoading = true
  void done.finally(() => {
    isLoading = false
  })
  let restarts = 0
  for (let turn = 0; isLoading; turn = 1 - turn) {
    const gateway = gateways[turn]
    expect(await end(gateway!, 'SIGTERM'), gateway?.output()).toBe(0)
    gateways[turn] = await start({ role: 'api', port: ports[turn as 0 | 1] })
    restarts += 1
    // Until the proxy sends requests to it again, the other process is alone.
    const isServing = () => !isLoading || gateways[turn]?.output().includes('initializeCollection')
    await until(isServing, 60_000, 'the proxy sends requests to the restarted process')
  }
  const answers = await done
  expect(restarts).toBeGreaterThanOrEqual(1)
  expect(Map.groupBy(answers, String).keys().toArray()).toEqual(['202'])
  const { rows } = await pool.query<{ stored: number }>('select count(*)::int as stored from transactions')
  expect(rows[0]?.stored).toBe(REQUESTS + 1)
})

test('after SIGTERM a process is unready, serves on, and ends connections on a reply', async () => {
  const { url, child, exited } = await start({ role: 'api' })
  child.kill('SIGTERM')
  const { body } = await until(
    async () => {
      const reply = await send(url, 'GET', '/health/ready')
      return reply.status === 503 && reply
    },
    DRAIN_MS,
    'it says that it is not ready',
  )
  expect(body).toEqual({ status: 'stopping' })
  const { status, headers } = await collect(url)
  expect([status, headers.get('connection')]).toEqual([202, 'close'])
  expect(await exited).toBe(0)
})
