import { describe, expect, test } from 'vitest'
import type { PartResult, Target } from '../../harness/part.ts'
import type { ProxyOptions, WireReply, WireRequest } from '../../harness/proxy.ts'
import { changingProxyTest } from '../../harness/testing/changing-proxy.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { watchAround } from '../../harness/watch/around.ts'
import { REQUESTS, runOutgoing } from './outgoing.ts'

type Hooks = Pick<ProxyOptions, 'onRequest' | 'onReply'>
let planted: Hooks = {}

const { gateway } = await ownGatewayTest()
const api = await changingProxyTest(gateway.url, () => planted)
const target: Target = { ...gateway, url: api.url }
let seed = 0

/** Findings of the part and of the watch about a gateway with these edits. */
async function play(
  hooks: Hooks,
  ...requested: readonly (keyof typeof REQUESTS)[]
): Promise<{ readonly part: PartResult; readonly said: string[] }> {
  planted = hooks
  const watched = await watchAround(target)
  try {
    const options = {
      seed: (seed += 1),
      size: 'pull-request',
      log: () => undefined,
    } as const
    const part = await runOutgoing(
      watched.target,
      options,
      requested.map((name) => REQUESTS[name]),
    )
    const findings = [...part.findings, ...(watched.result()?.findings ?? [])]
    return { part, said: [...new Set(findings.map(({ about, what }) => `${about}: ${what}`))] }
  } finally {
    await watched.close()
  }
}

const pathOf = ({ path }: WireRequest): string => path.split('?', 1)[0] ?? ''
const text = (body: string, type = 'text/plain'): WireReply => ({
  status: 200,
  headers: { 'content-type': [type], 'content-length': [String(Buffer.byteLength(body))] },
  body: Buffer.from(body),
})
const answering = (path: string, reply: WireReply): Hooks => ({
  onRequest: (request) => (pathOf(request) === path ? { answer: reply } : request),
})
/** Changes the address that pages redirect to. */
const leading = (change: (address: string) => string): Hooks => ({
  onReply: (reply) => {
    const [location] = reply.headers.location ?? []
    if (location === undefined || location.startsWith('/')) return reply
    return { ...reply, headers: { ...reply.headers, location: [change(location)] } }
  },
})
/** Changes the `redirect_url` that a client sends. */
const taking = (change: (url: string) => string): Hooks => ({
  onRequest: (request) => {
    if (pathOf(request) !== '/collections/initialize') return request
    const { redirect_url: url, ...body } = JSON.parse(request.body.toString('utf8')) as {
      readonly redirect_url: string
    }
    const changed = Buffer.from(JSON.stringify({ ...body, redirect_url: change(url) }))
    return { ...request, headers: { ...request.headers, 'content-length': [String(changed.length)] }, body: changed }
  },
})
const ANOTHER_KEY = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAk8MPAutioYsx3KzWOmqw
exDweFVqH5JltWYAkQocsK38Rx9jEahJ52OR28W/EIP59Wliw/qiRmt2RLlvxFqD
vt62+pSm7Ay8zmPcAy7swMJ/WUaBbwvrrNC2BJmcxeBNJ90zGsEChCXGT584Azc/
Xj+uXRnEVyQnUM7BcFnmeHsHgOyOCT3D5urvPO0DJgWR+J8XcRuOWrnd4NobViJf
9NC64umR9QpdiGpLQhbj9eeNgBngSFdLlyOEHkJJDCM3EkR9+nBCNH0uDxsQqx+7
wlBQO42TdJ4LXTkuwWT2qU2HP4RN8LDmmjzOkgzYoJ7wPhT4bnFEKIuL7K5nbiX9
PQIDAQAB
-----END PUBLIC KEY-----
`

/** Two hundred requests, which take time on a busy machine. */
const timeout = 120_000

test('our own gateway has no finding, from the part and from the watch', { timeout }, async () => {
  const { part, said } = await play({}, 'hidden', 'keys', 'refused', 'redirects')
  expect(said).toEqual([])
  expect(part).toMatchObject({ status: 'passed' })
  expect(part.cases).toBeGreaterThan(200)
})

describe('reports a wrong server once:', () => {
  test.each<[string, keyof typeof REQUESTS, Hooks, string]>([
    [
      'serves its environment',
      'hidden',
      answering('/.env', text('DATABASE_URL=postgres://')),
      'hidden paths: /.env is answered 200, not 404',
    ],
    [
      'serves figures',
      'hidden',
      answering('/metrics', text('requests_total 7')),
      'hidden paths: /metrics is answered 200',
    ],
    [
      'has a door for who has keys',
      'hidden',
      {
        onReply: (reply, request) =>
          pathOf(request) === '/admin' && request.headers['secret-key'] ? { ...reply, status: 403 } : reply,
      },
      'hidden paths: /admin is answered 403',
    ],
    [
      'serves another key by its id',
      'keys',
      {
        onReply: (reply, request) =>
          /malipo-rsa\/[^/]+\.pem$/.test(request.path) && reply.status === 200
            ? { ...reply, ...text(ANOTHER_KEY) }
            : reply,
      },
      'RSA keys: the RSA key that signs now is another one, or none, by its own id',
    ],
    [
      'keeps a fragment out',
      'redirects',
      leading((address) => address.replace(/#.*/, '')),
      'customerRedirect: a redirect has another fragment',
    ],
    [
      'writes the address again',
      'redirects',
      leading((address) => new URL(address).href.replaceAll('%20', '+')),
      'customerRedirect: a redirect ',
    ],
    [
      'drops a user name from the address',
      'refused',
      taking((url) => url.replace(/^(https:\/\/)[^/]*@/, '$1')),
      'initializeCollection: a redirect_url that leads elsewhere than it seems to',
    ],
    [
      'names its program',
      'keys',
      { onReply: (reply) => ({ ...reply, headers: { ...reply.headers, server: ['malipo/0.2.0'] } }) },
      'has a header server, which names the program',
    ],
  ])('%s', { timeout }, async (_name, requested, hooks, what) => {
    const { said } = await play(hooks, requested)
    expect(said).toContainEqual(expect.stringContaining(what))
    expect(said.length).toBeLessThan(5)
  })
})
