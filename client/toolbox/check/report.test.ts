import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listening, type Listening } from '../../../server/verification/testing/listening.ts'
import { temporaryFolder } from '../../../server/verification/testing/temporary-folder.ts'
import { webhooks } from '../../index.ts'
import { run } from '../testing/terminal.ts'

// The output of `check` and its exit code: for people, for programs, for CI.

const SECRET = 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=='

const { path: folder } = temporaryFolder()
let server: Server
let close: Listening['close']
let origin: string
/** The receiver's reply to a handshake; tests change it. */
let answer: (request: IncomingMessage, body: Buffer) => Promise<number> | number
/** The reply of the effects page; absent: there is none. */
let effects: (() => unknown) | undefined
/** Its reply to the announcement of an order. */
let announced: number
/** References in the order of their first message. */
let references: string[]

/** Trusts signed messages, as a correct receiver does. */
const verifying = (body: Buffer, { headers }: IncomingMessage): Promise<number> =>
  webhooks.verify(body, headers, SECRET).then(
    () => 200,
    () => 400,
  )

beforeEach(async () => {
  effects = undefined
  announced = 204
  references = []
  answer = (request, body) => {
    if (request.method === 'GET') return 405
    return request.headers['content-type']?.startsWith('application/json') ? verifying(body, request) : 415
  }
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= 64 * 1024) chunks.push(chunk)
      else if (!response.headersSent) response.writeHead(413, { connection: 'close' }).end()
    })
    const reply = async (body: Buffer): Promise<void> => {
      if (response.headersSent) return
      if (request.url !== '/effects') {
        references.push(/"merchant_reference":"([^"]+)"/.exec(body.toString())?.[1] ?? '')
        response.writeHead(await answer(request, body)).end()
      } else if (request.method === 'POST') response.writeHead(announced).end()
      else
        response
          .writeHead(effects === undefined ? 404 : 200, { 'content-type': 'application/json' })
          .end(JSON.stringify(effects?.() ?? {}))
    }
    request.on('end', () => void reply(Buffer.concat(chunks)))
  })
  ;({ url: origin, close } = await listening(server))
})
afterEach(() => close())

interface Row {
  readonly id: string
  readonly verdict: string
  readonly did: string
}
const check = (...args: readonly string[]) => run(['check', `${origin}/callbacks`, ...args], folder)
const rowsOf = (printed: readonly string[]): readonly Row[] =>
  (JSON.parse(printed.join('\n')) as { readonly rows: readonly Row[] }).rows

test('without --effects-url, rows about effects are unseen, and others are judged', async () => {
  const { exitCode, printed } = await check('--json')
  const rows = rowsOf(printed)
  expect(exitCode).toBe(0)
  expect(rows.filter(({ verdict }) => verdict === 'unseen').map(({ id }) => id)).toEqual([
    'duplicate',
    'duplicate_at_once',
    'second_id',
    'out_of_order',
    'failed',
    'other_amount',
  ])
  expect(rows.filter(({ verdict }) => verdict !== 'unseen' && verdict !== 'ok')).toEqual([
    expect.objectContaining({
      id: 'payout_out_of_order',
      verdict: 'left_out',
      did: 'no known payout: let POST to --effects-url create one',
    }),
  ])
  expect(rows).toHaveLength(23)
  expect(rows.find(({ id }) => id === 'duplicate')?.did).toContain('offer --effects-url')
})

test('--strict counts unseen rows as failures', async () => {
  expect((await check('--only', 'duplicate')).exitCode).toBe(0)
  expect((await check('--only', 'duplicate', '--strict')).exitCode).toBe(1)
})

const duplicateWithEffects = async () =>
  rowsOf((await check('--json', '--only', 'duplicate', '--effects-url', `${origin}/effects`)).printed)[0]

test('an order that the receiver knows and does not fulfil is wrong', async () => {
  effects = () => ({})
  expect(await duplicateWithEffects()).toMatchObject({
    verdict: 'wrong',
    did: expect.stringContaining('not at all') as string,
  })
})

