import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type RequestOptions } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forFile } from '../verification/testing/for-file.ts'
import { listening } from '../verification/testing/listening.ts'
import type { Reply } from './envelope.ts'
import { NAMES_MAX, readNamesAndNumbers, readCapped, type CappedBody } from './body.ts'

const DECLARED = ['amount', 'currency', 'extra_params', 'extra_params.bank_code']
const read = (text: string) => readNamesAndNumbers(text, (name) => DECLARED.includes(name))
const badRequest = (message: string) =>
  expect.objectContaining({ message, reply: expect.objectContaining({ status: 400 }) as Reply }) as Error

test.each([
  ['{"amount":1,"amount":1}', 'amount'],
  ['{"amount":1,"currency":"UGX","\\u0061mount":2}', 'amount'],
  ['{"extra_params":{"bank_code":"a","bank_code":"b"}}', 'extra_params.bank_code'],
  ['{"a":[{"b":1},{"b":{"c":1,"c":2}}]}', 'a[].b.c'],
  ['[{"a":1,"a":2}]', '[].a'],
  ['{"":1,"":2}', ''],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"a":{},"a":[]}', 'a'],
  ['{"a":"\\\\","a":1}', 'a'],
  ['{"a":"\\"{,","a":1}', 'a'],
  ['{ "a" : 1 , "a" : 2 }', 'a'],
  [`{"${'x'.repeat(500)}":1,"${'x'.repeat(500)}":2}`, 'x'.repeat(64)],
])('names a name that comes twice in an object: %s', (text, name) => {
  expect(() => read(text)).toThrow(badRequest(`${name} must be given once`))
})

test('the same name in several objects is no duplicate, and neither are values', () => {
  expect(() => read('{"a":{"a":{"a":"a"}},"b":[{"a":1},{"a":2}],"c":["a","a"],"d":"\\"a\\":1,"}')).not.toThrow()
})

test('nothing that JSON.stringify writes has a name twice', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      fc.pre((text.match(/":/g) ?? []).length <= NAMES_MAX)
      expect(() => read(text)).not.toThrow()
    }),
    { numRuns: 2_000 },
  )
})

test('finds every repeated name of an object', () => {
  const name = fc.string({ unit: 'binary', maxLength: 5 })
  fc.assert(
    fc.property(name, fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (twice, one, other) => {
      const text = `{"outer":[{${JSON.stringify(twice)}:${JSON.stringify(one)},"_between":0,${JSON.stringify(twice)}:${JSON.stringify(other)}}]}`
      fc.pre((text.match(/":/g) ?? []).length <= NAMES_MAX && twice !== '_between')
      expect(() => read(text)).toThrow('must be given once')
    }),
    { numRuns: 1_000 },
  )
})

test('the numbers of the outermost object are returned digit for digit', () => {
  const numbers = read(
    '{"amount": 3000000.0000000001 ,"a":-1.50e+2,"b":"7","c":{"amount":5},"d":[6],"\\u0065":9007199254740993,"f":true}',
  )
  expect([...numbers]).toEqual([
    ['amount', '3000000.0000000001'],
    ['a', '-1.50e+2'],
    ['e', '9007199254740993'],
  ])
})

test.each([
  '',
  '{',
  '{"',
  '{"a',
  '{"a\\',
  '{"a"',
  '{"a":',
  '}',
  ']]]}}}',
  '{"a":1}}}{"a":1}',
  '"',
  '{"a" "a"}',
  '{,"a":1',
  '[',
  '{"a":"\\',
])('leaves invalid JSON to JSON.parse: %j', (text) => {
  expect(() => read(text)).not.toThrow()
})

test('stops at the first unknown name: thousands of names cost as much as a hundred', () => {
  const names = Array.from({ length: NAMES_MAX }, (_, index) => `"field_${index}":1`)
  expect(() => read(`{${names.join(',')}}`)).not.toThrow()
  // Reading stops before the last name, which would be a duplicate.
  const many = `{"amount":1,${names.join(',')},"field_0":1}`
  expect(() => read(many)).toThrow(badRequest('field_0 is not allowed'))
  expect(() => read(`{"extra_params":{"bank_code":"x",${names.join(',')}}}`)).toThrow(
    'extra_params.field_0 is not allowed',
  )
  expect(() => read(`{"extra_params":[${'{"bank_code":1},'.repeat(NAMES_MAX)}0]}`)).toThrow(
    'extra_params[].bank_code is not allowed',
  )
  expect(() => read('{"a":'.repeat(10_000))).toThrow(/^a is not allowed$/)
})

test('reads nothing that lies deeper than any field', () => {
  expect(() => read('['.repeat(60_000))).toThrow('The request body must be a JSON object')
  expect(() => read(`{"amount":1,"b":${'['.repeat(30_000)}`)).toThrow(/^b is not allowed$/)
  expect(() => read(`{"a":${'['.repeat(30)}{"b":1,"b":2}`)).toThrow('must be given once')
})

const BYTES_MAX = 10

let onBody: (body: CappedBody) => void
const server = createServer((message, response) => {
  const answer = async (): Promise<void> => {
    const body = await readCapped(message, BYTES_MAX)
    onBody(body)
    response.setHeader('connection', 'close').end()
  }
  void answer()
})
const { port } = await forFile(listening(server))

/** What `readCapped` returns for a body sent in these pieces. */
async function readOf(pieces: readonly string[], headers: RequestOptions['headers'] = {}): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<CappedBody>()
  onBody = resolve
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
  onBody = resolve
  const sent = request({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-length': '10' } })
  sent.on('error', () => undefined).write('01234')
  await arrived
  sent.destroy()
  expect(await promise).toBe('incomplete')
})
