import { expect, onTestFinished, test } from 'vitest'
import { testNightly } from '../../../server/verification/testing/nightly.ts'
import { readContract } from '../../../openapi/reading/contract.ts'
import { createCoverage } from '../../harness/coverage/recorder.ts'
import { startProxy } from '../../harness/proxy.ts'
import { declaredPart } from './declared.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'

const { gateway } = await ownGatewayTest()

const silent = { size: 'pull-request', log: () => undefined } as const
/** Settings of staff, exhausted bounds and outcomes other than acceptance are tested by other parts. */
const SHOWN_ELSEWHERE =
  /^(verifyTransaction 200 |.*(is_active = false|provider_not_enabled|provider_inactive|provider_other_type|verification_url_missing|bank_inactive|redirect_host_not_allowed|example banks|otps_too_many|otps_wrong_too_many|pages_too_many|transaction_archived)$)/

// By default the suite's own run covers it.
testNightly('the gateway keeps the contract, and requests alone cover all they can', async () => {
  const coverage = createCoverage(readContract(gateway.contract))
  const proxy = await startProxy({ to: gateway.url, onExchange: (exchange) => coverage.record(exchange, 'asked') })
  onTestFinished(() => proxy.close())
  const result = await declaredPart.run({ ...gateway, url: proxy.url }, { ...silent, seed: 1 })
  expect(result).toMatchObject({ part: 'declared', status: 'passed', findings: [] })
  expect(result.cases).toBeGreaterThan(500)
  expect(result.checks).toBeGreaterThan(2_000)
  const { subjects } = coverage.coverage({ failure: false, receiver: false })
  const missing = subjects
    .flatMap(({ subject, missing: names }) => names.map((name) => `${subject} ${name}`))
    .filter((id) => !SHOWN_ELSEWHERE.test(id))
  expect(missing).toEqual([])
})

test('reports a fault once, with all operations that have it and one request', async () => {
  const proxy = await startProxy({
    to: gateway.url,
    onReply: ({ headers: { 'www-authenticate': _challenge, ...headers }, ...reply }) => ({ ...reply, headers }),
  })
  onTestFinished(() => proxy.close())
  const { findings } = await declaredPart.run({ ...gateway, url: proxy.url }, { ...silent, seed: 2 })
  expect(findings).toEqual([
    {
      about: 'initializeCollection',
      what: 'a reply 401 has no header WWW-Authenticate',
      also: [
        'authorizeCollection',
        'sendFunds',
        'listPaymentProviders',
        'listPayoutBanks',
        'listWalletBalances',
        'verifyTransaction',
      ],
      rule: expect.any(String),
      cause: expect.any(String),
      curl: expect.stringMatching(/^curl .*-X POST .*'http:\/\/127\.0\.0\.1:\d+\/collections\/initialize'$/),
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
