import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { signInTest } from '../sign-in/testing/sign-in-test.ts'

// What no route gets: paths that are no encoding, and bytes that are no request.

const { baseUrl, browser } = await signInTest()
const { host, port, hostname } = new URL(baseUrl)

/** Sends these bytes, and reads until the server closes. */
async function sent(bytes: string) {
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  const [line = '', ...headers] = head.split('\r\n')
  const header = (name: string) =>
    headers.find((each) => each.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2)
  return { status: Number(line.split(' ')[1]), header, body }
}

const get = (target: string, headers = `Host: ${host}\r\n`) =>
  sent(`GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)
const messageOf = (body: string) => (JSON.parse(body) as { readonly message: string }).message

const TOKEN = 'The token is missing, wrong or ended'
const CLOSE = `Host: ${host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`

test.each([
  ['a path that is no encoding', 400, 'The path is not valid percent-encoding', () => get('/api/merchants/%FF')],
  ['a path that ends in a percent sign', 400, 'The path is not valid percent-encoding', () => get('/api/me%')],
  ['its address in absolute form', 401, TOKEN, () => get(`${baseUrl}/api/me`)],
  ['a path that only decodes to one of it', 404, 'There is nothing at /%61pi/me', () => get('/%61pi/me')],
  ['a rare method', 405, 'SEARCH is not allowed here: use GET', () => sent(`SEARCH /api/me HTTP/1.1\r\n${CLOSE}`)],
  ['a content type that is none', 401, TOKEN, () => sent(`POST /api/people HTTP/1.1\r\nContent-Type: x\r\n${CLOSE}`)],
  ['a request without a host', 400, 'The Host header is required', () => get('/api/me', '')],
  [
    'two hosts',
    400,
    'The Host header must be given once',
    () => get('/api/me', `Host: ${host}\r\nHost: a.example\r\n`),
  ],
  ['its own address', 404, 'There is nothing at /', () => get('/api')],
  [
    'headers that are too large',
    431,
    'The request headers are too large',
    () => get('/api/me', `X: ${'x'.repeat(20_000)}\r\n`),
  ],
  ['bytes that are no request', 400, 'The request is not valid HTTP', () => sent('hello\r\n\r\n')],
  [
    'an unknown expectation',
    417,
    'Only Expect: 100-continue is understood',
    () => get('/api/me', `Host: ${host}\r\nExpect: a-cake\r\n`),
  ],
])('the admin API answers %s with its envelope', async (_what, status, message, ask) => {
  const reply = await ask()
  expect([reply.status, messageOf(reply.body)]).toEqual([status, message])
  expect(reply.header('content-type')).toBe('application/json; charset=utf-8')
  expect(reply.header('cache-control')).toBe('no-store')
})

test('the console answers a path that is no encoding with a page', async () => {
  const reply = await get('/payments/%FF')
  expect(reply.status).toBe(400)
  expect(reply.header('content-type')).toBe('text/html; charset=utf-8')
  expect(reply.header('content-security-policy')).toContain("default-src 'none'")
  expect(reply.body).toContain('<h1')
})

test.each([
  ['a form with files that is none', 'multipart/form-data', 'hello'],
  ['a form with a NUL', 'application/x-www-form-urlencoded', 'email=a%00b'],
  [
    'a form with files and a NUL',
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="email"\r\n\r\na\0b\r\n--x--\r\n',
  ],
])('the console answers %s with a page', async (_what, type, body) => {
  const reply = await fetch(`${baseUrl}/sign-in`, { method: 'POST', headers: { 'content-type': type }, body })
  expect(reply.status).toBe(400)
  expect(await reply.text()).toContain('<h1')
})

test.each(['null', '{}', '{"response":{"id":7}}', '{"response":{"id":"\\u0000"}}'])(
  'nobody signs in with the passkey %s',
  async (body) => {
    const visitor = browser()
    await visitor.get('/sign-in')
    expect((await visitor.json('/passkey', JSON.parse(body))).status).toBe(401)
  },
)

test('no two requests have one id, also of two servers', async () => {
  const ids = [(await get('/api/me')).header('x-request-id'), (await get('/api/me')).header('x-request-id')]
  expect(ids).toEqual([expect.stringMatching(/^[\w-]{16}$/), expect.stringMatching(/^[\w-]{16}$/)])
  expect(ids[0]).not.toBe(ids[1])
})
