import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { bundleUrl, readContract } from '../../openapi/reading/contract.ts'
import { present } from '../domain/present.ts'
import { startFailingHttp } from '../verification/testing/failing-http.ts'
import { forFile } from '../verification/testing/for-file.ts'

const overloaded = await forFile(startFailingHttp('overload'))
const accepting = readContract(bundleUrl).operations.filter(({ id }) =>
  ['initializeCollection', 'sendFunds'].includes(id),
)
/** Headers of HTTP itself: no contract declares them. */
const OF_HTTP = ['connection', 'content-length', 'content-type', 'date', 'keep-alive']

const post = (path: string, body: string, headers = ''): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`

/** A connection to the overloaded server; `replies` waits for so many. */
function connection() {
  const socket = connect(Number(new URL(overloaded.url).port), '127.0.0.1')
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  onTestFinished(() => void socket.destroy())
  return {
    write: (bytes: string) => void socket.write(bytes),
    async replies(count: number) {
      const heads = () => received.match(/HTTP\/1.1 \d+/g) ?? []
      await expect.poll(heads).toHaveLength(count)
      return { statuses: heads().map((head) => Number(head.slice(-3))), text: received }
    },
  }
}

async function replyTo(path: string): Promise<string> {
  const { write, replies } = connection()
  write(post(path, '{}'))
  return (await replies(1)).text
}

/** What differs between two replies in any case is replaced. */
const comparable = (reply: string): string =>
  reply.replace(/^date: .*$/im, 'Date').replace(/^x-request-id: [\w-]{16}\r$/m, 'x-request-id')

test.each(accepting)('refuses $id with the bytes of Fastify and the headers of the contract', async (operation) => {
  const reply = await replyTo(operation.path)
  expect(reply).toMatch(/^HTTP\/1.1 503 /)
  // A path with a query is left to Fastify.
  expect(comparable(reply)).toBe(comparable(await replyTo(`${operation.path}?left=to-fastify`)))
  const names = [...reply.matchAll(/^([\w-]+): /gm)].map(([, name = '']) => name.toLowerCase())
  const declared = present(
    operation.responses.find(({ status }) => status === '503'),
    'a declared 503',
  ).headers.map(({ name }) => name.toLowerCase())
  expect(names.toSorted()).toEqual([...OF_HTTP, ...declared].toSorted())
})

test('refuses before the body arrives, and keeps the connection', async () => {
  const { write, replies } = connection()
  const [head = '', body = ''] = post('/payout/send-funds', '{"half":1}').split(/(?<=\r\n\r\n)/)
  write(head)
  expect((await replies(1)).statuses).toEqual([503])
  write(body + post('/payout/send-funds', '{}'))
  expect((await replies(2)).statuses).toEqual([503, 503])
})

test('refuses a pipelined payment after the reply to the request before it', async () => {
  const { write, replies } = connection()
  const before = 'GET /nowhere HTTP/1.1\r\nhost: x\r\n\r\n'
  write(before + post('/collections/initialize', '{}') + before)
  expect((await replies(3)).statuses).toEqual([404, 503, 404])
})

test.each([
  ['of an ambiguous length', 'transfer-encoding: gzip\r\n', 400],
  ['that closes its connection', 'connection: close\r\n', 503],
])('leaves a payment %s to Fastify', async (_what, headers, status) => {
  const { write, replies } = connection()
  write(post('/collections/initialize', '{}', headers))
  const { statuses, text } = await replies(1)
  expect(statuses).toEqual([status])
  expect(text).toMatch(/^connection: close\r$/im)
})
