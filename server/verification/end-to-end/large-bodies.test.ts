import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { mobileMoneyCollection, uniqueReference, verify } from '../testing/requests.ts'
import { BODY_MAX_BYTES } from '../../http/body.ts'
import { DRAIN_MAX_BYTES } from '../../http/drain.ts'
import { gatewayTest } from '../testing/gateway-test.ts'

// Clients that send far too much get the reason. Most clients send their whole body before they read.

const MEGABYTES_3 = 3 * 1024 * 1024
const AT_ONCE = 8
const PIECE_BYTES = 65_536
const TOO_LARGE = {
  code: 413,
  status: 'error',
  message: `The request body is larger than ${BODY_MAX_BYTES} bytes`,
  data: {},
}
const KEYS = 'public-key: pub_sandbox_demo\r\nx-api-version: 1\r\n'
const JSON_TYPE = 'content-type: application/json\r\n'

const { gateway } = await gatewayTest({ env: { MALIPO_RATE_LIMIT: '100000' } })

const chunked = (bytes: Buffer): Buffer => {
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const part = bytes.subarray(at, at + PIECE_BYTES)
    chunks.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')])
}

const open = (): Socket => {
  const { hostname, port } = new URL(gateway.url)
  return connect({ host: hostname, port: Number(port) })
}

interface HttpReply {
  readonly status: number
  readonly text: string
  /** Error code of the connection. */
  readonly error?: string
}

/**
 * Writes everything, piece by piece, and only then reads.
 * @returns what arrived before the connection ended
 */
async function sendThenListen(bytes: Buffer): Promise<HttpReply> {
  const socket = open().pause()
  let error: NodeJS.ErrnoException | undefined
  socket.on('error', (cause) => {
    error = cause
  })
  for (let at = 0; at < bytes.length && !error; at += PIECE_BYTES) {
    await new Promise((resolve) => socket.write(bytes.subarray(at, at + PIECE_BYTES), resolve))
    // Let the server, in this same process, run.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk)).resume()
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
  const [head = '', text = ''] = Buffer.concat(received).toString('utf8').split('\r\n\r\n', 2)
  return { status: Number(head.split(' ', 2)[1]), text, ...(error?.code && { error: error.code }) }
}

const allAtOnce = <Result>(one: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, one))

describe.each([
  [
    'of an announced length',
    (head: string, body: Buffer) => Buffer.concat([Buffer.from(`${head}content-length: ${body.length}\r\n\r\n`), body]),
  ],
  [
    'in chunks',
    (head: string, body: Buffer) =>
      Buffer.concat([Buffer.from(`${head}transfer-encoding: chunked\r\n\r\n`), chunked(body)]),
  ],
])('3 MB %s, eight at a time, by clients that send before they listen', (_framing, framed) => {
  const body = Buffer.alloc(MEGABYTES_3, ' ')

  test.each(['/collections/initialize', '/collections/authorize'])('%s answers 413 in the envelope', async (path) => {
    const bytes = framed(`POST ${path} HTTP/1.1\r\nhost: x\r\n${KEYS}${JSON_TYPE}`, body)
    for (let round = 0; round < 4; round += 1) {
      for (const reply of await allAtOnce(() => sendThenListen(bytes)))
        expect(reply).toEqual({ status: 413, text: JSON.stringify(TOO_LARGE) })
    }
  })
  test('reads a refusal unrelated to the size even when the client ends the connection', async () => {
    const bytes = framed(`POST /collections/initialize HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${JSON_TYPE}`, body)
    for (const reply of await allAtOnce(() => sendThenListen(bytes)))
      expect(reply).toEqual({ status: 401, text: expect.stringContaining('public-key is required') as string })
  })
  test.each([
    ['the inbox', '/sandbox/inbox', 'application/json', '"code":413'],
    [
      'the payment page',
      '/pay/collection/MLP0000000000000000000000/confirm',
      'application/x-www-form-urlencoded',
      'too much was sent at once',
    ],
  ])('%s answers 413 too', async (_page, path, type, text) => {
    const bytes = framed(`POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\n`, body)
    for (const reply of await allAtOnce(() => sendThenListen(bytes)))
      expect(reply).toEqual({ status: 413, text: expect.stringContaining(text) as string })
  })
})

