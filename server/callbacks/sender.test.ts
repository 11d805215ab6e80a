import { createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { StorageUnavailable } from '../actions/ports/store.ts'
import { answering, listen, listenHttp } from '../outbound/testing/hostile-network.ts'
import { INTERNET, SANDBOX_POLICY } from '../outbound/outbound-guard.ts'
import { callbackTo, sampleSender } from './testing/sample-callback.ts'
import { handshakeWith, sampleHandshakeSender } from './testing/sample-handshake.ts'
import { every, PATIENT_MS, rawServer, sendTo, started, TIMEOUT_MS, timeoutByHand } from './testing/sending.ts'

const NO_INTERNALS = /127\.0\.0\.1|::1|localhost|undici|UND_|HPE_|llhttp|node:|\bat \/|Error/

test('an acknowledged callback keeps the first kilobyte of the reply', async () => {
  const server = await started(listenHttp((_request, response) => response.end('é'.repeat(2_000))))
  const { httpStatus, replyExcerpt, error } = await sendTo(server)
  expect([httpStatus, replyExcerpt, error]).toEqual([200, 'é'.repeat(512), undefined])
})

test('reads 64 kB of an endless reply, then closes the connection', async () => {
  let written = 0
  const server = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const more = () => {
      while (!socket.destroyed && socket.write('x'.repeat(16_384))) written += 16_384
    }
    socket.on('drain', more)
    more()
  })
  expect(await sendTo(server)).toMatchObject({ httpStatus: 200, replyExcerpt: 'x'.repeat(1024) })
  expect(written).toBeLessThan(32 * 1024 * 1024) // what fits into the system's buffers
})

test.each([
  ['gzip', gzipSync('x'.repeat(50_000_000))],
  ['br', Buffer.from('not brotli')],
  ['gzip, gzip, gzip', Buffer.from('not gzip')],
])('a reply that says %s is not decompressed', async (encoding, body) => {
  const server = await started(
    listenHttp((_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body)),
  )
  const { httpStatus, replyExcerpt } = await sendTo(server)
  expect([httpStatus, replyExcerpt]).toEqual([200, body.subarray(0, 1024).toString('utf8').replaceAll('\0', '�')])
})

test('requests no compression', async () => {
  let requested: string | undefined
  const server = await started(
    listenHttp(({ headers }, response) => {
      requested = headers['accept-encoding']
      response.end()
    }),
  )
  await sendTo(server)
  expect(requested).toBeUndefined()
})

test('accepts 1,000 short headers, and only the status counts', async () => {
  const server = await rawServer(
    (socket) =>
      void socket.end(
        `HTTP/1.1 204 No Content\r\n${Array.from({ length: 1_000 }, (_, i) => `x${i}: y\r\n`).join('')}\r\n`,
      ),
  )
  expect(await sendTo(server)).toMatchObject({ httpStatus: 204 })
})

test.each([
  ['one header of 20 kB', (socket: Socket) => void socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)],
  [
    '1,000 headers of 100 bytes',
    (socket: Socket) =>
      void socket.write(
        `HTTP/1.1 200 OK\r\n${Array.from({ length: 1_000 }, (_, i) => `x${i}: ${'y'.repeat(100)}\r\n`).join('')}\r\n`,
      ),
  ],
  [
    'headers without an end',
    (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      every(1, socket, () => socket.write(`x: ${'y'.repeat(1_000)}\r\n`))
    },
  ],
])('%s are too many', async (_what, onRequest) => {
  const server = await rawServer(onRequest)
  expect(await sendTo(server)).toEqual({
    error: 'the headers of the reply are too long',
    durationMs: expect.any(Number) as number,
  })
})

test.each([
  ['accepts and says nothing', () => {}],
  [
    'drips its status line',
    (socket: Socket) => {
      const line = [...'HTTP/1.1 200 A very long story']
      every(20, socket, () => void socket.write(line.shift() ?? '!'))
    },
  ],
  [
    'drips its headers',
    (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ')
      every(20, socket, () => socket.write('y'))
    },
  ],
  ['sends 103 Early Hints and nothing else', (socket: Socket) => void socket.write('HTTP/1.1 103 Early Hints\r\n\r\n')],
  [
    'sends 1xx replies without an end',
    (socket: Socket) => every(5, socket, () => socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n')),
  ],
])('a server that %s is cut off at the timeout', async (_what, onRequest) => {
  const delivery = await sendTo(await rawServer(onRequest), { timeoutMs: TIMEOUT_MS })
  expect(delivery.error).toBe('no reply within 0.4 s')
  expect(delivery.durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 50)
})

/** After so many writes the sender, which runs in the same event loop, has read the first ones. */
const ENOUGH_WRITES = 20

test('cuts off a dripping body at the timeout and keeps the status and partial body', async () => {
  const timeout = timeoutByHand()
  const server = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\nreceived')
    every(5, socket, (count) => {
      socket.write('.')
      if (count === ENOUGH_WRITES) timeout.pass()
    })
  })
  const { httpStatus, replyExcerpt } = await sendTo(server)
  expect([httpStatus, replyExcerpt?.slice(0, 9)]).toEqual([200, 'received.'])
})

