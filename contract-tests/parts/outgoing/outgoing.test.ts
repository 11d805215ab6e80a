import { describe, expect, test } from 'vitest'
import type { Target } from '../../harness/part.ts'
import type { ProxyOptions, WireRequest } from '../../harness/proxy.ts'
import { changingProxyTest } from '../../harness/testing/changing-proxy.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { rulesAround } from '../../rules/around.ts'
import { faultNamed } from '../../strength/faults/all.ts'
import { worldAround } from '../../strength/faults/world.ts'
import { REQUESTS, runOutgoing } from './outgoing.ts'

type Hooks = Pick<ProxyOptions, 'onRequest' | 'onReply'>
let planted: Hooks = {}

const { gateway } = await ownGatewayTest()
const api = await changingProxyTest(gateway.url, () => planted)
const target: Target = { ...gateway, url: api.url }
let seed = 0

/** Findings of the part and of the rules about a gateway with these edits. */
async function play(hooks: Hooks, ...requested: readonly (keyof typeof REQUESTS)[]): Promise<readonly string[]> {
  planted = hooks
  const watched = await rulesAround(target)
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
    return [...new Set(findings.map(({ about, what }) => `${about}: ${what}`))]
  } finally {
    await watched.close()
  }
}

const pathOf = ({ path }: WireRequest): string => path.split('?', 1)[0] ?? ''
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
const named = (fault: string): Hooks => faultNamed(fault).plant(worldAround(() => gateway.url, 9)).api ?? {}

/** Two hundred requests, which take time on a busy machine. */
const timeout = 120_000

// suite.pull-request.test.ts shows that our own gateway has no finding.

describe('reports a wrong server once:', () => {
  test.each<[string, keyof typeof REQUESTS, Hooks, string]>([
    ['serves figures', 'hidden', named('metrics-open'), 'hidden paths: /metrics is answered 200'],
    [
      'serves another key by its id',
      'keys',
      named('key-by-id-is-another'),
      'RSA keys: the RSA key that signs now is another one, or none, by its own id',
    ],
    ['names its program', 'keys', named('server-named'), 'has a header server, which names the program'],
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
      'keeps a fragment out',
      'redirects',
      leading((address) => address.replace(/#.*/, '')),
      'customerRedirect: a redirect has another fragment',
    ],
    [
      'drops a user name from the address',
      'refused',
      taking((url) => url.replace(/^(https:\/\/)[^/]*@/, '$1')),
      'initializeCollection: a redirect_url that leads elsewhere than it seems to',
    ],
  ])('%s', { timeout }, async (_name, requested, hooks, what) => {
    const said = await play(hooks, requested)
    expect(said).toContainEqual(expect.stringContaining(what))
    expect(said.length).toBeLessThan(5)
  })
})
