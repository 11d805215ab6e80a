import { connect } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { createApp } from '../http/app.ts'
import { failure, success } from '../http/envelope.ts'
import { ownHosts } from '../own-hosts.ts'
import { installed } from '../admin/queries/statements/testing/installed.ts'
import { createFigures, WORK_BACKLOG } from '../admin/queries/figures.ts'
import { createPool } from '../storage/pool.ts'
import { fixedClock, seededRandom, startTestGateway } from '../verification/testing/gateway.ts'
import { createMetrics } from './metrics.ts'
import { serveMetrics } from './server.ts'
import { parseExposition, valueOf } from './testing/test-exposition.ts'
import { WORK_KINDS } from './jobs.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { untilLockWaits } from '../verification/testing/lock-waits.ts'
import { forFile } from '../verification/testing/for-file.ts'

const CANARY = 'canary-7f3a'
const isOwnHost = ownHosts(readConfig({ MALIPO_ALLOWED_HOSTS: 'prometheus-target' }))
const clock = fixedClock()
const { connection, pool } = await databaseTest()
const metrics = createMetrics({ clock, figures: createFigures(pool), role: 'all', mode: 'sandbox' })
/** On a free port, without a metric, and ready. */
const served = (changes: Partial<Parameters<typeof serveMetrics>[0]> = {}) =>
  serveMetrics({
    host: '127.0.0.1',
    port: 0,
    isOwnHost,
    scrape: async () => '',
    isReady: async () => undefined,
    onError: () => undefined,
    ...changes,
  })
const server = await forFile(served({ scrape: metrics.scrape }))

test('DNS rebinding: a page under another name sees no metrics and no health', async () => {
  const { port } = new URL(server.url)
  const request = (path: string, host: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let answer = ''
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`),
      )
      socket
        .on('data', (chunk: Buffer) => {
          answer += chunk
        })
        .on('end', () => resolve(answer))
        .on('error', reject)
    })
  for (const path of ['/metrics', '/health/live', '/health/ready', '/elsewhere']) {
    expect(await request(path, `evil.example:${port}`)).toMatch(
      /^HTTP\/1\.1 421 [^]*\r\n\r\nNothing here answers to that name: ask an address of this machine, or put it into MALIPO_ALLOWED_HOSTS\n$/,
    )
  }
  for (const host of ['localhost', `127.0.0.1:${port}`, 'prometheus-target'])
    expect(await request('/health/live', host), host).toMatch(/^HTTP\/1\.1 200 /)
})

const scraped = async () => parseExposition(await (await fetch(server.url)).text())
const at = (seconds: number): Date => new Date(clock.now().getTime() + seconds * 1000)
const addJobs = (kind: string, dueAt: Date, count: number) =>
  pool.query(
    `insert into jobs (kind, subject_id, due_at)
     select $1, n + coalesce((select max(subject_id) from jobs), 0), $2 from generate_series(1, $3::int) n`,
    [kind, dueAt, count],
  )

test('shows due jobs and their age by kind; later or claimed jobs do not count', async () => {
  await addJobs('pollRail', at(-90), 1)
  await addJobs('pollRail', at(-5), 2)
  await addJobs('pollRail', at(60), 4)
  const families = await scraped()
  const figures = (kind: string) =>
    ['malipo_jobs_backlog', 'malipo_jobs_oldest_due_seconds'].map((name) => valueOf(families, name, { kind }))
  expect(figures('pollRail')).toEqual([3, 90])
  for (const kind of WORK_KINDS.filter((other) => other !== 'pollRail')) expect(figures(kind), kind).toEqual([0, 0])
})

test('counts the backlog along the index up to its bound, however large it is', async () => {
  await addJobs('clearFunds', at(-10), 50_000)
  await pool.query('vacuum analyze jobs')
  expect((await createFigures(pool).backlog(['clearFunds'], clock.now()))[0]).toMatchObject({
    items: 10_000,
    oldestDueAt: at(-10),
  })
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain ${WORK_BACKLOG}`, [
    WORK_KINDS,
    clock.now(),
    10_000,
  ])
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('jobs_kind_due_at_idx')
  expect(plan).not.toContain('Seq Scan')
})