test('an order that the receiver does not know is unseen, unless fulfilled twice', async () => {
  announced = 405
  effects = () => ({})
  expect(await duplicateWithEffects()).toMatchObject({
    verdict: 'unseen',
    did: expect.stringContaining('does not know the order') as string,
  })
  effects = () => Object.fromEntries(references.map((reference) => [reference, 2]))
  expect(await duplicateWithEffects()).toMatchObject({
    verdict: 'wrong',
    did: expect.stringContaining('2 times') as string,
  })
})

const atOnce = async (others: number, first = 204) => {
  let seen = 0
  answer = () => (seen++ === 0 ? first : others)
  return rowsOf((await check('--json', '--only', 'duplicate_at_once', '--effects-url', `${origin}/effects`)).printed)[0]
}

test.each([409, 425, 429, 500, 503])(
  'concurrent duplicates may get %i, as long as the effect is once',
  async (status) => {
    effects = () => Object.fromEntries(references.map((reference) => [reference, 1]))
    expect(await atOnce(status)).toMatchObject({ verdict: 'ok' })
    expect(await atOnce(status, status)).toMatchObject({ verdict: 'wrong' })
    effects = () => Object.fromEntries(references.map((reference) => [reference, 2]))
    expect(await atOnce(status)).toMatchObject({ verdict: 'wrong', did: expect.stringContaining('2 times') as string })
  },
)

test.each([400, 404, 410])('%i during handling is wrong: it looks like a refusal', async (status) => {
  effects = () => Object.fromEntries(references.map((reference) => [reference, 1]))
  expect(await atOnce(status)).toMatchObject({ verdict: 'wrong' })
})

test('accepts other JSON spaces and escapes; numbers stay as Malipo writes them', async () => {
  const bodies: string[] = []
  answer = (_request, body) => (bodies.push(body.toString()), 200)
  await check('--only', 'raw_bytes')
  expect(bodies).toEqual([expect.stringMatching(/^\{\n  "event".*\\u0043OLLECTION/s)])
  expect(bodies[0]).not.toMatch(/\d\.0/)
})

test.each<[string, (request: IncomingMessage) => void]>([
  ['resets the connection', (request) => void request.socket.resetAndDestroy()],
  ['closes the connection', (request) => void request.socket.destroy()],
  ['ends the connection', (request) => void request.socket.end()],
])('a receiver that stops reading a large body and %s without a reply is right', async (_how, stop) => {
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('error', () => {})
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= 64 * 1024) return
      request.pause()
      stop(request)
    })
    const reply = async () => response.writeHead(await verifying(Buffer.concat(chunks), request)).end()
    request.on('end', () => void reply())
  })
  expect(
    rowsOf((await check('--json', '--only', 'good', '--only', 'huge', '--timeout-ms', '60000')).printed).map(
      ({ id, verdict }) => `${id} ${verdict}`,
    ),
  ).toEqual(['good ok', 'huge ok'])
})

test.each<[string, unknown]>([
  ['404', undefined],
  ['a list', []],
  ['texts', { 'ORDER-1': 'once' }],
])('refuses an --effects-url that answers with %s: exit code 2', async (_name, given) => {
  effects = given === undefined ? undefined : () => given
  const { exitCode, complained } = await check('--effects-url', `${origin}/effects`)
  expect({ exitCode, complained }).toMatchObject({
    exitCode: 2,
    complained: [expect.stringContaining('--effects-url'), expect.anything()],
  })
})

test('skips a handshake without a known reference, and the report says how to add one', async () => {
  answer = () => 404
  const rows = rowsOf((await check('--json', '--handshake-url', `${origin}/handshake`)).printed).filter(({ id }) =>
    id.startsWith('handshake'),
  )
  expect(rows.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'handshake_known left_out',
    'handshake_unknown ok',
    'handshake_malformed ok',
    'handshake_forged left_out',
    'handshake_unsigned left_out',
    'handshake_old left_out',
  ])
  expect(rows[0]?.did).toContain('--known-reference')
})

