import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import type { RailCallback, Reception } from '../actions/ports/rail-callbacks.ts'
import { StorageUnavailable } from '../actions/ports/store.ts'
import { orderToken, RETIRED_KEY_GRACE_MS, type CallbackKeys } from '../domain/callback-tokens.ts'
import { createRateLimits } from './rate-limit.ts'
import { forFile } from '../verification/testing/for-file.ts'
import { createApp } from './app.ts'
import { operatorCallbackPath, serveOperatorCallbacks, type OperatorAddresses } from './operator-callbacks.ts'

const ORDER = '3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11'
const OTHER_ORDER = '3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a12'
const NOW = new Date('2026-03-02T08:00:00Z')
const RETIRED_AT = new Date('2026-03-01T08:00:00Z')
const KEYS: CallbackKeys = {
  keys: [
    { id: '0badcafe', secret: 'f00d' },
    { id: '0ddba115', secret: 'cafe', retiredAt: RETIRED_AT },
  ],
}
const ADDRESSES = new Map<string, OperatorAddresses>([
  ['mpesa-kenya', { keys: KEYS, tails: ['', 'result', 'time_out'] }],
  ['mtn-uganda', { keys: KEYS, tails: ['collection'] }],
  ['without-key', { keys: { keys: [] }, tails: [''] }],
  ['of-unknown-kind', { keys: KEYS }],
])
/** Before any key is retired. */
const AT = new Date(0)
const tokenOf = (railAccount: string, orderId = ORDER, keys: CallbackKeys = { keys: KEYS.keys.slice(0, 1) }): string =>
  orderToken(keys, { railAccount, orderId }, AT)!
const TOKEN = tokenOf('mpesa-kenya')
const PATH = operatorCallbackPath('mpesa-kenya', TOKEN, ORDER)

let received: RailCallback[]
let counted: [string, string][]
let reception: Reception | Error
let limits: ReturnType<typeof createRateLimits>
const logged: string[] = []
beforeEach(() => {
  received = []
  counted = []
  reception = 'stored'
  limits = createRateLimits({ perMerchant: 1, perAddress: 1 })
  logged.length = 0
})

const app = createApp({
  // This test calls no operation of the contract.
  api: { handle: () => Promise.reject(new Error('no operation of the contract')) },
  logger: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
  random: { bytes: (size) => randomBytes(size) },
  routes: (scope) =>
    serveOperatorCallbacks(scope, {
      addressesOf: (railAccount) => ADDRESSES.get(railAccount),
      now: () => NOW,
      receive: async (callback) => {
        if (reception instanceof Error) throw reception
        received.push(callback)
        return reception
      },
      answerQuestion: async (_railAccount, { body }) => (body === '{}' ? undefined : '{"ResultCode":"0"}'),
      counted: (railAccount, what) => void counted.push([railAccount, what]),
      guessed: (address) => limits.pageGuess(address),
    }),
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })
await forFile(Promise.resolve({ close: () => app.close() }))

async function report(path: string, reported: RequestInit = { body: '{}' }) {
  const reply = await fetch(url + path, { method: 'POST', ...reported })
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}

