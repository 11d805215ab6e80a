import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createApp, type AppOptions } from './app.ts'
import { failure } from './envelope.ts'

// Uses real sockets with timeouts of milliseconds.

const TIMES = { headersMs: 150, requestMs: 200, checkMs: 20, stillMs: 1_000, lingerMs: 150 }
/** For tests whose clients must be in time on a busy machine: only the server's own wait is short. */
const PATIENT = { headersMs: 120_000, requestMs: 120_000, checkMs: 1_000, stillMs: 120_000, lingerMs: TIMES.lingerMs }
/** More than the buffers of both sides hold. */
const LARGE = Buffer.alloc(64 * 1024 * 1024)

interface TestServer {
  readonly port: number
  /** Connections for which the server has a descriptor. */
  open(): Promise<number>
  readonly handled: readonly string[]
  readonly logged: readonly string[]
}

async function listening(options: Partial<AppOptions> = {}): Promise<TestServer> {
  const handled: string[] = []
  const logged: string[] = []
  const app = createApp({
    api: { handle: async () => ({ reply: failure(404, 'There is nothing at this path'), operationId: undefined }) },
    logger: pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) }),
    random: { bytes: (size) => new Uint8Array(size) },
    times: TIMES,
    routes(scope) {
      scope.get('/small', async ({ url }) => {
        handled.push(url)
        return 'taken'
      })
      scope.get('/large', async () => LARGE)
    },
    ...options,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const open = (): Promise<number> =>
    new Promise((resolve, reject) =>
      app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    )
  return { port: (app.server.address() as AddressInfo).port, open, handled, logged }
}

/** A client that never closes its half of the connection. */
async function keeping(port: number, sent = ''): Promise<Socket & { said: () => string }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let said = ''
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => (said += chunk.toString('latin1')))
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(sent)
  return Object.assign(socket, { said: () => said })
}

test.each([
  ['headers that do not end', 'GET /small HTTP/1.1\r\nhost: x\r\n', 408],
  ['nothing at all', '', 408],
  ['no HTTP', 'what?\r\n\r\n', 400],
  ['headers that are too large', `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}`, 431],
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n', 405],
])('after the reply to %s the server keeps no descriptor', async (_what, sent, status) => {
  const server = await listening({ times: status === 408 ? TIMES : PATIENT })
  const clients = await Promise.all(Array.from({ length: 5 }, () => keeping(server.port, sent)))
  await expect.poll(() => clients.map(({ said }) => said().slice(9, 12))).toEqual(Array(5).fill(String(status)))
  await expect.poll(() => server.open()).toBe(0)
})

test('a client that does not read its reply is cut off', async () => {
  const server = await listening({ times: { ...PATIENT, stillMs: TIMES.stillMs } })
  const client = await keeping(server.port)
  client.pause()
  client.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
  await expect.poll(() => server.open()).toBe(0)
})

// Repeated, because a busy machine may hold up the client for longer than the timeout.
test('a client that reads slowly gets its whole reply', { retry: 5 }, async () => {
  const server = await listening({ times: { ...PATIENT, stillMs: TIMES.stillMs } })
  const client = await keeping(server.port)
  client.removeAllListeners('data').pause()
  client.write('GET /large HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  let size = 0
  for await (const chunk of client) {
    size += (chunk as Buffer).length
    if (size % (4 * 1024 * 1024) < (chunk as Buffer).length) await pause(80)
  }
  expect(size).toBeGreaterThan(LARGE.length)
})

test('reports one connection too many of an address and ignores its request', async () => {
  const server = await listening({ connectionsPerAddressMax: 2, times: PATIENT })
  const [first] = [await keeping(server.port), await keeping(server.port)]
  const request = 'GET /small?third HTTP/1.1\r\nhost: x\r\n\r\n'
  const third = await keeping(server.port, request)
  await expect.poll(() => third.said()).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n/)
  expect(third.said()).toMatch(/retry-after: 1\r\n.*connection: close\r\n/s)
  expect(JSON.parse(third.said().split('\r\n\r\n')[1]!)).toEqual({
    status: 'error',
    code: 429,
    message: 'Too many connections from this address: use those that are open, or close some',
    reason: 'too_many_requests',
    data: {},
  })
  // The server also releases the descriptor, although the client keeps its half open.
  await expect.poll(() => server.open()).toBe(2)
  expect(server.handled).toEqual([])
  expect(server.logged.filter((line) => line.includes('MALIPO_TRUSTED_PROXIES'))).toHaveLength(1)

  first.destroy()
  await expect.poll(() => server.open()).toBe(1)
  const next = await keeping(server.port, request.replace('third', 'next'))
  await expect.poll(() => next.said()).toMatch(/^HTTP\/1\.1 200 /)
})

test('cuts off a flood of connections without a reply', async () => {
  const server = await listening({ connectionsPerAddressMax: 2, times: { ...PATIENT, lingerMs: 120_000 } })
  for (let count = 0; count < 100; count += 1) await keeping(server.port)
  await expect.poll(() => server.open()).toBe(2 + 64)
})

test('a trusted proxy may have any number of connections', async () => {
  const server = await listening({ connectionsPerAddressMax: 2, trustedProxies: ['127.0.0.0/8'], times: PATIENT })
  for (let count = 0; count < 5; count += 1) {
    const client = await keeping(server.port, 'GET /small HTTP/1.1\r\nhost: x\r\n\r\n')
    await expect.poll(() => client.said()).toMatch(/^HTTP\/1\.1 200 /)
  }
})