test.each(['of an announced length', 'in chunks'])(
  'fetch gets 413 when it sends 3 MB %s, eight at a time',
  async (framing) => {
    const post = async () => {
      const body =
        framing === 'in chunks'
          ? new ReadableStream({
              start(controller) {
                for (let n = 0; n < 48; n += 1) controller.enqueue(new Uint8Array(65_536).fill(32))
                controller.close()
              },
            })
          : new Uint8Array(MEGABYTES_3).fill(32)
      const init: RequestInit & { duplex: 'half' } = {
        method: 'POST',
        body,
        duplex: 'half',
        headers: { 'public-key': 'pub_sandbox_demo', 'x-api-version': '1', 'content-type': 'application/json' },
      }
      const response = await fetch(`${gateway.url}/collections/initialize`, init)
      return { status: response.status, body: await response.json() }
    }
    for (let round = 0; round < 4; round += 1) {
      for (const reply of await allAtOnce(post)) expect(reply).toEqual({ status: 413, body: TOO_LARGE })
    }
  },
)

test.each([
  ['of an announced length', 'content-length: 10000000000', Buffer.alloc(65_536, ' ')],
  [
    'in chunks',
    'transfer-encoding: chunked',
    Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, ' '), Buffer.from('\r\n')]),
  ],
])('a sender without end, %s, is cut off soon after the bound', async (_framing, header, piece) => {
  const socket = open()
  socket.on('error', () => undefined)
  socket.write(`POST /collections/initialize HTTP/1.1\r\nhost: x\r\n${KEYS}${JSON_TYPE}${header}\r\n\r\n`)
  // The callback gets an error when the connection is closed.
  while (!socket.destroyed) await new Promise((resolve) => socket.write(piece, resolve))
  // The buffers at both ends come on top.
  expect(socket.bytesWritten).toBeGreaterThan(DRAIN_MAX_BYTES)
  expect(socket.bytesWritten).toBeLessThan(2 * DRAIN_MAX_BYTES)
})

test('a sender who announces much and sends nothing more gets 413 and is cut off', async () => {
  const socket = open()
  const received: Buffer[] = []
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => received.push(chunk))
  socket.write(
    `POST /collections/initialize HTTP/1.1\r\nhost: x\r\n${KEYS}${JSON_TYPE}content-length: 3000000\r\n\r\n{`,
  )
  await once(socket, 'close')
  expect(Buffer.concat(received).toString('utf8')).toMatch(/^HTTP\/1\.1 413 /)
})

test.each([
  [
    'of an announced length',
    (head: string, body: Buffer) => Buffer.concat([Buffer.from(`${head}content-length: ${body.length}\r\n\r\n`), body]),
  ],
  [
    'in chunks',
    (head: string, body: Buffer) =>
      Buffer.concat([Buffer.from(`${head}transfer-encoding: chunked\r\n\r\n`), chunked(body)]),
  ],
])('a payment behind too large a body, %s, is not carried out: no reply could arrive', async (_framing, framed) => {
  const reference = uniqueReference()
  const payment = Buffer.from(JSON.stringify(mobileMoneyCollection({ merchant_reference: reference })))
  const head = `POST /collections/initialize HTTP/1.1\r\nhost: x\r\n${KEYS}${JSON_TYPE}`
  const both = Buffer.concat([framed(head, Buffer.alloc(BODY_MAX_BYTES + 1_000, ' ')), framed(head, payment)])
  expect(await sendThenListen(both)).toEqual({ status: 413, text: JSON.stringify(TOO_LARGE) })
  expect((await verify(gateway.url, reference)).status).toBe(404)
  // On its own this request is valid.
  expect(await sendThenListen(framed(`${head}connection: close\r\n`, payment))).toMatchObject({ status: 202 })
  expect((await verify(gateway.url, reference)).status).toBe(200)
})

test('cuts off a client that sends requests without end and reads no reply', async () => {
  const socket = open().pause()
  socket.on('error', () => undefined)
  const many = Buffer.from('GET /health/ready HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1_000))
  while (!socket.destroyed) await new Promise((resolve) => socket.write(many, resolve))
  expect(socket.bytesWritten).toBeLessThan(DRAIN_MAX_BYTES)
})
