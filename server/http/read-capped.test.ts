import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type RequestOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCapped, type CappedBody } from './read-capped.ts'

const BYTES_MAX = 10

let port: number
let read: (body: CappedBody) => void
const server = createServer((message, response) => {
  const answer = async (): Promise<void> => {
    const body = await readCapped(message, BYTES_MAX)
    read(body)
    response.setHeader('connection', 'close').end()
  }
  void answer()
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ;({ port } = server.address() as AddressInfo)
})
afterAll(() => server.close())

/** What `readCapped` returns for a body sent in these pieces. */
async function readOf(pieces: readonly string[], headers: RequestOptions['headers'] = {}): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<CappedBody>()
  read = resolve
  const sent = request({ port, host: '127.0.0.1', method: 'POST', headers }).on('error', () => undefined)
  for (const piece of pieces) {
    sent.write(piece)
    await new Promise(setImmediate)
  }
  sent.end()
  const body = await promise
  return Buffer.isBuffer(body) ? body.toString('utf8') : body
}

test('a body that fits is read whole, in however many pieces it comes', async () => {
  expect(await readOf(['0123456789'])).toBe('0123456789')
  expect(await readOf(['01234', '56', '789'])).toBe('0123456789')
  expect(await readOf([])).toBe('')
})

test('one byte more is too large, whether the length is announced or not', async () => {
  expect(await readOf(['01234', '567890'])).toBe('too_large')
  expect(await readOf(['01234567890'], { 'content-length': '11' })).toBe('too_large')
})

test('a body that breaks off is incomplete', async () => {
  const arrived = once(server, 'request') as Promise<[IncomingMessage]>
  const { promise, resolve } = Promise.withResolvers<CappedBody>()
  read = resolve
  const sent = request({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-length': '10' } })
  sent.on('error', () => undefined).write('01234')
  await arrived
  sent.destroy()
  expect(await promise).toBe('incomplete')
})
