import { createServer, type RequestListener } from 'node:http'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { listen } from '../../harness/listen.ts'
import type { PartResult, RunOptions, Target } from '../../harness/part.ts'
import { allOurCases } from './cases/all.ts'
import { createOurRequests } from './our-subject.ts'
import { startSlowClients } from './slow-clients.ts'
import { one } from './wire-case.ts'
import { runWire, type WireLimits } from './wire.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'

const { gateway } = await ownGatewayTest()

const silent: RunOptions = { seed: 1, size: 'pull-request', log: () => {} }
const FEW = [
  'a public key called __proto__',
  'a range',
  'no colon',
  'content type text/plain',
  'two content types in one',
  'an expectation of nonsense',
  'a method in another header',
].map((name) => `header: ${name}`)
/** A few cases and no flood: a fault affects all of them alike. */
const SMALL: WireLimits = {
  atOnce: 8,
  caseMs: 60_000,
  slowMs: 60_000,
  halfOpen: 0,
  ofEachSlowKind: 0,
  casesOf: (writer) => allOurCases(writer).filter(({ name }) => FEW.includes(name)),
}
/** Without names of cases: the table decides which ones show a fault first. */
const broken = ({ findings }: PartResult): string[] =>
  findings.map(({ about, what }) => `${about}: ${what.replace(/ \(.*/s, '')}`)

test('the table holds at least 300 uniquely named cases, the same for the same seed', () => {
  const table = () =>
    allOurCases(createOurRequests({ host: 'example.org', publicKey: 'pub', sandbox: true, start: 7 }).writer)
  const names = table().map(({ name }) => name)
  expect(names.length).toBeGreaterThanOrEqual(300)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  const digest = () =>
    table()
      .reduce((hash, { pieces }) => hash.update(Buffer.concat(pieces)), createHash('sha256'))
      .digest('hex')
  expect(digest()).toBe(digest())
})

test('opens slow clients by hundreds, the next ones when the server has answered', async () => {
  let accepted = 0
  const server = await listen(createServer().on('connection', () => (accepted += 1)))
  const { writer } = createOurRequests({ host: 'example.org', publicKey: 'pub', sandbox: true, start: 7 })
  const seen: number[] = []
  const answers = async () => {
    await expect.poll(() => accepted).toBeGreaterThanOrEqual(Math.min(100 * (seen.length + 1), 250))
    // If the next ones did not wait, they would come meanwhile.
    await sleep(50)
    seen.push(accepted)
    return true
  }
  const slow = startSlowClients({ url: new URL(server.url), writer, halfOpen: 250, ofEachKind: 0, answers })
  await slow.opened
  slow.reset()
  await server.close()
  expect(seen).toEqual([100, 200, 250])
})

async function runAgainst(listener: RequestListener, limits: Partial<WireLimits>): Promise<PartResult> {
  const server = await listen(createServer({ requireHostHeader: false }, listener))
  const { own: _own, ...foreign }: Target = gateway
  try {
    return await runWire({ ...foreign, sandbox: false, url: server.url }, silent, { ...SMALL, ...limits })
  } finally {
    await server.close()
  }
}

const LOOKUP_REPLY = JSON.stringify({ code: 200, status: 'success', message: 'Fine', data: {} })

test.concurrent('reports a server that hangs, also for valid requests', async () => {
  const result = await runAgainst(() => {}, {
    caseMs: 300,
    slowMs: 600,
    ofEachSlowKind: 2,
    casesOf: ({ request }) => [one('a good request', request(), [200]), one('another one', request(), [200])],
  })
  expect(broken(result)).toEqual([
    'a connection is answered and ended: the server sent no reply in time',
    'a connection is answered and ended: the server did not close the connection in time',
    'valid traffic goes on beside invalid: a good lookup failed: no reply within 0.9 s',
  ])
  expect(result.findings[0]!.what).toContain('(a good request, and 1 more case)')
  expect(result.findings[1]!.what).toContain('(slow: a connection without a byte, and 4 more cases)')
})

test.concurrent('reports each fault of a server that echoes and fails once, without a key', async () => {
  const result = await runAgainst(
    (request, response) => {
      if (request.headers['x-wrong'] === 'echo')
        return void response.setHeader('content-type', 'text/plain').end(JSON.stringify(request.headers))
      if (request.headers['x-wrong'] === 'fail')
        return void response.writeHead(500).end('TypeError: boom\n    at handle (/srv/app/server.js:10:3)')
      response.setHeader('content-type', 'application/json; charset=utf-8').end(LOOKUP_REPLY)
    },
    {
      casesOf: ({ request }) => [
        one('an echo', request({ headers: ['x-wrong: echo', `secret-key: ${gateway.secretKey}`] }), [200]),
        ...['first', 'second', 'third'].map((name) =>
          one(`the ${name} failure`, request({ headers: ['x-wrong: fail'] }), [400]),
        ),
      ],
    },
  )
  expect(broken(result)).toEqual([
    'every reply is application/json; charset=utf-8: the server answered with the content type text/plain',
    'every reply is the envelope: the code in the body is not the status of the reply',
    'no byte of a reply is a secret: the reply contains a secret key, a credential or a signing secret',
    'no request makes the server fail: the server failed with 500',
    'no reply discloses internals: the reply contains "TypeError"',
  ])
  expect(result.findings[3]!.what).toBe(
    'the server failed with 500 (the first failure, which sends "x-wrong: fail", and 2 more cases)',
  )
  expect(result.findings[3]!.also).toEqual(['the second failure', 'the third failure'])
  for (const { curl } of result.findings)
    expect(curl).toMatch(/^printf 'GET .*'"\$PUBLIC_KEY"'.* \| bash -c 'exec 3<>\/dev\/tcp\/127\.0\.0\.1\/\d+ /)
  expect(JSON.stringify(result)).not.toMatch(/(sec|pub)_sandbox_demo/)
})

test.concurrent('reports a server that does not listen', async () => {
  const result = await runWire({ ...gateway, sandbox: false, directUrl: 'http://127.0.0.1:1' }, silent, SMALL)
  expect(broken(result)).toEqual([
    'the server goes on listening: the server accepted no connection',
    'valid traffic goes on beside invalid: a good lookup failed: ECONNREFUSED',
  ])
})
