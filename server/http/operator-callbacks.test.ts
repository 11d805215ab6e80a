import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import type { RailCallback, Reception } from '../actions/ports/rail-callbacks.ts'
import { StorageUnavailable } from '../actions/ports/store.ts'
import { createRateLimits } from './rate-limit.ts'
import { forFile } from '../testing/for-file.ts'
import { createApp } from './app.ts'
import { operatorCallbackPath, serveOperatorCallbacks } from './operator-callbacks.ts'

const TOKEN = 'f'.repeat(40)
const TOKENS = new Map([
  ['mpesa-kenya', TOKEN],
  ['without-token', ''],
])
const ORDER = '3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11'
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
  // Nothing of the contract is asked for here.
  api: { handle: () => Promise.reject(new Error('no operation of the contract')) },
  logger: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
  random: { bytes: (size) => randomBytes(size) },
  routes: (scope) =>
    serveOperatorCallbacks(scope, {
      tokenOf: (installation) => TOKENS.get(installation),
      receive: async (callback) => {
        if (reception instanceof Error) throw reception
        received.push(callback)
        return reception
      },
      counted: (installation, what) => void counted.push([installation, what]),
      guessed: (address) => limits.pageGuess(address),
    }),
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })
await forFile(Promise.resolve({ close: () => app.close() }))

async function tell(path: string, told: RequestInit = { body: '{}' }) {
  const reply = await fetch(url + path, { method: 'POST', ...told })
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}

describe('a message', () => {
  test.each(['POST', 'PUT'] as const)('by %s is stored as it came, and acknowledged', async (method) => {
    const reply = await tell(`${PATH}/result`, { method, body: '{ "as": "it came" }' })
    expect([reply.status, JSON.parse(reply.text)]).toEqual([200, { ResultCode: 0, ResultDesc: 'Accepted' }])
    expect(received).toEqual([
      { installation: 'mpesa-kenya', orderId: ORDER, method, tail: 'result', body: '{ "as": "it came" }' },
    ])
    expect(counted).toEqual([['mpesa-kenya', 'stored']])
  })

  test('to an order id in capitals is about the same order; without a word after it there is none', async () => {
    await tell(operatorCallbackPath('mpesa-kenya', TOKEN, ORDER.toUpperCase()))
    expect(received).toEqual([{ installation: 'mpesa-kenya', orderId: ORDER, method: 'POST', body: '{}' }])
  })

  test.each(['known', 'too_many'] as const)(
    'that is not stored again (%s) is acknowledged and counted',
    async (what) => {
      reception = what
      expect((await tell(PATH)).status).toBe(200)
      expect(counted).toEqual([['mpesa-kenya', what]])
    },
  )

  test('is not acknowledged while the database is away', async () => {
    reception = new StorageUnavailable(new Error('ECONNREFUSED'))
    const { status, headers } = await tell(PATH)
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
  })

  test('without a body, or with bytes that are no text, is stored: whether it says anything is looked at later', async () => {
    expect((await tell(PATH, { body: null })).status).toBe(200)
    expect((await tell(PATH, { body: Buffer.from([0x00, 0x7b, 0x00, 0xff, 0x7d]) })).status).toBe(200)
    expect(received.map(({ body }) => body)).toEqual(['', '{\ufffd}'])
  })

  test('of 64 kB is taken, of one byte more it is not, with a length or without one', async () => {
    const most = 64 * 1024
    expect((await tell(PATH, { body: 'x'.repeat(most) })).status).toBe(200)
    expect((await tell(PATH, { body: 'x'.repeat(most + 1) })).status).toBe(413)
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

/** What is answered to bytes. @param end hangs up after them */
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

describe('whoever guesses', () => {
  test.each([
    ['another token', operatorCallbackPath('mpesa-kenya', WRONG, ORDER)],
    ['a part of the token', operatorCallbackPath('mpesa-kenya', TOKEN.slice(1), ORDER)],
    ['another installation', operatorCallbackPath('mtn-uganda', TOKEN, ORDER)],
    ['an installation without a token', operatorCallbackPath('without-token', '%00', ORDER)],
    ['a name that every object has', operatorCallbackPath('__proto__', TOKEN, ORDER)],
    ['what is no order id', operatorCallbackPath('mpesa-kenya', TOKEN, 'order-1')],
    ['an order id with NUL', operatorCallbackPath('mpesa-kenya', TOKEN, `${ORDER.slice(0, -1)}%00`)],
    ['an encoded slash', operatorCallbackPath('mpesa-kenya', TOKEN, `${ORDER}%2Fresult`)],
    ['another word', operatorCallbackPath('mpesa-kenya', TOKEN, ORDER, 'Result-1')],
  ])('learns nothing: %s', async (_what, path) => {
    const wrong = await tell(path)
    reception = 'unknown_order'
    const unknown = await tell(PATH)
    expect([wrong.status, wrong.text]).toEqual([unknown.status, unknown.text])
    expect(wrong.status).toBe(404)
    expect([...wrong.headers.keys()].toSorted()).toEqual([...unknown.headers.keys()].toSorted())
    // Nothing of the wrong one came as far as the database.
    expect(received).toHaveLength(1)
  })

  test('is slowed down, and true messages from the same address are not', async () => {
    const wrong = operatorCallbackPath('mpesa-kenya', WRONG, ORDER)
    const statuses = []
    for (let n = 0; n < 12; n += 1) statuses.push((await tell(wrong)).status)
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(404))
    expect(statuses.slice(10)).toEqual([429, 429])
    expect(Number((await tell(wrong)).headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await tell(PATH)).status).toBe(200)
    expect(received).toHaveLength(1)
  })

  test.each(['GET', 'DELETE', 'PATCH'])('by %s hears which methods there are, whatever the token', async (method) => {
    const right = await tell(PATH, { method })
    const wrong = await tell(operatorCallbackPath('mpesa-kenya', WRONG, ORDER), { method })
    expect([right.status, right.text, right.headers.get('allow')]).toEqual([
      405,
      wrong.text,
      wrong.headers.get('allow'),
    ])
    expect(right.headers.get('allow')).toContain('POST')
  })
})

test('nothing that is logged of a message has its token, its order or its text', async () => {
  await tell(PATH, { body: '{"text":"of the message"}' })
  await tell(operatorCallbackPath('mpesa-kenya', WRONG, ORDER))
  await tell(`${PATH}/%E0%A4%A`)
  const log = logged.join('')
  expect(log).toContain('/operators/:installation/:token/:order')
  for (const secret of [TOKEN, WRONG, ORDER, 'of the message']) expect(log).not.toContain(secret)
})