test.each([
  ['chunks of which only the extension goes on', 'transfer-encoding: chunked\r\n\r\n1;x='],
  ['trailers without an end', 'transfer-encoding: chunked\r\ntrailer: x\r\n\r\n0\r\nx: '],
])('%s end at the timeout or sooner', async (_what, opening) => {
  const timeout = timeoutByHand()
  const server = await rawServer((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${opening}`)
    every(1, socket, (count) => {
      socket.write('y'.repeat(4_000))
      if (count === ENOUGH_WRITES) timeout.pass()
    })
  })
  expect((await sendTo(server)).httpStatus).toBe(200)
})

test.each<[string, (socket: Socket) => void, RegExp]>([
  [
    'resets the connection',
    (socket) => void socket.resetAndDestroy(),
    /^the connection (failed \(ECONNRESET\)|ended before a reply came)$/,
  ],
  [
    'resets it within the status line',
    (socket) => void socket.write('HTTP/1.1 2', () => socket.resetAndDestroy()),
    /^the connection (failed \(ECONNRESET\)|ended before a reply came)$/,
  ],
  ['hangs up', (socket) => void socket.end(), /^the connection ended before a reply came$/],
  [
    'hangs up within the headers',
    (socket) => void socket.end('HTTP/1.1 200 OK\r\nx:'),
    /^the (connection ended before a reply came|reply is not valid HTTP)$/,
  ],
  ['speaks SSH', (socket) => void socket.write('SSH-2.0-OpenSSH_9.6\r\n'), /^the reply is not valid HTTP$/],
  [
    'answers with noise',
    (socket) => void socket.write(Buffer.from([0, 255, 1, 254, 13, 10, 13, 10])),
    /^the reply is not valid HTTP$/,
  ],
  ['knows HTTP/0.9', (socket) => void socket.end('<html>hello</html>'), /^the reply is not valid HTTP$/],
  ['claims HTTP/9.9', (socket) => void socket.end('HTTP/9.9 200 OK\r\n\r\n'), /^the reply is not valid HTTP$/],
  ['gives the status 99999', (socket) => void socket.end('HTTP/1.1 99999 OK\r\n\r\n'), /^the reply is not valid HTTP$/],
  [
    'gives two lengths',
    (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxy'),
    /^the reply is not valid HTTP$/,
  ],
  [
    'gives a length and chunks',
    (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
    /^the reply is not valid HTTP$/,
  ],
  [
    'switches protocols',
    (socket) =>
      void socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
    /^the connection ended before a reply came$/,
  ],
  [
    'continues what was not paused',
    (socket) => void socket.write('HTTP/1.1 100 Continue\r\n\r\n'),
    /^the connection ended before a reply came$/,
  ],
])('a server that %s is a failed attempt, reported in our own words', async (_what, onRequest, text) => {
  const delivery = await sendTo(await rawServer(onRequest))
  expect(delivery).toEqual({ error: expect.stringMatching(text) as string, durationMs: expect.any(Number) as number })
  expect(delivery.error).not.toMatch(NO_INTERNALS)
})

test('a reply after 103 Early Hints counts', async () => {
  const server = await rawServer(
    (socket) => void socket.end('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 200 OK\r\n\r\nok'),
  )
  expect(await sendTo(server)).toMatchObject({ httpStatus: 200, replyExcerpt: 'ok' })
})

test('ignores bytes beyond a reply: they do not answer the next callback', async () => {
  let requests = 0
  const server = await started(
    listen(
      createServer(
        (socket) =>
          void socket.on('data', () => {
            requests += 1
            socket.write(
              `HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n${requests === 1 ? 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n' : ''}`,
            )
          }),
      ),
    ),
  )
  const sender = sampleSender({ policy: SANDBOX_POLICY })
  const deliveries = [
    await sender.send(callbackTo(`http://127.0.0.1:${server.port}/`)),
    await sender.send(callbackTo(`http://127.0.0.1:${server.port}/`)),
  ]
  await sender.close()
  for (const { httpStatus } of deliveries) expect(httpStatus).not.toBe(200)
})

test('characters that cannot be stored are replaced in the excerpt', async () => {
  const server = await started(
    listenHttp((_request, response) => response.end(Buffer.from([0x61, 0, 0xff, 0xed, 0xa0, 0x80, 0x62]))),
  )
  expect((await sendTo(server)).replyExcerpt).toMatch(/^a�+b$/)
})