describe('a message', () => {
  test.each(['POST', 'PUT'] as const)('by %s is stored as it came, and acknowledged', async (method) => {
    const reply = await report(`${PATH}/result`, { method, body: '{ "as": "it came" }' })
    expect([reply.status, JSON.parse(reply.text)]).toEqual([200, { ResultCode: 0, ResultDesc: 'Accepted' }])
    expect(received).toEqual([
      { railAccount: 'mpesa-kenya', orderId: ORDER, method, tail: 'result', body: '{ "as": "it came" }' },
    ])
    expect(counted).toEqual([['mpesa-kenya', 'stored']])
  })

  test('to an order id in capitals is of the same order; its last word is optional', async () => {
    await report(operatorCallbackPath('mpesa-kenya', TOKEN, ORDER.toUpperCase()))
    expect(received).toEqual([{ railAccount: 'mpesa-kenya', orderId: ORDER, method: 'POST', body: '{}' }])
  })

  test('at an address with a slash at its end has no word', async () => {
    expect((await report(`${PATH}/`)).status).toBe(200)
    expect(received).toEqual([{ railAccount: 'mpesa-kenya', orderId: ORDER, method: 'POST', body: '{}' }])
    expect((await report(operatorCallbackPath('mtn-uganda', tokenOf('mtn-uganda'), ORDER, ''))).status).toBe(404)
  })

  test('that is stored already is acknowledged and counted', async () => {
    reception = 'known'
    expect((await report(PATH)).status).toBe(200)
    expect(counted).toEqual([['mpesa-kenya', 'known']])
  })

  test('that is one too many is counted, and never acknowledged: it is not stored', async () => {
    reception = 'too_many'
    const { status, headers, text } = await report(PATH)
    expect([status, headers.get('retry-after')]).toEqual([503, '600'])
    expect(JSON.parse(text)).toMatchObject({ message: 'Too many messages about this order: try again later' })
    expect(counted).toEqual([['mpesa-kenya', 'too_many']])
  })

  test('by a retired key is accepted for earlier orders only', async () => {
    const retired = tokenOf('mpesa-kenya', ORDER, { keys: KEYS.keys.slice(1) })
    expect((await report(operatorCallbackPath('mpesa-kenya', retired, ORDER))).status).toBe(200)
    expect(received).toMatchObject([{ orderedUntilMs: RETIRED_AT.getTime() + RETIRED_KEY_GRACE_MS }])
  })

  test("is accepted at its kind's words, and at any word of an unknown kind", async () => {
    const statusAt = async (railAccount: string, tail?: string) =>
      (await report(operatorCallbackPath(railAccount, tokenOf(railAccount), ORDER, tail))).status
    expect([await statusAt('mpesa-kenya'), await statusAt('mpesa-kenya', 'time_out')]).toEqual([200, 200])
    expect([await statusAt('mtn-uganda'), await statusAt('mtn-uganda', 'collection')]).toEqual([404, 200])
    expect([await statusAt('of-unknown-kind'), await statusAt('of-unknown-kind', 'any_word')]).toEqual([200, 200])
    expect(await statusAt('of-unknown-kind', 'Any-Word')).toBe(404)
  })

  test('is not acknowledged while the database is away', async () => {
    reception = new StorageUnavailable(new Error('ECONNREFUSED'))
    const { status, headers } = await report(PATH)
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
  })

  test('is stored without a body or text; its job decides what it says', async () => {
    expect((await report(PATH, { body: null })).status).toBe(200)
    expect((await report(PATH, { body: Buffer.from([0x00, 0x7b, 0x00, 0xff, 0x7d]) })).status).toBe(200)
    expect(received.map(({ body }) => body)).toEqual(['', '{\ufffd}'])
  })

  test('of 64 kB is accepted, one byte more is not, with a length or without one', async () => {
    const most = 64 * 1024
    expect((await report(PATH, { body: 'x'.repeat(most) })).status).toBe(200)
    expect((await report(PATH, { body: 'x'.repeat(most + 1) })).status).toBe(413)
    expect(await spoken([`POST ${PATH} HTTP/1.1`, 'transfer-encoding: chunked'], chunks('x'.repeat(most + 1)))).toMatch(
      /^HTTP\/1.1 413 /,
    )
    expect(received).toHaveLength(1)
  })

  test('that breaks off is not stored', async () => {
    await spoken([`POST ${PATH} HTTP/1.1`, 'content-length: 100'], '{"half":', true)
    expect(received).toEqual([])
  })
})

