import { expect, onTestFinished, test } from 'vitest'
import { testNightly } from '../../../server/verification/testing/nightly.ts'
import { startProxy } from '../../harness/proxy.ts'
import { bundleUrl } from '../../../openapi/reading/contract.ts'
import { compareWithMock, parityPart } from './parity.ts'
import { EXPLANATIONS } from './parity-explanations.ts'
import { startPrism } from '../../driver/prism.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { forFile } from '../../../server/verification/testing/for-file.ts'

const { gateway } = await ownGatewayTest()
const prism = await forFile(startPrism(bundleUrl))

const options = { seed: 1, size: 'pull-request', log: () => undefined } as const

// The suite's own run reports an unexplained difference.
testNightly('every difference from the mock is explained, and every explanation is used', async () => {
  const parity = await compareWithMock(gateway, prism)
  expect(parity.differences.filter(({ why }) => why === undefined)).toEqual([])
  const given = new Set(parity.differences.map(({ why }) => why))
  expect(EXPLANATIONS.map(({ why }) => why).filter((why) => !given.has(why))).toEqual([])
  expect(parity.cases).toBeGreaterThan(180)
  // A valid request is accepted by both.
  const agreeing = parity.differences.filter(
    ({ case: { topic, operationId }, aspect }) =>
      topic === 'example' && aspect === 'status' && operationId !== 'authorizeCollection',
  )
  expect(agreeing).toEqual([])
})

test('reports a wrong status, a missing header and a dropped field once, with a line', async () => {
  const proxy = await startProxy({
    to: gateway.url,
    onReply: (reply, { method, path }) => {
      if (path === '/nowhere') return { ...reply, status: 400 }
      const { 'x-request-id': _id, ...headers } = reply.headers
      if (path.startsWith('/data/payout-bank-codes') && reply.status === 200) return { ...reply, headers }
      if (method !== 'GET' || !path.startsWith('/data/wallet-balances') || reply.status !== 200) return reply
      const body = Buffer.from(
        reply.body
          .toString('utf8')
          .replaceAll(/"reserve_balance":[^,}]*,?/g, '')
          .replaceAll(',}', '}'),
      )
      return { ...reply, body, headers: { ...reply.headers, 'content-length': [String(body.length)] } }
    },
  })
  onTestFinished(() => proxy.close())
  const result = await parityPart.run({ ...gateway, url: proxy.url }, options)
  expect(result).toMatchObject({ part: 'mock parity', status: 'findings', checks: result.cases * 5 })
  expect(result.findings.map(({ about, what }) => `${about}: ${what.slice(0, what.indexOf(' of the mock'))}`)).toEqual([
    'listPayoutBanks: example (example 1): headers',
    'listWalletBalances: example (example 1): fields',
    'routes: path unknown (unknown path): status',
  ])
  // Further places of the same difference.
  expect(result.findings.map(({ also = [] }) => also.length)).toEqual([2, 4, 0])
  for (const { curl } of result.findings) expect(curl).toMatch(/^curl .*\$PUBLIC_KEY/)
})
