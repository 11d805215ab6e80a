import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { createApp } from './app.ts'
import { failure } from './envelope.ts'

/** What happened, in its order. */
const handled: string[] = []
const app = createApp({
  api: {
    async handle(_message, path) {
      handled.push(path)
      return { reply: failure(404, 'There is nothing at this path'), operationId: undefined }
    },
  },
  logger: pino({ level: 'silent' }),
  random: { bytes: (size) => new Uint8Array(size) },
  routes: () => undefined,
})
await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => app.close())

/** What the server replies to these bytes until it closes the connection. */
async function answerTo(bytes: string): Promise<{ status: number; message: string; replies: number }> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(bytes)
  const said = await text(socket)
  const [head = '', body = ''] = said.split('\r\n\r\n')
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
  const { message } = JSON.parse(body.slice(0, length)) as { message: string }
  return { status: Number(head.slice(9, 12)), message, replies: said.split('HTTP/1.1 ').length - 1 }
}

const CODING = 'Transfer-Encoding must be chunked and nothing else'
const CHUNKS = '5\r\nhello\r\n0\r\n\r\n'
const BEHIND = 'GET /behind HTTP/1.1\r\nhost: x\r\n\r\n'

const ANY_MESSAGE = expect.any(String) as string

test.each<[string, string]>([
  ['gzip, chunked', CODING],
  ['gzip,chunked', CODING],
  ['identity, chunked', CODING],
  ['deflate;q=1, CHUNKED', CODING],
  // No parser finds the end of these.
  ...['gzip', 'identity', 'chunked, gzip', 'chunked, chunked', 'x'].map((coding): [string, string] => [
    coding,
    ANY_MESSAGE,
  ]),
])('Transfer-Encoding: %s is refused, and nothing behind it is executed', async (coding, message) => {
  handled.length = 0
  const head = `POST /x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: ${coding}\r\n\r\n`
  expect(await answerTo(head + CHUNKS + BEHIND)).toEqual({ status: 400, message, replies: 1 })
  expect(handled).toEqual([])
})

test('two Transfer-Encoding headers are refused, and so is one in HTTP/1.0', async () => {
  const twice = 'POST /x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n'
  expect(await answerTo(twice + CHUNKS)).toMatchObject({ status: 400, message: CODING })
  const older = `POST /x HTTP/1.0\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${CHUNKS}`
  expect(await answerTo(older)).toMatchObject({ status: 400, message: 'Transfer-Encoding needs HTTP/1.1' })
})

test('accepts chunked in any case of letters', async () => {
  handled.length = 0
  const head = 'POST /x HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: Chunked\r\n\r\n'
  expect(await answerTo(head + CHUNKS)).toMatchObject({ status: 404 })
  expect(handled).toEqual(['/x'])
})

test.each([
  'GET /x',
  'GET /x HTTP/0.9',
  'GET /x HTTP/2.0',
  'GET /x HTTP/3.0',
  'GET /x HTTP/1.2',
  'GET /x HTTPS/1.1',
  'PRI * HTTP/2.0',
])('the request line %s is refused', async (line) => {
  handled.length = 0
  expect(await answerTo(`${line}\r\nhost: x\r\n\r\n${BEHIND}`)).toMatchObject({ status: 400, replies: 1 })
  expect(handled).toEqual([])
})

test('sends the replies of requests that arrive together after all are handled', async () => {
  app.server.on('request', (_request, response) => response.once('finish', () => handled.push('replied')))
  const { port } = app.server.address() as AddressInfo
  const sockets = await Promise.all(
    [1, 2].map(async () => {
      const socket = connect(port, '127.0.0.1')
      // The first request shows that the server has accepted the connection.
      socket.write('GET /first HTTP/1.1\r\nhost: x\r\n\r\n')
      await once(socket, 'data')
      return socket
    }),
  )
  handled.length = 0
  for (const socket of sockets) socket.write('GET /x HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  await Promise.all(sockets.map((socket) => text(socket)))
  expect(handled).toEqual(['/x', '/x', 'replied', 'replied'])
})
