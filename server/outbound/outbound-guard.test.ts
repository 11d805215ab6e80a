import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { answering, redirectedInternet } from './testing/hostile-network.ts'
import {
  checkOutboundUrl,
  guardedAgent,
  INTERNET,
  LIVE_POLICY,
  OutboundRefused,
  SANDBOX_POLICY,
} from './outbound-guard.ts'
import {
  PUBLIC_HTTP_POLICY,
  PUBLIC,
  server,
  arrived,
  SENDERS,
  KINDS,
  deliver,
  connectTo,
} from '../callbacks/testing/guarded-sending.ts'
import { NOT_PUBLIC, SPELLINGS, MALFORMED, PUBLIC_URLS } from './testing/hostile-urls.ts'

describe.each(NOT_PUBLIC)('%s: %s', (_range, address, family) => {
  const url = `https://${family === 'IPv6' ? `[${address}]` : address}/callbacks`
  const refused = expect.objectContaining({
    name: 'OutboundRefused',
    message: 'The host is not a public address',
  }) as Error

  test('is refused in live mode at registration, at connection and at sending', async () => {
    expect(() => checkOutboundUrl(url, LIVE_POLICY)).toThrow(refused)
    expect(await connectTo(url, LIVE_POLICY)).toEqual({ outcome: refused, dialled: [] })
    expect(await deliver(url, LIVE_POLICY)).toMatchObject({
      error: 'The host is not a public address',
      dialled: [],
      arrived: [],
    })
  })

  test('is refused as the address of a name, alone or among public addresses', async () => {
    for (const answer of [[address], [PUBLIC, address], [address, PUBLIC], ['2606:4700::1111', PUBLIC, address]]) {
      expect(await connectTo('https://shop.example/', LIVE_POLICY, { 'shop.example': [answer] })).toEqual({
        outcome: refused,
        dialled: [],
      })
      expect(await deliver('https://shop.example/', LIVE_POLICY, { 'shop.example': [answer] })).toMatchObject({
        error: 'The host is not a public address',
        dialled: [],
        arrived: [],
      })
    }
  })
})

test.each(['fe80::1%eth0', '2606:4700::1111%eth0', 'not an address', ''])(
  'refuses a name that resolves to "%s"',
  async (answer) => {
    expect(await deliver('https://shop.example/', LIVE_POLICY, { 'shop.example': [[answer]] })).toMatchObject({
      error: 'The host is not a public address',
      dialled: [],
    })
  },
)

test('a name that resolves to no address is an ordinary failure', async () => {
  expect(await deliver('https://shop.example/', LIVE_POLICY, { 'shop.example': [[]] })).toMatchObject({
    error: 'the name of the host was not found',
    dialled: [],
  })
})

test.each(SPELLINGS)('live mode refuses %s at registration, at connection and at sending', async (url) => {
  const leadsHere = { [URL.parse(url)!.hostname]: [['127.0.0.1']] }
  const refused = expect.objectContaining({
    name: 'OutboundRefused',
    message: expect.stringMatching(/^The host is not a public (address|name)$/) as string,
  }) as Error
  expect(() => checkOutboundUrl(url, LIVE_POLICY)).toThrow(refused)
  expect(await connectTo(url, LIVE_POLICY, leadsHere)).toEqual({ outcome: refused, dialled: [] })
  expect(await deliver(url, LIVE_POLICY, leadsHere)).toMatchObject({
    error: expect.stringMatching(/^The host is not a public (address|name)$/) as string,
    dialled: [],
    arrived: [],
    asked: [],
  })
})

test.each(MALFORMED.map(([url, why]) => [url.slice(0, 80), url, why] as const))(
  'live mode refuses %j when it is registered and when it is sent to',
  async (_shown, url, why) => {
    const hostname = URL.parse(url)?.hostname
    expect(() => checkOutboundUrl(url, LIVE_POLICY)).toThrow(
      expect.objectContaining({ name: 'OutboundRefused', message: expect.stringMatching(why) as string }),
    )
    expect(await deliver(url, LIVE_POLICY, { ...(hostname && { [hostname]: [[PUBLIC]] }) })).toMatchObject({
      error: expect.stringMatching(why) as string,
      dialled: [],
      asked: [],
      arrived: [],
    })
  },
)

test.each([
  'http://shop.example/',
  'https://shop.example:25/',
  'https://shop.example:0/',
  "https://'shop'.example/",
  'https://shop..example/',
  `https://${'x'.repeat(64)}.example/`,
])('the agent alone refuses to connect to %s', async (url) => {
  expect(await connectTo(url, LIVE_POLICY, { [new URL(url).hostname]: [[PUBLIC]] })).toEqual({
    outcome: expect.any(OutboundRefused) as unknown,
    dialled: [],
  })
})

