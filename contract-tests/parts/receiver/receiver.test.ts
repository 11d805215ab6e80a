import { createServer, type RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import { listen } from '../../harness/listen.ts'
import { present, type Target } from '../../harness/part.ts'
import { recheckFindings } from '../../harness/recheck.ts'
import { changingProxyTest, replies, type Hooks } from '../../harness/testing/changing-proxy.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { receiverPart, runScenarios } from './receiver.ts'
import { scenarios } from './scenarios.ts'

const quietly = { seed: 1, size: 'pull-request', log: () => undefined } as const

let toMerchant: Hooks = {}

const receiverPort = await freePort()
const merchant = await changingProxyTest(`http://127.0.0.1:${receiverPort}`, () => toMerchant)
const { gateway } = await ownGatewayTest({ receiverPort: Number(new URL(merchant.url).port) })
const receiver = { ...present(gateway.receiver, 'receiver'), port: receiverPort }
const target: Target = { ...gateway, receiver }

// suite.pull-request.test.ts shows that our gateway has no finding, `npm run faults` what the part finds.
test('reports each sign of a fault once, and nothing else', async () => {
  const all = scenarios({ seed: 7, size: 'pull-request', canWait: true, run: 1 })
  const rejected = all.filter(({ name }) => name === 'payout with a handshake answered 404')
  toMerchant = replies(/./, 404, (reply) => ({ ...reply, status: 200 }))
  // As the suite does: a time-dependent finding has to recur.
  const { findings } = await recheckFindings(await runScenarios(target, { ...quietly, seed: 1_000 }, () => rejected))
  const unconfirmed = 'the payout completed although the merchant did not confirm it'
  const documented = `documented is FAILED "Payout rejected by the merchant's verification URL (HTTP 404)"`
  expect(findings.map(({ about, what }) => [about, what])).toEqual([
    ['handshake', expect.stringContaining(unconfirmed)],
    ['outcome', expect.stringContaining(documented)],
  ])
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
