import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, sign } from 'node:crypto'
import { promises } from 'node:dns'
import { closeSync, mkdtempSync, open as openFile, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { listenDns, listenHttp, redirectedInternet, type HostileServer, type Zone } from './testing/hostile-network.ts'
import { SANDBOX_POLICY, type OutboundPolicy } from './outbound-guard.ts'
import { boundedSystemLookup, dnsLookup, type Lookup } from './resolve-names.ts'
import { callbackTo, sampleSender } from '../callbacks/testing/sample-callback.ts'
import { handshakeWith, sampleHandshakeSender } from '../callbacks/testing/sample-handshake.ts'

/** Live mode except that http is allowed: a merchant's server without a certificate, checked by the address rules. */
const PUBLIC_HTTP_POLICY: OutboundPolicy = { allowHttp: true, allowPrivateAddresses: false }
const PUBLIC = '93.184.215.14'
const PUBLIC_6 = '2606:4700::1111'

let merchant: HostileServer
const stops: (() => Promise<void>)[] = []
beforeAll(async () => {
  merchant = await listenHttp((_request, response) => response.end('ok'))
})
afterAll(() => merchant.stop())
afterEach(async () => {
  vi.restoreAllMocks()
  for (const stop of stops.splice(0)) await stop()
})

/** Of a lookup, and of a whole request: what a request waits for must come long before the lookup is given up. */
const [DEADLINE_MS, TIMEOUT_MS] = [60_000, 30_000]

/**
 * The real senders, which query a real name server over UDP; only the address that they connect to is replaced by
 * `merchant`.
 */
async function requesting(zone: Zone, deadlineMs = DEADLINE_MS) {
  const dns = await listenDns(zone)
  const network = redirectedInternet(dnsLookup({ servers: [dns.address], deadlineMs }), merchant.port)
  const [sender, handshakes] = [
    sampleSender({ policy: PUBLIC_HTTP_POLICY, network, timeoutMs: TIMEOUT_MS }),
    sampleHandshakeSender({ policy: PUBLIC_HTTP_POLICY, network, timeoutMs: TIMEOUT_MS }),
  ]
  stops.push(
    dns.stop,
    () => sender.close(),
    () => handshakes.close(),
  )
  return {
    dns,
    dialled: network.dialled,
    send: (url: string) => sender.send(callbackTo(url)),
    ask: (url: string) => handshakes.request(handshakeWith(url)),
  }
}

const SAID: readonly (readonly [what: string, zone: Zone, dialled: readonly string[]])[] = [
  ['A only', { 'shop.example': { a: [PUBLIC] } }, [PUBLIC]],
  ['AAAA only', { 'shop.example': { aaaa: [PUBLIC_6] } }, [PUBLIC_6]],
  ['both', { 'shop.example': { a: [PUBLIC, '1.1.1.1'], aaaa: [PUBLIC_6] } }, [PUBLIC, '1.1.1.1', PUBLIC_6]],
  ['an alias with an address', { 'shop.example': { alias: 'host.example', a: [PUBLIC] } }, [PUBLIC]],
  ['A, and silent about AAAA', { 'shop.example': { a: [PUBLIC], silentOn: ['AAAA'] } }, [PUBLIC]],
  ['AAAA, and silent about A', { 'shop.example': { aaaa: [PUBLIC_6], silentOn: ['A'] } }, [PUBLIC_6]],
]

test.each(SAID)(
  'a name server that says %s: callback and handshake try every address',
  async (_what, zone, dialled) => {
    // It does not wait for a silent family.
    const network = await requesting(zone)
    expect(await network.send('http://shop.example/')).toMatchObject({ httpStatus: 200 })
    expect(network.dialled).toEqual(dialled)
    expect(await network.ask('http://shop.example/')).toMatchObject({ httpStatus: 200 })
    expect(network.dialled).toEqual([...dialled, ...dialled])
  },
)

const NOT_FOUND = 'the name of the host was not found'
const NOT_LOOKED_UP = 'the name of the host could not be looked up'
const NOT_PUBLIC = 'The host is not a public address'
const REFUSED: readonly (readonly [what: string, zone: Zone, error: string])[] = [
  ['no such name', {}, NOT_FOUND],
  ['no address of either family', { 'shop.example': {} }, NOT_FOUND],
  ['an alias without an address', { 'shop.example': { alias: 'host.example' } }, NOT_FOUND],
  ['a server failure', { 'shop.example': { status: 'SERVFAIL' } }, NOT_LOOKED_UP],
  ['a refusal', { 'shop.example': { status: 'REFUSED' } }, NOT_LOOKED_UP],
  ['nothing', { 'shop.example': { silentOn: ['A', 'AAAA'] } }, NOT_LOOKED_UP],
  ['no A, and nothing about AAAA', { 'shop.example': { silentOn: ['AAAA'] } }, NOT_LOOKED_UP],
  ['a private A', { 'shop.example': { a: ['10.0.0.1'] } }, NOT_PUBLIC],
  ['a public and a private A', { 'shop.example': { a: [PUBLIC, '127.0.0.1'] } }, NOT_PUBLIC],
  ['a public A and a private AAAA', { 'shop.example': { a: [PUBLIC], aaaa: ['fd00::1'] } }, NOT_PUBLIC],
  ['a private A and a public AAAA', { 'shop.example': { a: ['169.254.169.254'], aaaa: [PUBLIC_6] } }, NOT_PUBLIC],
  ['an AAAA with loopback inside', { 'shop.example': { aaaa: ['::ffff:7f00:1'] } }, NOT_PUBLIC],
]

test.each(REFUSED)(
  'connects to nothing when a name server says %s; callback and handshake say why',
  async (_what, zone, error) => {
    // Only silence is given up soon: a busy machine may need a while for what is answered.
    const isSilent = Object.values(zone).some(({ silentOn }) => silentOn !== undefined)
    const network = await requesting(zone, isSilent ? 300 : DEADLINE_MS)
    const reported = { error, durationMs: expect.any(Number) as number }
    expect([await network.send('http://shop.example/'), await network.ask('http://shop.example/')]).toEqual([
      reported,
      reported,
    ])
    expect(network.dialled).toEqual([])
  },
)

test('a port without a name server is a failed lookup', async () => {
  const network = await requesting({})
  await network.dns.stop()
  stops.shift()
  expect(await network.send('http://shop.example/')).toMatchObject({ error: NOT_LOOKED_UP })
})

// Neither the callback nor the handshake of another merchant waits.
test("50 callbacks with hanging name servers delay no other merchant's requests", async () => {
  const hanging = Object.fromEntries(
    Array.from({ length: 50 }, (_, n) => [`${n}.hanging.example`, { silentOn: ['A', 'AAAA'] as const }]),
  )
  const network = await requesting({ ...hanging, 'well.example': { a: [PUBLIC] } })
  let ended = 0
  const stuck = Object.keys(hanging).map((name) =>
    network.send(`http://${name}/`).finally(() => {
      ended += 1
    }),
  )
  await expect.poll(() => new Set(network.dns.queried.filter((question) => question.startsWith('A '))).size).toBe(50)
  // signed, looked up and delivered
  expect(await network.send('http://well.example/')).toMatchObject({ httpStatus: 200 })
  expect(await network.ask('http://well.example/')).toMatchObject({ httpStatus: 200 })
  expect(ended).toBe(0)
  for (const stop of stops.splice(1)) await stop()
  await Promise.all(stuck)
})

test('caches no name: each connection resolves again and refuses one turned private', async () => {
  const zone: { 'shop.example': Zone[string] } = { 'shop.example': { a: [PUBLIC] } }
  const network = await requesting(zone)
  expect(await network.send('http://shop.example:81/')).toMatchObject({ httpStatus: 200 })
  zone['shop.example'] = { a: ['127.0.0.1'] }
  expect(await network.send('http://shop.example:82/')).toMatchObject({ error: NOT_PUBLIC })
  expect(await network.ask('http://shop.example:82/')).toMatchObject({ error: NOT_PUBLIC })
  expect(network.dns.queried.filter((question) => question === 'A shop.example')).toHaveLength(3)
})

test('public-only mode queries name servers; private mode uses the system resolver', async () => {
  const resolve4 = vi.spyOn(promises.Resolver.prototype, 'resolve4').mockResolvedValue(['127.0.0.1'])
  vi.spyOn(promises.Resolver.prototype, 'resolve6').mockRejectedValue(Object.assign(new Error(), { code: 'ENODATA' }))
  for (const policy of [PUBLIC_HTTP_POLICY, SANDBOX_POLICY]) {
    const [sender, handshakes] = [sampleSender({ policy }), sampleHandshakeSender({ policy })]
    stops.push(
      () => sender.close(),
      () => handshakes.close(),
    )
    const url = policy === SANDBOX_POLICY ? `http://localhost:${merchant.port}/` : 'http://shop.example/'
    const outcome = policy === SANDBOX_POLICY ? { httpStatus: 200 } : { error: NOT_PUBLIC }
    expect([await sender.send(callbackTo(url)), await handshakes.request(handshakeWith(url))]).toMatchObject([
      outcome,
      outcome,
    ])
  }
  expect(resolve4.mock.calls).toEqual([['shop.example'], ['shop.example']])
})

/** A system resolver whose lookups end when a test says so. */
function system() {
  const running = new Map<string, Parameters<Lookup>[2]>()
  const requested: string[] = []
  return {
    asked: requested,
    running,
    lookup: ((hostname, _options, answered) => {
      requested.push(hostname)
      running.set(hostname, answered)
    }) satisfies Lookup,
    answer(hostname: string, address = '10.0.0.1') {
      const answered = running.get(hostname)
      running.delete(hostname)
      answered?.(null, [{ address, family: 4 }])
    },
  }
}

const poll = (lookup: Lookup, hostname: string): Promise<string> =>
  new Promise((resolve) =>
    lookup(hostname, { all: true }, (error, addresses) => resolve(error?.code ?? addresses[0]!.address)),
  )

test('the system resolver runs two lookups at a time, each once, in order', async () => {
  const { asked: requested, running, answer, lookup } = system()
  const bounded = boundedSystemLookup({ lookup })
  const found = ['a', 'b', 'c', 'd', 'c'].map((name) => poll(bounded, name))
  expect([...running.keys()]).toEqual(['a', 'b'])
  answer('b')
  expect([...running.keys()]).toEqual(['a', 'c'])
  answer('c', '10.0.0.2')
  answer('d')
  answer('a')
  expect(await Promise.all(found)).toEqual(['10.0.0.1', '10.0.0.1', '10.0.0.2', '10.0.0.1', '10.0.0.2'])
  expect(requested).toEqual(['a', 'b', 'c', 'd'])
})

test('a caller during a lookup shares the next one, which is newer than its request', async () => {
  const { asked: requested, answer, lookup } = system()
  const bounded = boundedSystemLookup({ lookup })
  const first = poll(bounded, 'a')
  const second = [poll(bounded, 'a'), poll(bounded, 'a')]
  answer('a', '10.0.0.1')
  expect(await first).toBe('10.0.0.1')
  answer('a', '10.0.0.2')
  expect(await Promise.all(second)).toEqual(['10.0.0.2', '10.0.0.2'])
  expect(requested).toEqual(['a', 'a'])
})

test('a host with a hanging lookup uses one of the two slots, however many request it', async () => {
  const { answer, lookup } = system()
  const bounded = boundedSystemLookup({ lookup, waitingMax: 10 })
  for (let n = 0; n < 50; n += 1) void poll(bounded, 'hanging')
  const [well, next] = [poll(bounded, 'well'), poll(bounded, 'next')]
  answer('well')
  answer('next')
  expect(await Promise.all([well, next])).toEqual(['10.0.0.1', '10.0.0.1'])
})

test('makes a signature while six lookups that hold a thread each are pending', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const folder = mkdtempSync(join(tmpdir(), 'malipo-lookups-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  let found = 0
  // They hold a thread until there is a writer, like getaddrinfo while a name server hangs.
  const bounded = boundedSystemLookup({
    deadlineMs: 60_000,
    lookup: (_hostname, _options, answered) =>
      openFile(pipe, 'r', (_error, reader) => {
        closeSync(reader)
        found += 1
        answered(null, [{ address: '10.0.0.1', family: 4 }])
      }),
  })
  const polls = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => poll(bounded, name))
  await promisify(sign)('sha256', Buffer.from('text'), privateKey)
  expect(found).toBe(0)
  const writer = openSync(pipe, 'r+')
  onTestFinished(() => closeSync(writer))
  expect(await Promise.all(polls)).toEqual(Array(6).fill('10.0.0.1'))
})

test('fails a lookup at once when the queue is full', async () => {
  const { lookup, answer } = system()
  const bounded = boundedSystemLookup({ lookup, runningMax: 1, waitingMax: 2 })
  const [first, second, third, fourth] = ['hanging', 'a', 'a', 'a'].map((name) => poll(bounded, name))
  expect(await fourth).toBe('EAI_AGAIN')
  answer('hanging')
  answer('a')
  expect(await Promise.all([first, second, third])).toEqual(['10.0.0.1', '10.0.0.1', '10.0.0.1'])
})

test('a lookup past its waiting time fails for now, and is not made in vain', async () => {
  const { lookup, asked: requested, answer } = system()
  const bounded = boundedSystemLookup({ lookup, runningMax: 1, deadlineMs: 20 })
  expect(await Promise.all(['hanging', 'a', 'a'].map((name) => poll(bounded, name)))).toEqual([
    'EAI_AGAIN',
    'EAI_AGAIN',
    'EAI_AGAIN',
  ])
  answer('hanging')
  expect(requested).toEqual(['hanging'])
})

test('a late reply of the system resolver does not answer the next caller', async () => {
  const { lookup, answer } = system()
  const answers: unknown[] = []
  boundedSystemLookup({ lookup, deadlineMs: 1 })('a', { all: true }, (error) => answers.push(error?.code))
  await expect.poll(() => answers).toEqual(['EAI_AGAIN'])
  answer('a')
  expect(answers).toEqual(['EAI_AGAIN'])
})