const chunks = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`

/** The reply to these bytes. @param end closes our half of the connection after them */
const spoken = (head: readonly string[], body: string, end = false): Promise<string> =>
  new Promise((resolve) => {
    const { port } = new URL(url)
    let answer = ''
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write([...head, 'host: 127.0.0.1', 'connection: close', '', body].join('\r\n'))
      if (end) socket.destroy()
    })
    socket.on('data', (data) => (answer += String(data)))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
  })

const WRONG = 'e'.repeat(40)

describe('a guesser', () => {
  test.each([
    ['another token', operatorCallbackPath('mpesa-kenya', WRONG, ORDER)],
    ['a part of the token', operatorCallbackPath('mpesa-kenya', TOKEN.slice(1), ORDER)],
    ['another rail account', operatorCallbackPath('mtn-uganda', TOKEN, ORDER, 'collection')],
    ['a rail account that is not there', operatorCallbackPath('mtn-ghana', TOKEN, ORDER)],
    ["another order's token", operatorCallbackPath('mpesa-kenya', tokenOf('mpesa-kenya', OTHER_ORDER), ORDER)],
    ['the token of another order at this one', operatorCallbackPath('mpesa-kenya', TOKEN, OTHER_ORDER)],
    ['a rail account without a key', operatorCallbackPath('without-key', '%00', ORDER)],
    ['an unknown key', operatorCallbackPath('without-key', tokenOf('without-key'), ORDER)],
    ['a token with a byte in front', operatorCallbackPath('mpesa-kenya', `%00${TOKEN}`, ORDER)],
    ['a token in capitals', operatorCallbackPath('mpesa-kenya', TOKEN.toUpperCase(), ORDER)],
    ['a word of another kind', operatorCallbackPath('mpesa-kenya', TOKEN, ORDER, 'collection')],
    ['a word that every object has', operatorCallbackPath('mpesa-kenya', TOKEN, ORDER, 'constructor')],
    ['a word with a byte behind it', operatorCallbackPath('mpesa-kenya', TOKEN, ORDER, 'result%00')],
    ['a name that every object has', operatorCallbackPath('__proto__', TOKEN, ORDER)],
    ['text that is no order id', operatorCallbackPath('mpesa-kenya', TOKEN, 'order-1')],
    ['an order id with NUL', operatorCallbackPath('mpesa-kenya', TOKEN, `${ORDER.slice(0, -1)}%00`)],
    ['an encoded slash', operatorCallbackPath('mpesa-kenya', TOKEN, `${ORDER}%2Fresult`)],
    ['another word', operatorCallbackPath('mpesa-kenya', TOKEN, ORDER, 'Result-1')],
  ])('learns nothing: %s', async (_what, path) => {
    const wrong = await report(path)
    reception = 'unknown_order'
    const unknown = await report(PATH)
    expect([wrong.status, wrong.text]).toEqual([unknown.status, unknown.text])
    expect(wrong.status).toBe(404)
    expect([...wrong.headers.keys()].toSorted()).toEqual([...unknown.headers.keys()].toSorted())
    // The request to the wrong address never reached the database.
    expect(received).toHaveLength(1)
  })

  test('is refused while the database is away', async () => {
    reception = new StorageUnavailable(new Error('ECONNREFUSED'))
    expect((await report(operatorCallbackPath('mpesa-kenya', WRONG, ORDER))).status).toBe(404)
    expect((await report(PATH)).status).toBe(503)
  })

  test('is slowed down, and true messages from the same address are not', async () => {
    const wrong = operatorCallbackPath('mpesa-kenya', WRONG, ORDER)
    const statuses = []
    for (let n = 0; n < 12; n += 1) statuses.push((await report(wrong)).status)
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(404))
    expect(statuses.slice(10)).toEqual([429, 429])
    expect(Number((await report(wrong)).headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await report(PATH)).status).toBe(200)
    expect(received).toHaveLength(1)
  })

  test.each(['GET', 'DELETE', 'PATCH'])('by %s gets the list of methods, whatever the token', async (method) => {
    const right = await report(PATH, { method })
    const wrong = await report(operatorCallbackPath('mpesa-kenya', WRONG, ORDER), { method })
    expect([right.status, right.text, right.headers.get('allow')]).toEqual([
      405,
      wrong.text,
      wrong.headers.get('allow'),
    ])
    expect(right.headers.get('allow')).toContain('POST')
  })
})

test('no log line about a message has its token, order or text', async () => {
  await report(PATH, { body: '{"text":"of the message"}' })
  await report(operatorCallbackPath('mpesa-kenya', WRONG, ORDER))
  await report(`${PATH}/%E0%A4%A`)
  const log = logged.join('')
  expect(log).toContain('/operators/:railAccount/:token/:order')
  for (const secret of [TOKEN, WRONG, ORDER, 'of the message']) expect(log).not.toContain(secret)
})
