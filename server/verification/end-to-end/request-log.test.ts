import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { collect, send } from '../testing/requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'

const lines: string[] = []
const logger = pino(
  { level: 'trace' },
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString())
      done()
    },
  }),
)
const { gateway } = await gatewayTest({ surroundings: { logger } })

const requestLines = () =>
  lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === 'request')

test('one line per request, with the id that is in the reply header', async () => {
  lines.length = 0
  const replies = [
    await collect(gateway.url),
    await send(gateway.url, 'GET', '/nowhere'),
    await send(gateway.url, 'GET', '/health/live'),
  ]
  expect(requestLines().map(({ reqId }) => reqId)).toEqual(replies.map(({ headers }) => headers.get('x-request-id')))
  expect(requestLines().map(({ method, route, status }) => [method, route, status])).toEqual([
    ['POST', 'initializeCollection', 202],
    ['GET', undefined, 404],
    ['GET', '/health/live', 200],
  ])
})