test('a scrape shows what waits at each rail account: exceptions until they are ended', async () => {
  await installed(pool, 'mtn-uganda')
  await pool.query(
    `insert into reconciliation_exceptions (rail_account, kind, line_id, currency, opened_at, suspense_minor, corrected,
       ended_at, ended_by, reason)
     values ('mtn-uganda', 'missing_with_us', 1, 'UGX', $1, 0, 'rail', null, null, null),
       ('mtn-uganda', 'missing_with_us', 2, 'UGX', $1, 0, 'rail', $1, 'Ada', 'A top-up'),
       ('mtn-before', 'duplicate', 3, 'UGX', $1, 0, 'rail', null, null, null)`,
    [clock.now()],
  )
  await pool.query(
    `insert into reconciliation_exceptions (rail_account, kind, line_id, currency, opened_at, suspense_minor, corrected, overtakes)
     select rail_account, 'late', line_id, currency, opened_at, 0, corrected, id from reconciliation_exceptions where line_id = 2`,
  )
  const families = await scraped()
  const open = (name: string) => valueOf(families, 'malipo_reconciliation_exceptions_open', { rail_account: name })
  expect([open('mtn-uganda'), open('mtn-before')]).toEqual([2, 1])
  expect(valueOf(families, 'malipo_orders_unknown_outcome', { rail_account: 'mtn-uganda' })).toBe(0)
})

test('the ledger check finds a balance that is not the sum of its entries', async () => {
  await metrics.checkLedger()
  expect(valueOf(await scraped(), 'malipo_ledger_balanced')).toBe(1)
  await pool.query(`insert into accounts (kind, currency, balance_minor) values ('charges', 'XXX', 5)`)
  await metrics.checkLedger()
  const families = await scraped()
  expect([
    valueOf(families, 'malipo_ledger_balanced'),
    valueOf(families, 'malipo_ledger_accounts_off'),
    valueOf(families, 'malipo_ledger_currencies_off'),
  ]).toEqual([0, 1, 0])
})

test('a stop ends a waiting ledger check quietly and releases its connection', async () => {
  const own = createPool({ connection, connectionsMax: 2, onError: () => undefined })
  const stopped = createMetrics({ clock, figures: createFigures(own), role: 'worker', mode: 'sandbox' })
  const blocker = await pool.connect()
  await blocker.query('begin')
  await blocker.query('lock table entries in access exclusive mode')
  const check = stopped.checkLedger()
  await untilLockWaits(pool)
  stopped.stopChecks()
  await check
  await own.end()
  await blocker.query('rollback')
  blocker.release()
  expect(valueOf(parseExposition(await stopped.scrape()), 'malipo_ledger_check_failures_total')).toBe(0)
})

test('the ledger check leaves its connection as it was', async () => {
  await metrics.checkLedger()
  const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect(), pool.connect()])
  for (const client of clients) {
    const { rows } = await client.query(
      `select current_setting('statement_timeout') as limit, current_setting('transaction_read_only') as read_only`,
    )
    expect(rows).toEqual([{ limit: '15s', read_only: 'off' }])
    client.release()
  }
})

test('counts by operationId, route or none, without references, keys or paths', async () => {
  const app = createApp({
    api: {
      handle: async (_message, path) =>
        path.includes('verify')
          ? { reply: success('ok', {}), operationId: 'verifyTransaction' }
          : { reply: failure(404, 'nothing'), operationId: undefined },
    },
    logger: pino({ level: 'silent' }),
    random: seededRandom('metrics'),
    routes: (routes) =>
      void routes.get('/pay/collection/:internalReference', async (_request, reply) => reply.send('page')),
    answered: metrics.answered,
  })
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  const headers = { 'secret-key': CANARY, 'x-request-id': CANARY }
  for (const path of [
    `/transaction/verify/${CANARY}`,
    `/pay/collection/${CANARY}?token=${CANARY}`,
    `/${CANARY}`,
    `/${CANARY}/other`,
  ])
    await (await fetch(base + path, { headers })).text()
  await app.close()
  const families = await scraped()
  const total = (operation: string, status: string) =>
    valueOf(families, 'malipo_http_requests_total', { operation, status })
  expect([
    total('verifyTransaction', '200'),
    total('/pay/collection/:internalReference', '200'),
    total('none', '404'),
  ]).toEqual([1, 1, 2])
  expect(valueOf(families, 'malipo_http_request_duration_seconds_count', { operation: 'none' })).toBe(2)
  expect(await (await fetch(server.url)).text()).not.toContain(CANARY)
})

test('GET and HEAD of /metrics answer, other methods and paths are refused', async () => {
  const got = await fetch(server.url)
  expect([got.status, got.headers.get('content-type'), got.headers.get('cache-control')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
    'no-store',
  ])
  await got.text()
  const head = await fetch(server.url, { method: 'HEAD' })
  expect([head.status, Number(head.headers.get('content-length')) > 1000, await head.text()]).toEqual([200, true, ''])
  expect((await fetch(`${server.url}?x=1`)).status).toBe(200)
  const post = await fetch(server.url, { method: 'POST', body: 'x'.repeat(100_000) })
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  for (const path of ['/', '/metrics/', '/metricsx', '/health', '/health/live/', '/constructor', '/__proto__'])
    expect((await fetch(new URL(path, server.url))).status, path).toBe(404)
})