test('--known-reference is the payout in the handshake', async () => {
  const requested: (string | undefined)[] = []
  answer = ({ url }) => (requested.push(url), 200)
  const { exitCode } = await check(
    '--only',
    'handshake_known',
    '--handshake-url',
    `${origin}/handshake?shop=1`,
    '--known-reference',
    'PAYOUT-2026-0001',
  )
  expect({ exitCode, asked: requested }).toEqual({
    exitCode: 0,
    asked: ['/handshake?shop=1&reference=PAYOUT-2026-0001'],
  })
})

test('the text shows for each row the rule, the result, and the reason', async () => {
  answer = () => 500
  const { exitCode, printed } = await check('--only', 'good', '--only', 'bad_signature')
  expect(exitCode).toBe(1)
  expect(printed.join('\n')).toBe(`Callbacks
✗ A good event good
    a correct receiver  answers 2xx within 15 seconds, and fulfils the order
    this one            answered 500
    why                 Malipo retries a callback that is not acknowledged for three days, then gives up.
✗ A wrong signature bad_signature
    a correct receiver  answers 4xx, and fulfils nothing
    this one            answered 500
    why                 Anybody can post to a public URL. Without this check an order is free.

0 right, 2 wrong`)
})

test('minor faults of a receiver are warnings, unless it crashes', async () => {
  answer = () => 200
  expect(
    rowsOf((await check('--json', '--only', 'get', '--only', 'media_type')).printed).map(({ verdict }) => verdict),
  ).toEqual(['warning', 'warning'])
  answer = () => 500
  expect(rowsOf((await check('--json', '--only', 'get')).printed).map(({ verdict }) => verdict)).toEqual(['wrong'])
})

test('a reply that comes too late counts as none', async () => {
  answer = () => new Promise((resolve) => setTimeout(() => resolve(200), 2_000).unref())
  const { exitCode, printed } = await check('--only', 'good', '--timeout-ms', '200', '--json')
  expect(exitCode).toBe(1)
  expect(rowsOf(printed)[0]).toMatchObject({ verdict: 'wrong', did: 'no complete reply within 200 ms' })
})

test('a receiver that acknowledges half a message is wrong', async () => {
  server.removeAllListeners('request')
  server.on('request', (request, response) => void response.writeHead(200).end(() => request.resume()))
  expect(rowsOf((await check('--only', 'slow', '--json')).printed)[0]).toMatchObject({
    verdict: 'wrong',
    did: expect.stringContaining('acknowledged half a message') as string,
  })
})

test("JUnit: wrong rows fail, unseen ones are skipped, and receivers' text is escaped", async () => {
  server.removeAllListeners('request')
  server.on(
    'request',
    (request, response) =>
      void request
        .resume()
        .on('end', () => response.writeHead(500, { 'content-type': 'text/plain' }).end('<&"\u0001]]>')),
  )
  const { exitCode } = await check('--only', 'good', '--junit', 'check.xml')
  const junit = readFileSync(join(folder, 'check.xml'), 'utf8')
  expect(exitCode).toBe(1)
  expect(junit).toContain('<testsuite name="malipo-dev check: callback" tests="1" failures="1" skipped="0">')
  expect(junit).toContain(
    '<testcase classname="callback" name="good: A good event"><failure message="answered 500 &lt;&amp;&quot;�]]&gt;">',
  )
  await check('--only', 'duplicate', '--only', 'good', '--junit', 'other.xml', '--secret', 'whsec_eA==')
  expect(readFileSync(join(folder, 'other.xml'), 'utf8').match(/<testcase /g)).toHaveLength(2)
})

test('sends to other machines only with the option that allows it', async () => {
  const { exitCode, complained } = await run(['check', 'http://192.0.2.1/callbacks', '--timeout-ms', '100'], folder)
  expect({ exitCode, complained }).toMatchObject({
    exitCode: 2,
    complained: [expect.stringContaining('which is not this machine'), expect.anything()],
  })
  expect(
    (
      await run(
        ['check', 'http://192.0.2.1/callbacks', '--timeout-ms', '200', '--only', 'good', '--allow-remote'],
        folder,
      )
    ).exitCode,
  ).not.toBe(0)
})
