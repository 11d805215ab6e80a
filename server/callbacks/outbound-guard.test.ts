import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answering, listenHttp, playedInternet, redirectedInternet, type Listening } from './testing/hostile-network.ts'
import {
  checkOutboundUrl,
  guardedAgent,
  INTERNET,
  LIVE_POLICY,
  OutboundRefused,
  SANDBOX_POLICY,
  type OutboundPolicy,
} from './outbound-guard.ts'
import { callbackTo, sampleSender } from './testing/sample-callback.ts'
import { handshakeWith, sampleHandshakeSender } from './testing/sample-handshake.ts'

/** Live mode but for https: a merchant's server without a certificate, seen by the rules for addresses. */
const PUBLIC_HTTP_POLICY: OutboundPolicy = { allowHttp: true, allowPrivateAddresses: false }
const PUBLIC = '93.184.215.14'

let server: Listening
let arrived: string[]
beforeAll(async () => {
  arrived = []
  server = await listenHttp(({ headers, url }, response) => {
    arrived.push(`${headers.host}${url}`)
    if (url?.startsWith('/to-metadata'))
      response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' })
    if (url?.startsWith('/again')) response.writeHead(308, { location: '/again' })
    response.end('ok')
  })
})
afterAll(() => server.stop())

type Answers = Parameters<typeof answering>[0]

/** The real senders with their real agents: the guard is the same for both. */
const SENDERS = {
  callback: (options: Parameters<typeof sampleSender>[0]) => {
    const { send, close } = sampleSender(options)
    return { close, to: (url: string) => send(callbackTo(url)) }
  },
  handshake: (options: Parameters<typeof sampleHandshakeSender>[0]) => {
    const { ask, close } = sampleHandshakeSender(options)
    return { close, to: (url: string) => ask(handshakeWith(url)) }
  },
} as const
type Kind = keyof typeof SENDERS
const KINDS = ['callback', 'handshake'] as const satisfies readonly Kind[]

async function deliverAs(kind: Kind, url: string, policy: OutboundPolicy, answersOf: Answers) {
  const dns = answering(answersOf)
  const network = playedInternet(dns.lookup, server.port)
  const sender = SENDERS[kind]({ policy, network })
  const before = arrived.length
  try {
    const { httpStatus, error } = await sender.to(url)
    return {
      httpStatus,
      error,
      dialled: network.dialled,
      asked: dns.asked,
      arrived: arrived.slice(before).map((target) => target.replace(/[?&]reference=ORDER-1$/, '')),
    }
  } finally {
    await sender.close()
  }
}

/**
 * One callback and one handshake, over a network that leads to `server` whatever the address. What became of them is
 * the same.
 */
async function deliver(url: string, policy: OutboundPolicy, answersOf: Answers = {}) {
  const outcome = await deliverAs('callback', url, policy, answersOf)
  expect(await deliverAs('handshake', url, policy, answersOf)).toEqual(outcome)
  return outcome
}

/** The same without the check of the URL before it: what the agent alone does when it connects. */
async function connectTo(url: string, policy: OutboundPolicy, answersOf: Answers = {}) {
  const network = playedInternet(answering(answersOf).lookup, server.port)
  const agent = guardedAgent(policy, network)
  try {
    const outcome = await request(url, { dispatcher: agent }).then(
      async ({ statusCode, body }) => (await body.dump(), statusCode),
      (error: unknown) => error,
    )
    return { outcome, dialled: network.dialled }
  } finally {
    await agent.destroy()
  }
}

