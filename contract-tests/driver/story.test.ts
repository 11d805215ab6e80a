import { expect, test } from 'vitest'
import { createStory } from './story.ts'

const target = {
  url: 'http://127.0.0.1:8080',
  publicKey: 'a'.repeat(32),
  secretKey: 'b'.repeat(32),
  contract: 'openapi.json',
  sandbox: true,
}
const request = (method: string, path: string) => ({ method, path, headers: {}, body: Buffer.alloc(0) })

test('a long line has all that changed something, and the last that only read', () => {
  const story = createStory(target, '9000000000')
  for (let at = 0; at < 500; at += 1) {
    if (at % 250 === 0) story.requested(request('POST', `/payout/cancel?at=${at}`))
    story.requested(request('GET', `/data/transaction/verify/${at}`))
  }
  const line = story.line()
  expect(line.match(/-X POST/g)).toHaveLength(2)
  expect(line.match(/verify\/\d+/g)).toEqual(Array.from({ length: 20 }, (_, at) => `verify/${480 + at}`))
})
