import { createServer, type RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import { listen } from '../../harness/listen.ts'
import { present, type Target } from '../../harness/part.ts'
import { recheckFindings } from '../../harness/recheck.ts'
import { changingProxyTest, replies, withText, type Hooks } from '../../harness/testing/changing-proxy.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { receiverPart, runScenarios } from './receiver.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'

const quietly = { seed: 1, size: 'pull-request', log: () => undefined } as const

let [toMerchant, toGateway]: Hooks[] = [{}, {}]

const receiverPort = await freePort()
const merchant = await changingProxyTest(`http://127.0.0.1:${receiverPort}`, () => toMerchant)
const { gateway } = await ownGatewayTest({ receiverPort: Number(new URL(merchant.url).port) })
const api = await changingProxyTest(gateway.url, () => toGateway)
const receiver = { ...present(gateway.receiver, 'receiver'), port: receiverPort }
const target: Target = { ...gateway, url: api.url, receiver }

const all = scenarios({ seed: 7, size: 'pull-request', canWait: true, run: 1 })
const named = (name: string): Scenario =>
  present(
    all.find((scenario) => scenario.name === name),
    name,
  )
interface PlantedFault {
  readonly name: string
  readonly merchant?: Hooks
  readonly api?: Hooks
  /** The scenario that shows it. */
  readonly scenario: string
  /** All findings: subject, and a part of the text. */
  readonly found: readonly string[]
}

const seen = new Set<string>()
const FAULTS: readonly PlantedFault[] = [
  {
    name: "calls another URL than the merchant's",
    merchant: { onRequest: (message) => (message.method === 'POST' ? { ...message, path: '/hooks' } : message) },
    scenario: 'collection 001',
    found: ["retries: came to a URL that is not the merchant's", 'retries: callback of COMPLETED did not come'],
  },
  {
    name: 'sends handshake and callback while the first verify returns PROCESSING',
    api: replies(/\/verify\//, 200, (reply, { path }) => {
      if (seen.has(path)) return reply
      seen.add(path)
      return withText(reply, (text) => text.replace(/"transaction_status":"\w+"/, '"transaction_status":"PROCESSING"'))
    }),
    scenario: 'payout 001',
    found: ['handshake: a handshake came while verify said PROCESSING'],
  },
  {
    name: 'pays out although the merchant rejected it',
    merchant: replies(/./, 404, (reply) => ({ ...reply, status: 200 })),
    scenario: 'payout with a handshake answered 404',
    found: [
      'handshake: the payout completed although the merchant did not confirm it',
      'outcome: documented is FAILED "Payout rejected by the merchant\'s verification URL (HTTP 404)"',
    ],
  },
]

// suite.pull-request.test.ts shows that our gateway has no finding, `npm run faults` what the part finds.
const rows = FAULTS.map((fault, index) => ({ ...fault, seed: 1_000 + index }))
test.each(rows)('reports once a server that $name', async ({ merchant: sent = {}, api: requested = {}, ...row }) => {
  ;[toMerchant, toGateway] = [sent, requested]
  // As the suite does: a time-dependent finding has to recur.
  const { findings } = await recheckFindings(
    await runScenarios(target, { ...quietly, seed: row.seed }, () => [named(row.scenario)]),
  )
  expect(findings).toHaveLength(row.found.length)
  for (const text of row.found) {
    const [about, what = ''] = text.split(/: (.*)/)
    expect(findings).toContainEqual(expect.objectContaining({ about, what: expect.stringContaining(what) }))
  }
})

// A server that is not the suite's own: other-server.slow.test.ts tests one that is right.

test.each<[string, RequestListener]>([
  ['answers 500 to everything', (_request, response) => void response.writeHead(500).end('<html>Oops')],
  ['says 200 with what is not an envelope', (_request, response) => void response.writeHead(200).end('[null]')],
  ['cuts every connection', (request) => void request.socket.destroy()],
])('reports a server that %s once for each operation', async (_what, listener) => {
  const server = await listen(createServer(listener))
  const { own: _own, ...foreign } = target
  const { findings } = await receiverPart.run({ ...foreign, url: server.url }, quietly)
  await server.close()
  expect(findings.map(({ about }) => about)).toEqual(['initializeCollection', 'sendFunds'])
  expect(findings[1]?.curl).toMatch(/^curl .*"merchant_reference":"RECEIVER-1-\d+-/)
})

test('is skipped without a receiver or test numbers, and names what is missing', async () => {
  const { receiver: _receiver, ...deaf } = target
  const [unheard, unknown] = [
    await receiverPart.run(deaf, quietly),
    await receiverPart.run({ ...target, sandbox: false }, quietly),
  ]
  expect([unheard.status, unheard.reason]).toEqual(['skipped', expect.stringContaining('--receiver-port')])
  expect([unknown.status, unknown.reason]).toEqual(['skipped', expect.stringContaining('test numbers')])
})