const NOT_PUBLIC_IPV4 = {
  loopback: ['127.0.0.1', '127.255.255.254'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'link-local and metadata': ['169.254.0.1', '169.254.169.254', '169.254.170.2', '169.254.255.255'],
  'metadata elsewhere': ['100.100.100.200', '192.0.0.192', '168.63.129.16'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  'this network': ['0.0.0.0', '0.0.0.1', '0.255.255.255'],
  protocols: ['192.0.0.1', '192.88.99.1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1'],
  benchmarking: ['198.18.0.1', '198.19.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255'],
  reserved: ['240.0.0.1', '255.255.255.254'],
  broadcast: ['255.255.255.255'],
}

const NOT_PUBLIC_IPV6 = {
  loopback: ['::1'],
  unspecified: ['::'],
  'IPv4-mapped': [
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '0:0:0:0:0:ffff:7f00:1',
  ],
  'IPv4-compatible': ['::127.0.0.1', '::10.0.0.1', '::169.254.169.254', '::a9fe:a9fe', '::8.8.8.8'],
  'IPv4-translated': ['::ffff:0:127.0.0.1', '::ffff:0:a9fe:a9fe'],
  NAT64: [
    '64:ff9b::7f00:1',
    '64:ff9b::169.254.169.254',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '64:ff9b:1:ffff:ffff:ffff:ffff:ffff',
  ],
  '6to4': ['2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:c0a8:101::1'],
  Teredo: ['2001::1', '2001:0:7f00:1::', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'unique local and metadata': [
    'fc00::1',
    'fd00::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  ],
  'link-local': ['fe80::1', 'fe80::a9fe:a9fe', 'febf::1'],
  'site-local': ['fec0::1', 'feff::1'],
  multicast: ['ff02::1', 'ff0e::1'],
  discard: ['100::1'],
  documentation: ['2001:db8::1', '3fff::1'],
  'benchmarking, ORCHID and protocols': ['2001:2::1', '2001:10::1', '2001:20::1', '2001:1::1'],
  'segment routing': ['5f00::1'],
  'never given out': ['1::1', '200::1', '100:0:0:1::1', '4000::1', '8000::1', 'e000::1'],
}

const listed = (ranges: Readonly<Record<string, readonly string[]>>, family: string) =>
  Object.entries(ranges).flatMap(([range, addresses]) => addresses.map((address) => [range, address, family] as const))
const NOT_PUBLIC = [...listed(NOT_PUBLIC_IPV4, 'IPv4'), ...listed(NOT_PUBLIC_IPV6, 'IPv6')]

describe.each(NOT_PUBLIC)('%s: %s', (_range, address, family) => {
  const url = `https://${family === 'IPv6' ? `[${address}]` : address}/callbacks`
  const refused = expect.objectContaining({
    name: 'OutboundRefused',
    message: 'The host is not a public address',
  }) as Error

  test('is refused in live mode when it is registered, when it is connected to, and when it is sent to', async () => {
    expect(() => checkOutboundUrl(url, LIVE_POLICY)).toThrow(refused)
    expect(await connectTo(url, LIVE_POLICY)).toEqual({ outcome: refused, dialled: [] })
    expect(await deliver(url, LIVE_POLICY)).toMatchObject({
      error: 'The host is not a public address',
      dialled: [],
      arrived: [],
    })
  })

  test('is refused as the answer of a name, alone or among public addresses', async () => {
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
  'a name that is answered with "%s" is refused',
  async (answer) => {
    expect(await deliver('https://shop.example/', LIVE_POLICY, { 'shop.example': [[answer]] })).toMatchObject({
      error: 'The host is not a public address',
      dialled: [],
    })
  },
)

test('a name that is answered with no address at all is an ordinary failure', async () => {
  expect(await deliver('https://shop.example/', LIVE_POLICY, { 'shop.example': [[]] })).toMatchObject({
    error: 'the name of the host was not found',
    dialled: [],
  })
})

/** Other spellings of addresses and names that are not public, all of which the parser understands. */
const SPELLINGS = [
  // IPv4 in decimal, octal, hexadecimal, short and mixed, with leading zeros and a trailing dot
  'https://2130706433/',
  'https://017700000001/',
  'https://0x7f000001/',
  'https://0X7F000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://00000000177.0.0.1/',
  'https://127.1/',
  'https://127.0.1/',
  'https://127.0.0.1./',
  'https://0x7f.0.0x0.01/',
  'https://3232235777/',
  'https://0300.0250.0.1/',
  'https://2852039166/',
  'https://0xa9fea9fe/',
  'https://169.16689662/',
  'https://0xa9.254.0251.254/',
  'https://0/',
  'https://0x/',
  'https://10.1/',
  'https://0xA000001./',
  'https://4294967295/',
  // percent-encoded
  'https://%31%32%37.0.0.1/',
  'https://127%2e0%2e0%2e1/',
  'https://%6c%6f%63%61%6c%68%6f%73%74/',
  'https://%30x7f.1/',
  // other digits, letters and dots that IDNA maps
  'https://127.0.0.1/',
  'https://①②⑦.⓪.⓪.①/',
  'https://𝟏𝟐𝟕.𝟎.𝟎.𝟏/',
  'https://127。0。0。1/',
  'https://127.0.0.1/',
  'https://127。0.0.1/',
  'https://¹²⁷.0.0.1/',
  'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
  'https://localhost/',
  'https://ℓocalhost/',
  // IPv6 spelt differently
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[0000:0000:0000:0000:0000:0000:0000:0001]/',
  'https://[::FFFF:127.0.0.1]/',
  'https://[0:0::FfFf:7F00:1]/',
  'https://[::0:1]/',
  'https://[FE80::1]/',
  // names that are never public, in any case, with a port, with a trailing dot
  'https://localhost/',
  'https://LocalHost:8443/',
  'https://localhost./',
  'https://shop.localhost/',
  'https://a.b.LOCALHOST./',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://metadata/',
  'https://kubernetes.default.svc.cluster.local/',
  'https://intranet/',
  'https://nas.home.arpa/',
  'https://shop.invalid/',
  'https://shop.onion/',
]

test.each(SPELLINGS)(
  'live mode refuses %s when it is registered, when it is connected to, and when it is sent to',
  async (url) => {
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
  },
)

/** URLs that are wrong in themselves. The host, where there is one, would lead to a public address. */
const MALFORMED: readonly (readonly [url: string, why: RegExp])[] = [
  // other schemes, and https: without an authority
  ...[
    'http://shop.example/',
    'HTTP://shop.example/',
    'ftp://shop.example/',
    'file:///etc/passwd',
    'gopher://shop.example/_x',
    'ws://shop.example/',
    'wss://shop.example/',
    'data:text/plain,x',
    'javascript:alert(1)',
    'blob:https://shop.example/1',
    'unix:/var/run/docker.sock',
    'dict://shop.example:2628/',
    'jar:https://shop.example!/',
    'https:shop.example',
    'https:/shop.example/',
    'https:///shop.example/',
    'view-source:https://shop.example/',
  ].map((url) => [url, /must begin with https:\/\/$/] as const),
  // nothing to connect to
  ...[
    '',
    'https://',
    'https:',
    'https://?',
    'https://#',
    '//shop.example/',
    'shop.example',
    '/callbacks',
    'https://:443/',
    'https://[]/',
    'https://[::1',
    'https://[::1]x/',
    'https://[127.0.0.1]/',
    'https://[::ffff:0x7f.1]/',
    'https://[fe80::1%25eth0]/',
    'https://256.0.0.1/',
    'https://4294967296/',
    'https://1.2.3.4.5/',
    'https://0x100000000/',
    'https://127.0.0.08/',
    'https://١٢٧.0.0.1/',
    'https://shop.example%00/',
    'https://shop.example%0a/',
    'https://shop.example%20/',
    'https://shop.example%23.evil.example/',
    'https://shop<.example/',
    'https://shop^.example/',
    'https://shop|.example/',
    'https://\u{110bd}.example/',
  ].map((url) => [url, /cannot be read|must begin with|invisible/] as const),
  // ports
  ...[
    'https://shop.example:65536/',
    'https://shop.example:99999999999/',
    'https://shop.example:-1/',
    'https://shop.example:4 43/',
    'https://shop.example:443:443/',
    'https://shop.example:https/',
    'https://shop.example:０４４３/',
    'https://shop.example:1e3/',
    'https://shop.example:0x1bb/',
  ].map((url) => [url, /cannot be read|spaces/] as const),
  ...[0, 1, 21, 22, 23, 25, 53, 110, 143, 389, 465, 587, 993, 2049, 5060, 6000, 6667, 10080].map(
    (port) => [`https://shop.example:${port}/`, /^Port \d+ is not for HTTP$/] as const,
  ),
  ['https://shop.example:00025/', /^Port 25 is not for HTTP$/],
  ['https://8.8.8.8:25/', /^Port 25/],
  ['https://[2606:4700::1111]:6667/', /^Port 6667/],
  // who is who before the @
  ...[
    'https://user:pass@shop.example/',
    'https://user@shop.example/',
    'https://:pass@shop.example/',
    'https://@shop.example/',
    'https://:@shop.example/',
    'https://shop.example%2f@shop.example/',
    'https://127.0.0.1%2f@shop.example/',
    'https://8.8.8.8:443@shop.example/',
    'https://a@b@shop.example/',
    'https://shop.example&@shop.example/',
  ].map((url) => [url, /user name or password/] as const),
  // what a parser drops, repairs or reads in two ways
  ...[
    'https://shop.example/\n',
    '\thttps://shop.example/',
    ' https://shop.example/',
    'https://shop.example/ ',
    'ht\ntps://shop.example/',
    'https://sh\top.example/',
    'https://shop.example/\r\nhost: evil.example',
    'https://shop.example/\0',
    'https://shop.example\0.evil.example/',
    'https://shop.example/\u007f',
    'https://shop.example/\u0085',
    'https://shop.example/\u00a0',
    'https:\\\\shop.example\\',
    'https://shop.example\\@evil.example/',
    'https://shop.example/\\evil.example',
    'https://shop.example/\u2028',
    'https://shop\u3000.example/',
    'https://shop.example/a b',
    'https://shop.example/\ud800',
    'https://sho\u00adp.example/',
    'https://shop\u200b.example/',
    '\ufeffhttps://shop.example/',
    'https://shop.example/\u202egpj.exe',
    'https://shop\u2060.example/',
    'https://127.0.0.1\u00ad/',
    'https://loc\u00adalhost/',
    'https://127.0.0.1\n/',
  ].map((url) => [url, /must not contain/] as const),
  // names that are none
  ...[
    'https://shop..example/',
    'https://.shop.example/',
    'https://shop.example../',
    'https://./',
    `https://${'x'.repeat(64)}.example/`,
    `https://${'x.'.repeat(130)}example/`,
    "https://'shop'.example/",
    'https://*.shop.example/',
    'https://shop.example;evil.example/',
    'https://$(id).example/',
    'https://{shop}.example/',
    'https://shop!.example/',
    'https://shop~.example/',
    'https://shop,evil.example/',
  ].map((url) => [url, /not a valid name|cannot be read/] as const),
  [`https://shop.example/${'x'.repeat(2048)}`, /longer than 2048/],
  [`https://${'x'.repeat(10_000_000)}`, /longer than 2048/],
  [`https://shop.example/${'\t'.repeat(3000)}`, /longer than 2048/],
]

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

test('there are at least 80 hostile cases', () => {
  expect(
    new Set([...NOT_PUBLIC.map(([, address]) => address), ...SPELLINGS, ...MALFORMED.map(([url]) => url)]).size,
  ).toBeGreaterThanOrEqual(80)
})

/** What must keep working, and the address that is connected to. */
const PUBLIC_URLS: readonly (readonly [url: string, answer?: string])[] = [
  ['https://8.8.8.8/'],
  ['https://1.1.1.1:8443/callbacks'],
  ['https://172.15.255.255/'],
  ['https://172.32.0.1/'],
  ['https://192.167.255.255/'],
  ['https://100.63.255.255/'],
  ['https://100.128.0.1/'],
  ['https://169.253.255.255/'],
  ['https://198.17.255.255/'],
  ['https://198.20.0.1/'],
  ['https://223.255.255.254/'],
  ['https://126.255.255.255/'],
  ['https://128.0.0.1/'],
  ['https://11.0.0.1/'],
  ['https://[2606:4700::1111]/'],
  ['https://[2a00:1450:4001:81b::200e]:8443/x?y=1'],
  ['https://[2c0f:fb50:4002::1]/'],
  ['https://[2400:cb00:2048:1::c629:d7a2]/'],
  ['https://[2001:4860:4860::8888]/'],
  ['https://[::ffff:8.8.8.8]/'],
  ['https://134744072/'],
  ['https://shop.example/callbacks?x=1&y=%20z', PUBLIC],
  ['https://shop.example:443/', PUBLIC],
  ['https://shop.example:8443/', PUBLIC],
  ['https://shop.example:8080/', PUBLIC],
  ['https://shop.example:3000/', PUBLIC],
  ['https://shop.example:65535/', PUBLIC],
  ['HTTPS://Shop.Example/Callbacks', PUBLIC],
  ['https://shop.example', PUBLIC],
  ['https://shop.example./', PUBLIC],
  ['https://shop.example/#part', PUBLIC],
  ['https://shop.example/?to=https://user:pass@127.0.0.1/', PUBLIC],
  ['https://shop.example/@merchant', PUBLIC],
  ['https://duka-la-mfano.co.ug/malipo', PUBLIC],
  ['https://a_b.shop.example/', PUBLIC],
  ['https://bücher.example/', PUBLIC],
  ['https://xn--bcher-kva.example/', PUBLIC],
  ['https://متجر.example/', PUBLIC],
  ['https://商店.example/回调', PUBLIC],
  ['https://نامه‌ای.example/', PUBLIC],
  ['https://1-2-3-4.shop.example/', PUBLIC],
  ['https://127.0.0.1.shop.example/', PUBLIC],
  ['https://localhost.shop.example/', PUBLIC],
  ['https://internal.shop.example/', PUBLIC],
  ['https://local-shop.example/', PUBLIC],
  ['https://shop.example/', '2606:4700::1111'],
  [`https://${'x'.repeat(63)}.example/`, PUBLIC],
  [`https://shop.example/${'x'.repeat(2000)}`, PUBLIC],
]

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

test.each(KINDS)(
  'a name is resolved once for each connection of a %s, and the socket goes to the address that was checked',
  async (kind) => {
    const dns = answering({ 'shop.example': [[PUBLIC], ['127.0.0.1']] })
    const network = redirectedInternet(dns.lookup, server.port)
    const sender = SENDERS[kind]({ policy: PUBLIC_HTTP_POLICY, network })
    try {
      expect(await sender.to('http://shop.example/')).toMatchObject({ httpStatus: 200 })
      expect([dns.asked, network.dialled]).toEqual([['shop.example'], [PUBLIC]])
    } finally {
      await sender.close()
    }
  },
)

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
])('through the real connector: %s, answered with %s, is refused and nothing arrives', async (hostname, answer) => {
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

test.each(['/to-metadata', '/again'])('a redirect is an answer, not an instruction: %s is asked once', async (path) => {
  const delivery = await deliver(`https://shop.example${path}`, LIVE_POLICY, { 'shop.example': [[PUBLIC]] })
  expect(delivery).toMatchObject({
    httpStatus: path === '/again' ? 308 : 307,
    dialled: [PUBLIC],
    arrived: [`shop.example${path}`],
  })
})
