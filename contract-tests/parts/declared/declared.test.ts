import { expect, onTestFinished, test } from 'vitest'
import { startProxy } from '../../harness/proxy.ts'
import { declaredPart } from './declared.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'

const { gateway } = await ownGatewayTest()

// suite.pull-request.test.ts shows that our gateway keeps the contract, and that all of it is covered.

const OPERATIONS = ['initializeCollection', 'sendFunds', 'listWalletBalances']
const silent = { size: 'pull-request', log: () => undefined, operations: OPERATIONS } as const

test('reports a fault once, with all operations that have it and one request', async () => {
  const proxy = await startProxy({
    to: gateway.url,
    onReply: ({ headers: { 'www-authenticate': _challenge, ...headers }, ...reply }) => ({ ...reply, headers }),
  })
  onTestFinished(() => proxy.close())
  const { findings } = await declaredPart.run({ ...gateway, url: proxy.url }, { ...silent, seed: 2 })
  expect(findings).toEqual([
    {
      about: 'listWalletBalances',
      what: 'a reply 401 has no header WWW-Authenticate',
      also: ['initializeCollection', 'sendFunds'],
      rule: expect.any(String),
      cause: expect.any(String),
      curl: expect.stringMatching(/^curl .*-X GET .*'http:\/\/127\.0\.0\.1:\d+\/data\/wallet-balances'$/),
    },
  ])
})

test('reports a finding for each request to an unreachable server, and never fails', async () => {
  const { status, findings } = await declaredPart.run(
    { ...gateway, url: 'http://127.0.0.1:9', sandbox: false },
    { ...silent, seed: 3 },
  )
  expect(status).toBe('findings')
  expect(findings[0]!.what).toMatch(/was not answered: .*ECONNREFUSED/)
})
