import { createServer, type RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import { sampledByDefault } from '../../../server/verification/testing/nightly.ts'
import { OK, redirectTo, retryAfter, status, type ReceiverReply } from '../../driver/merchant-replies.ts'
import { listen } from '../../harness/listen.ts'
import { present, type Target } from '../../harness/part.ts'
import type { ProxyOptions } from '../../harness/proxy.ts'
import { recheckFindings } from '../../harness/recheck.ts'
import { changingProxyTest } from '../../harness/testing/changing-proxy.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { faultNamed } from '../../strength/faults/all.ts'
import { worldAround } from '../../strength/faults/world.ts'
import { receiverPart, runScenarios } from './receiver.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'

const quietly = { seed: 1, size: 'pull-request', log: () => undefined } as const

type Hooks = Pick<ProxyOptions, 'onRequest' | 'onReply'>
let [toMerchant, toGateway]: Hooks[] = [{}, {}]

const receiverPort = await freePort()
const merchant = await changingProxyTest(`http://127.0.0.1:${receiverPort}`, () => toMerchant)
const { gateway } = await ownGatewayTest({ receiverPort: Number(new URL(merchant.url).port) })
const api = await changingProxyTest(gateway.url, () => toGateway)
const world = worldAround(() => gateway.url, receiverPort)
const { signingKey, webhookSecret } = world
const target: Target = { ...gateway, url: api.url, receiver: { port: receiverPort, signingKey, webhookSecret } }

const all = scenarios({ seed: 7, size: 'pull-request', canWait: true, run: 1 })
const named = (name: string): Scenario =>
  present(
    all.find((scenario) => scenario.name === name),
    name,
  )
const answered = (...callbacks: readonly ReceiverReply[]): Scenario => ({
  ...named('collection 001'),
  name: `callbacks answered ${callbacks.map(({ name }) => name).join(', ')}`,
  callbacks,
})
const COLLECTION = named('collection 001')
const FAILING = named('collection 004')
const PAYOUT = named('payout 001')
const RETRIED = answered(status(500), OK)

/** Faults of the catalogue, the scenario that shows each, and all findings: subject, and a part of the text. */
const FOUND: readonly (readonly [fault: string, scenario: Scenario, ...found: readonly string[]])[] = [
  ['collection-at-payout-url', COLLECTION, 'payoutCallback: a collectionCallback came to the URL of payoutCallback'],
  [
    'redirect-followed',
    answered(redirectTo(301), OK),
    'retries: a redirect was followed',
    'retries: callback 2 after HTTP 301 did not come',
  ],
  ['never-sent', COLLECTION, 'retries: callback of COMPLETED did not come'],
  [
    'url-of-nobody',
    COLLECTION,
    "retries: came to a URL that is not the merchant's",
    'retries: callback of COMPLETED did not come',
  ],
  ['failure-reported-as-well', COLLECTION, 'outcome: callbacks of COMPLETED and FAILED came, expected COMPLETED'],
  ['not-retried', RETRIED, 'retries: callback 2 after HTTP 500 did not come'],
  ['retried-at-once', RETRIED, 'retries: callback 2 came 0 s after HTTP 500, too early'],
  ['sent-twice', COLLECTION, 'retries: a callback came again after HTTP 200'],
  ['no-content-not-taken', answered(status(204), OK), 'retries: a callback came again after HTTP 204'],
  ['gone-retried', answered(status(410), OK), 'retries: a callback came again after HTTP 410'],
  ['retry-after-ignored', answered(retryAfter(503, 60), OK), 'retries: with Retry-After: 60, too early'],
  ['webhook-time-not-renewed', RETRIED, 'webhook-timestamp: a retry carries the time of the attempt before'],
  ['reported-before-final', COLLECTION, 'verify: a callback came while verify said PROCESSING'],
  ['reported-before-final', PAYOUT, 'handshake: a handshake came while verify said PROCESSING'],
  ['outcome-ignored', FAILING, 'outcome: documented is FAILED "The customer declined the request"'],
  ['accepted-201', COLLECTION, 'initializeCollection: HTTP 201 instead of 202'],
  ['never-asked', PAYOUT, 'retries: handshake did not come'],
  ['asked-twice', PAYOUT, 'retries: a handshake came again after HTTP 200'],
  [
    'rejection-ignored',
    named('payout with a handshake answered 404'),
    'handshake: the payout completed although the merchant did not confirm it',
    'outcome: documented is FAILED "Payout rejected by the merchant\'s verification URL (HTTP 404)"',
  ],
  ['no-redirect', named('collection on the page 001'), 'customerRedirect: the page of a final payment leads nowhere'],
]

// suite.pull-request.test.ts shows that our gateway has no finding; the planted faults show what the rules find.

const rows = FOUND.map(([name, scenario, ...found], index) => [name, scenario, found, index] as const)
test.each(sampledByDefault('wrong senders', rows, 8))('reports once: %s', async (name, scenario, reported, index) => {
  const { merchant: sent = {}, api: requested = {} } = faultNamed(name).plant(world)
  ;[toMerchant, toGateway] = [sent, requested]
  // As the suite does: a time-dependent finding has to recur.
  const { findings } = await recheckFindings(
    await runScenarios(target, { ...quietly, seed: 1_000 + index }, () => [scenario]),
  )
  expect(findings).toHaveLength(reported.length)
  for (const text of reported) {
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