test.each(PUBLIC_URLS.map(([url, answer]) => [url, answer] as const))(
  'live mode allows %s and sends to it',
  async (url, answer) => {
    expect(checkOutboundUrl(url, LIVE_POLICY).href).toBe(new URL(url).href)
    const { hostname } = new URL(url)
    const { httpStatus, dialled } = await deliver(url, LIVE_POLICY, answer ? { [hostname]: [[answer]] } : {})
    expect({ httpStatus, dialled }).toEqual({ httpStatus: 200, dialled: [answer ?? hostname.replace(/^\[|\]$/g, '')] })
  },
)

test.each([
  'http://127.0.0.1:3000/callbacks',
  'http://localhost/',
  'http://[::1]:8080/',
  'https://192.168.1.1/',
  'http://merchant-app:3000/',
  'http://printer.local/',
])('sandbox mode also allows %s', async (url) => {
  expect(() => checkOutboundUrl(url, SANDBOX_POLICY)).not.toThrow()
  expect(await deliver(url, SANDBOX_POLICY, { [new URL(url).hostname]: [['127.0.0.1']] })).toMatchObject({
    httpStatus: 200,
  })
})

test.each([
  'ftp://localhost/',
  'http://user:pass@localhost/',
  'http://localhost:25/',
  'http://localhost:0/',
  'http://local\thost/',
  'http:localhost',
  "http://'x'/",
])('sandbox mode refuses %j too', async (url) => {
  expect(() => checkOutboundUrl(url, SANDBOX_POLICY)).toThrow(OutboundRefused)
  expect(await deliver(url, SANDBOX_POLICY)).toMatchObject({ dialled: [], arrived: [] })
})

test.each(KINDS)('resolves once per connection of a %s and connects to the checked address', async (kind) => {
  const dns = answering({ 'shop.example': [[PUBLIC], ['127.0.0.1']] })
  const network = redirectedInternet(dns.lookup, server.port)
  const sender = SENDERS[kind]({ policy: PUBLIC_HTTP_POLICY, network })
  try {
    expect(await sender.to('http://shop.example/')).toMatchObject({ httpStatus: 200 })
    expect([dns.asked, network.dialled]).toEqual([['shop.example'], [PUBLIC]])
  } finally {
    await sender.close()
  }
})

test.each(KINDS)('a name that turns private between two attempts of a %s is refused at the second', async (kind) => {
  const dns = answering({ 'shop.example': [[PUBLIC], ['127.0.0.1']] })
  const network = redirectedInternet(dns.lookup, server.port)
  for (const outcome of [
    { httpStatus: 200 },
    { error: 'The host is not a public address' },
    { error: 'The host is not a public address' },
  ]) {
    // a new sender, so that no connection is left to reuse
    const sender = SENDERS[kind]({ policy: PUBLIC_HTTP_POLICY, network })
    expect(await sender.to('http://shop.example/')).toMatchObject(outcome)
    await sender.close()
  }
  expect(network.dialled).toEqual([PUBLIC])
})

test.each<[hostname: string, answer: string[] | undefined]>([
  ['localhost', undefined],
  ['shop.example', ['127.0.0.1']],
  ['shop.example', ['::1', '127.0.0.1']],
])('through the real connector: %s, resolved to %s, is refused and nothing arrives', async (hostname, answer) => {
  const before = arrived.length
  const { lookup } = answering({ [hostname]: [answer ?? []] })
  const agent = guardedAgent(PUBLIC_HTTP_POLICY, answer ? { ...INTERNET, lookup } : INTERNET)
  try {
    await expect(request(`http://${hostname}:${server.port}/`, { dispatcher: agent })).rejects.toThrow(
      /The host is not a public/,
    )
    await expect(request(`http://127.0.0.1:${server.port}/`, { dispatcher: agent })).rejects.toThrow(
      'The host is not a public address',
    )
    expect(arrived.length).toBe(before)
  } finally {
    await agent.destroy()
  }
})

test.each(['/to-metadata', '/again'])('a redirect is a reply, not an instruction: %s is sent once', async (path) => {
  const delivery = await deliver(`https://shop.example${path}`, LIVE_POLICY, { 'shop.example': [[PUBLIC]] })
  expect(delivery).toMatchObject({
    httpStatus: path === '/again' ? 308 : 307,
    dialled: [PUBLIC],
    arrived: [`shop.example${path}`],
  })
})