test('the metrics port serves health too, for processes without an API', async () => {
  for (const [path, status] of [
    ['/health/live', 'live'],
    ['/health/ready', 'ready'],
  ] as const) {
    const reply = await fetch(new URL(path, server.url))
    expect([reply.status, reply.headers.get('content-type'), await reply.json()]).toEqual([
      200,
      'application/json; charset=utf-8',
      { status },
    ])
    expect((await fetch(new URL(path, server.url), { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(new URL(path, server.url), { method: 'POST' })).status).toBe(405)
  }
})

test('a worker, which serves no API, serves its health at its metrics port', async () => {
  const worker = await startTestGateway({
    connection,
    surroundings: { role: 'worker' },
    env: { MALIPO_METRICS_PORT: '0' },
  })
  for (const path of ['/health/live', '/health/ready', '/metrics'])
    expect((await fetch(new URL(path, worker.metricsUrl))).status, path).toBe(200)
  await worker.stop()
})

test('a database that never answers is not ready', async () => {
  const hanging = await served({ isReady: () => new Promise(() => undefined) })
  expect((await fetch(new URL('/health/ready', hanging.url))).status).toBe(503)
  await hanging.stop()
})

test('a scrape that fails altogether is a 500 without its cause', async () => {
  const errors: unknown[] = []
  const scrape = async () => {
    throw new Error(CANARY)
  }
  const broken = await served({ scrape, onError: (error) => errors.push(error) })
  const reply = await fetch(broken.url)
  expect([reply.status, await reply.text()]).toEqual([500, 'The metrics could not be collected\n'])
  expect(errors).toHaveLength(1)
  await broken.stop()
})

test("a port in use is the listener's error", async () => {
  await expect(served({ port: Number(new URL(server.url).port) })).rejects.toThrow('EADDRINUSE')
})

test('stopping cuts a client that never finishes its request', async () => {
  const stopping = await served()
  const socket = connect(Number(new URL(stopping.url).port), '127.0.0.1')
  const closed = new Promise<void>((resolve) => socket.on('error', () => undefined).on('close', () => resolve()))
  await new Promise<void>((resolve) => socket.write('GET /metrics HTTP/1.1\r\nhost: x\r\n', () => resolve()))
  await stopping.stop()
  await closed
})

test('a lost database costs the backlog and the readiness, and nothing else', async () => {
  const gone = createPool({
    connection: { host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' },
    connectionsMax: 4,
    onError: () => undefined,
  })
  const alone = createMetrics({ clock, figures: createFigures(gone), role: 'api', mode: 'live' })
  const withoutIt = await served({
    scrape: alone.scrape,
    isReady: async () => void (await gone.query('select')),
  })
  alone.answered('sendFunds', 503, 2)
  const reply = await fetch(withoutIt.url)
  const families = parseExposition(await reply.text())
  expect(reply.status).toBe(200)
  const requested = await Promise.all(
    ['/health/ready', '/health/live'].map((path) => fetch(new URL(path, withoutIt.url))),
  )
  expect(requested.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
    [503, '1'],
    [200, null],
  ])
  expect(await requested[0]!.json()).toEqual({ status: 'database unavailable' })
  expect(valueOf(families, 'malipo_scrape_errors_total')).toBe(1)
  for (const name of ['malipo_jobs_backlog', 'malipo_history_months_ahead', 'malipo_ledger_unchained_seconds'])
    expect(families.get(name)!.samples, name).toEqual([])
  expect(valueOf(families, 'malipo_http_requests_total', { operation: 'sendFunds', status: '503' })).toBe(1)
  await expect(alone.checkLedger()).rejects.toThrow()
  await withoutIt.stop()
  await gone.end()
})

test('a figure that cannot be read has no value, and the others have theirs', async () => {
  const figures = { ...createFigures(pool) }
  const { scrape } = createMetrics({ clock, figures, role: 'api', mode: 'live' })
  expect(valueOf(parseExposition(await scrape()), 'malipo_history_months_ahead')).toBeGreaterThan(0)
  figures.monthsAhead = () => Promise.reject(new Error('too slow'))
  const families = parseExposition(await scrape())
  expect(families.get('malipo_history_months_ahead')!.samples).toEqual([])
  expect(valueOf(families, 'malipo_ledger_unchained_seconds')).toBe(0)
})

test('metrics are off unless a port is named', () => {
  expect(readConfig({})).toMatchObject({ metricsPort: undefined, metricsHost: '127.0.0.1' })
  expect(readConfig({ MALIPO_METRICS_PORT: '0', MALIPO_METRICS_HOST: '0.0.0.0' })).toMatchObject({
    metricsPort: 0,
    metricsHost: '0.0.0.0',
  })
  expect(() => readConfig({ MALIPO_METRICS_PORT: 'yes' })).toThrow(
    'MALIPO_METRICS_PORT must be a whole number from 0 to 65535, not yes',
  )
})