test.each([
  ['soon', undefined],
  ['-1', undefined],
  ['7', 7_000],
  ['9999999999', 9_999_999_999_000],
  ['Infinity', undefined],
  ['1e9', undefined],
])('retry-after %j is read as %s ms', async (header, ms) => {
  const server = await started(
    listenHttp((_request, response) => response.writeHead(503, { 'retry-after': header }).end()),
  )
  const { httpStatus, retryAfterMs } = await sendTo(server)
  expect([httpStatus, retryAfterMs]).toEqual([503, ms])
})

test.each([
  ["the reply's own clock", { date: 'Mon, 05 Jan 2026 09:59:00 GMT' }, 90_000],
  ['the clock of the attempt', {}, 30_000],
])('retry-after as a date is read by %s', async (_clock, date, ms) => {
  const server = await started(
    listenHttp((_request, response) => {
      response.sendDate = false
      response.writeHead(503, { 'retry-after': 'Mon, 05 Jan 2026 10:00:30 GMT', ...date }).end()
    }),
  )
  const { retryAfterMs } = await sendTo(server, { clock: { now: () => new Date('2026-01-05T10:00:00Z') } })
  expect(retryAfterMs).toBe(ms)
})

test('a port without a listener, and an unknown name', async () => {
  const server = await started(listenHttp(() => {}))
  await server.stop()
  const sender = sampleSender({ policy: SANDBOX_POLICY })
  expect((await sender.send(callbackTo(`http://127.0.0.1:${server.port}/`))).error).toBe(
    'the connection failed (ECONNREFUSED)',
  )
  await sender.close()
  const nobody = sampleSender({ policy: SANDBOX_POLICY, network: { ...INTERNET, lookup: answering({}).lookup } })
  expect((await nobody.send(callbackTo('http://shop.example/'))).error).toBe('the name of the host was not found')
  await nobody.close()
})

test('a name whose DNS never replies is given up at the timeout', async () => {
  const sender = sampleSender({
    policy: SANDBOX_POLICY,
    timeoutMs: TIMEOUT_MS,
    network: { ...INTERNET, lookup: () => {} },
  })
  const { error } = await sender.send(callbackTo('http://shop.example/'))
  expect(error).toBe('no reply within 0.4 s')
  await sender.close()
})

test('callbacks queued behind others of their host end at the timeout too', async () => {
  const server = await rawServer(() => {})
  const sender = sampleSender({ policy: SANDBOX_POLICY, timeoutMs: TIMEOUT_MS })
  const deliveries = await Promise.all(
    Array.from({ length: 150 }, () => sender.send(callbackTo(`http://127.0.0.1:${server.port}/`))),
  )
  for (const { error } of deliveries) expect(error).toBe('no reply within 0.4 s')
  await sender.close()
  await expect.poll(() => server.connections()).toBe(0)
})

test('closing the sender ends hanging attempts as failed ones', async () => {
  const server = await rawServer(() => {})
  const sender = sampleSender({ policy: SANDBOX_POLICY, timeoutMs: PATIENT_MS })
  const hanging = Promise.all(
    Array.from({ length: 150 }, () => sender.send(callbackTo(`http://127.0.0.1:${server.port}/`))),
  )
  await expect.poll(() => server.connections()).toBe(128) // and no more than 128 to one host
  await sender.close()
  for (const { error } of await hanging) expect(error).toMatch(/^the connection (failed|ended before a reply came)$/)
  await expect.poll(() => server.connections()).toBe(0)
})

test.each([1_014, 1_024 - 20, 1_024])(
  'masks a key in the reply even where the first kilobyte ends: at byte %i',
  async (at) => {
    const server = await started(
      listenHttp((_request, response) => response.end(`${'x'.repeat(at)}SGNKYUEMYFDEHRWGPEUG${'y'.repeat(2_000)}`)),
    )
    expect((await sendTo(server)).replyExcerpt).toBe(`${'x'.repeat(at)}${'*'.repeat(20)}`.slice(0, 1_024))
  },
)

test('sends nothing, makes no attempt and retries later while there are no secrets', async () => {
  const server = await started(listenHttp((_request, response) => response.end()))
  const reference = {
    callbackSecrets: async () => {
      throw new StorageUnavailable(new Error('connect ECONNREFUSED'))
    },
    rsaSigningKey: () => ({ id: '0', privatePem: '' }),
  }
  const url = `http://127.0.0.1:${server.port}/`
  const sender = sampleSender({ policy: SANDBOX_POLICY, reference })
  const handshakes = sampleHandshakeSender({ policy: SANDBOX_POLICY, reference })
  await expect(sender.prepare(callbackTo(url))).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(handshakes.request(handshakeWith(url))).rejects.toBeInstanceOf(StorageUnavailable)
  expect(await server.connections()).toBe(0)
  await sender.close()
  await handshakes.close()
})
