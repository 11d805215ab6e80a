import { exec } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { curlLine, withoutKeys, type Redact } from '../curl.ts'
import { listen } from '../listen.ts'
import { passOn, startProxy, wireRequest, type WireReply, type WireRequest } from '../proxy.ts'
import { freshLine } from './fresh-line.ts'
import { createHistory } from './history.ts'

const keys = { publicKey: 'pub_sandbox_demo', secretKey: 'sec_sandbox_demo' }
const hide: Redact = (text, asVariable) => withoutKeys(text, keys, asVariable)
const OK: WireReply = { status: 200, headers: {}, body: Buffer.from('{}') }

/** A server that remembers requests, and a proxy in front of it that remembers them for lines. */
async function serverOf(answer: (request: WireRequest, before: readonly WireRequest[]) => WireReply) {
  const came: WireRequest[] = []
  const history = createHistory()
  const take = async (incoming: IncomingMessage): Promise<WireReply> => {
    const { method = '', url: path = '', headersDistinct: headers } = incoming
    const request = { method, path, headers, body: await buffer(incoming) }
    const reply = answer(request, came)
    came.push(request)
    return reply
  }
  const server = await listen(
    createServer((incoming, outgoing) => {
      void take(incoming).then(({ status, body }) => outgoing.writeHead(status).end(body))
    }),
  )
  const proxy = await startProxy({ to: server.url, onExchange: history.record })
  onTestFinished(async () => {
    await proxy.close()
    await server.close()
  })
  const send = (request: WireRequest) => passOn(new URL(proxy.url), request)
  const lineOf = (request: WireRequest): string =>
    freshLine(curlLine({ url: proxy.url, hide }, request), history, { url: proxy.url, hide })
  return { came, send, lineOf }
}

/** Pastes a line into a shell, with the keys in the environment. @returns what it printed */
const pasted = (line: string, shell = 'sh'): Promise<string> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, PUBLIC_KEY: keys.publicKey, SECRET_KEY: keys.secretKey }
    exec(line, { shell: `/bin/${shell}`, env }, (_error, out) => resolve(out))
  })

const headers = { 'public-key': keys.publicKey, 'content-type': 'application/json' }
const initialize = (body: object, more: Readonly<Record<string, string>> = {}) =>
  wireRequest('POST', '/collections/initialize', { ...headers, ...more }, body)
const textsOf = (requests: readonly WireRequest[]): string[] => requests.map(({ body }) => body.toString())
const referenceIn = (request: WireRequest | undefined): unknown =>
  (JSON.parse(request?.body.toString() ?? '{}') as { merchant_reference?: unknown }).merchant_reference

test.each(['sh', 'bash'])(
  '%s: a line repeats a request with a new reference each time and nothing else new',
  async (shell) => {
    const { came, send, lineOf } = await serverOf(() => OK)
    const request = initialize({ merchant_reference: 'RECEIVER-1-1-0001', note: "it's 100%" })
    await send(request)
    const line = lineOf(request)
    expect(line).not.toContain(keys.publicKey)
    for (let again = 0; again < 2; again++) await pasted(line, shell)
    const references = came.map(referenceIn)
    expect(new Set(references).size).toBe(3)
    for (const reference of references) expect(reference).toMatch(/^[A-Z0-9]{8}-1-1-0001$/)
    expect(textsOf(came)[2]).toContain(`"note":"it's 100%"`)
    expect(came[2]!.headers['public-key']).toEqual([keys.publicKey])
  },
)

test('keeps a reference that is too short or has an invalid ending', async () => {
  const { came, send, lineOf } = await serverOf(() => OK)
  for (const wrong of ['SHORT', 'M1.0-AB:', 'auto']) {
    const request = initialize({ merchant_reference: wrong })
    await send(request)
    await pasted(lineOf(request))
    expect(referenceIn(came.at(-1))).toBe(wrong)
  }
})

test('keeps differences in the last letters or in case', async () => {
  const { came, send, lineOf } = await serverOf(() => OK)
  const twice = ['OTHERS-ABC00000001', 'others-abc00000001'].map((merchant_reference) =>
    initialize({ merchant_reference }),
  )
  for (const request of twice) await send(request)
  await pasted(lineOf(twice[1]!))
  const [one, other] = came.slice(2).map(referenceIn).map(String)
  expect(one).not.toBe(other)
  expect(one!.toLowerCase()).toBe(other)
})

test('queries a reference generated for "auto" under the next generated one', async () => {
  let count = 0
  const { came, send, lineOf } = await serverOf(({ method }) =>
    method === 'POST'
      ? { ...OK, body: Buffer.from(JSON.stringify({ data: { merchant_reference: `MREF5T4XS68S935M7TZ${count++}` } })) }
      : OK,
  )
  await send(initialize({ merchant_reference: 'auto' }))
  const verify = wireRequest('GET', '/data/transaction/verify/MREF5T4XS68S935M7TZ0', { 'public-key': keys.publicKey })
  await send(verify)
  await pasted(lineOf(verify))
  expect(referenceIn(came.at(-2))).toBe('auto')
  expect(came.at(-1)!.path).toBe('/data/transaction/verify/MREF5T4XS68S935M7TZ1')
})

test.each([
  ['bytes that are no text', Buffer.from([0, 1, 255, 37, 92, 39, 10, 13, 195])],
  ['a body of one letter over and over', Buffer.from(`{"note":"${'x'.repeat(70_000)}"}`)],
])('%s arrive unchanged', async (_what, body) => {
  const { came, send, lineOf } = await serverOf(() => OK)
  const request = wireRequest('POST', '/collections/initialize', headers, body)
  await send(request)
  await pasted(lineOf(request))
  expect(came[1]!.body.equals(body)).toBe(true)
})
