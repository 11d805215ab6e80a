import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BODY_MAX_BYTES } from '../../http/body.ts'
import { DRAIN_MAX_BYTES, DRAIN_MAX_MS } from '../../http/drain.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { mobileMoneyCollection, uniqueReference, verify } from '../testing/requests.ts'

// Clients that send far too much get the reason. Most clients send their whole body before they read.

const MEGABYTES_3 = 3 * 1024 * 1024
const AT_ONCE = 8
const PIECE_BYTES = 65_536
const TOO_LARGE = {
  code: 413,
  status: 'error',
  message: `The request body is larger than ${BODY_MAX_BYTES} bytes`,
  reason: 'body_too_large',
  data: {},
}
const KEYS = 'public-key: pub_sandbox_demo\r\nx-api-version: 1\r\n'
const JSON_TYPE = 'content-type: application/json\r\n'
const COLLECT = `POST /collections/initialize HTTP/1.1\r\nhost: x\r\n${KEYS}${JSON_TYPE}`

const { gateway } = await gatewayTest({ env: { MALIPO_RATE_LIMIT: '100000' } })

const chunk = (part: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
const chunked = (bytes: Buffer): Buffer => {
  const pieces = Math.ceil(bytes.length / PIECE_BYTES)
  const parts = Array.from({ length: pieces }, (_, n) => bytes.subarray(n * PIECE_BYTES, (n + 1) * PIECE_BYTES))
  return Buffer.concat([...parts.map(chunk), Buffer.from('0\r\n\r\n')])
}
/** The two ways to frame a body, as bytes of a whole request. */
const FRAMINGS = [
  [
    'of an announced length',
    (head: string, body: Buffer) => Buffer.concat([Buffer.from(`${head}content-length: ${body.length}\r\n\r\n`), body]),
    `content-length: 10000000000`,
    Buffer.alloc(PIECE_BYTES, ' '),
  ],
  [
    'in chunks',
    (head: string, body: Buffer) =>
      Buffer.concat([Buffer.from(`${head}transfer-encoding: chunked\r\n\r\n`), chunked(body)]),
    'transfer-encoding: chunked',
    chunk(Buffer.alloc(PIECE_BYTES, ' ')),
  ],
] as const

const open = (): Socket => {
  const { hostname, port } = new URL(gateway.url)
  return connect({ host: hostname, port: Number(port) }).on('error', () => undefined)
}

/**
 * Writes everything, piece by piece, and only then reads.
 * @returns what arrived before the connection ended
 */
async function sendThenListen(bytes: Buffer): Promise<{ readonly status: number; readonly text: string }> {
  const socket = open().pause()
  for (let at = 0; at < bytes.length && !socket.destroyed; at += PIECE_BYTES) {
    await new Promise((resolve) => socket.write(bytes.subarray(at, at + PIECE_BYTES), resolve))
    // Let the server, in this same process, run.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const received: Buffer[] = []
  socket.on('data', (data: Buffer) => received.push(data)).resume()
  if (!socket.closed) await once(socket, 'close')
  const [head = '', text = ''] = Buffer.concat(received).toString('utf8').split('\r\n\r\n', 2)
  return { status: Number(head.split(' ', 2)[1]), text }
}

const allAtOnce = <Result>(one: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, one))

describe.each(FRAMINGS)('a body %s', (framing, framed, endless, piece) => {
  const body = Buffer.alloc(MEGABYTES_3, ' ')

  // The senders share their process with the gateway: on a busy machine its two seconds for the rest of a body would
  // pass before they have sent it.
  beforeEach(() => {
    const { setTimeout } = globalThis
    const patient = (run: () => void, ms?: number) => setTimeout(run, ms === DRAIN_MAX_MS ? 100 * ms : ms)
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(patient)
  })
  afterEach(() => void vi.restoreAllMocks())

  test.each([
    ['/collections/initialize', KEYS + JSON_TYPE, 413, JSON.stringify(TOO_LARGE)],
    ['/collections/authorize', KEYS + JSON_TYPE, 413, JSON.stringify(TOO_LARGE)],
    ['/sandbox/inbox', JSON_TYPE, 413, '"code":413'],
    [
      '/pay/collection/MLP0000000000000000000000/confirm',
      'content-type: application/x-www-form-urlencoded\r\n',
      413,
      'too much was sent at once',
    ],
    // A refusal unrelated to the size is read even when the client ends the connection.
    ['/collections/initialize', `connection: close\r\n${JSON_TYPE}`, 401, 'public-key is required'],
  ])('of 3 MB to %s, eight at a time, by senders who read last: with %j %i', async (path, headers, status, text) => {
    const bytes = framed(`POST ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}`, body)
    for (const reply of await allAtOnce(() => sendThenListen(bytes)))
      expect(reply).toEqual({ status, text: expect.stringContaining(text) as string })
  })

  test('of 3 MB by fetch gets 413', async () => {
    const post = async () => {
      const stream = () => new Blob([body]).stream()
      const init: RequestInit & { duplex: 'half' } = {
        method: 'POST',
        body: framing === 'in chunks' ? stream() : body,
        duplex: 'half',
        headers: { 'public-key': 'pub_sandbox_demo', 'x-api-version': '1', 'content-type': 'application/json' },
      }
      const response = await fetch(`${gateway.url}/collections/initialize`, init)
      return { status: response.status, body: await response.json() }
    }
    for (const reply of await allAtOnce(post)) expect(reply).toEqual({ status: 413, body: TOO_LARGE })
  })

  test('without end is cut off soon after the bound', async () => {
    const socket = open()
    socket.write(`${COLLECT}${endless}\r\n\r\n`)
    // The callback gets an error when the connection is closed.
    while (!socket.destroyed) await new Promise((resolve) => socket.write(piece, resolve))
    // The buffers at both ends come on top.
    expect(socket.bytesWritten).toBeGreaterThan(DRAIN_MAX_BYTES)
    expect(socket.bytesWritten).toBeLessThan(2 * DRAIN_MAX_BYTES)
  })

  // No reply to the payment could arrive.
  test('that is too large ends the connection: no payment behind it is carried out', async () => {
    const reference = uniqueReference()
    const payment = Buffer.from(JSON.stringify(mobileMoneyCollection({ merchant_reference: reference })))
    const both = Buffer.concat([framed(COLLECT, Buffer.alloc(BODY_MAX_BYTES + 1_000, ' ')), framed(COLLECT, payment)])
    expect(await sendThenListen(both)).toEqual({ status: 413, text: JSON.stringify(TOO_LARGE) })
    expect((await verify(gateway.url, reference)).status).toBe(404)
    // On its own this request is valid.
    expect(await sendThenListen(framed(`${COLLECT}connection: close\r\n`, payment))).toMatchObject({ status: 202 })
    expect((await verify(gateway.url, reference)).status).toBe(200)
  })
})

test('a sender who announces much and sends nothing more gets 413 and is cut off', async () => {
  const socket = open()
  const received: Buffer[] = []
  socket.on('data', (data: Buffer) => received.push(data)).write(`${COLLECT}content-length: 3000000\r\n\r\n{`)
  await once(socket, 'close')
  expect(Buffer.concat(received).toString('utf8')).toMatch(/^HTTP\/1\.1 413 /)
})

test('cuts off a client that sends requests without end and reads no reply', async () => {
  const socket = open().pause()
  const many = Buffer.from('GET /health/ready HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1_000))
  while (!socket.destroyed) await new Promise((resolve) => socket.write(many, resolve))
  expect(socket.bytesWritten).toBeLessThan(DRAIN_MAX_BYTES)
})
