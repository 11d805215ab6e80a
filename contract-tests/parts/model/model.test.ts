import { freePort } from '../../../server/verification/testing/free-port.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../server/verification/testing/database.ts'
import { startTestGateway } from '../../../server/verification/testing/gateway.ts'
import { startProxy } from '../../harness/proxy.ts'
import { startMerchantServer } from './merchant-server.ts'
import { modelPart } from './model.ts'
import { checkModel } from './run.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'

const { gateway } = await ownGatewayTest({ receiverPort: await freePort() })

const TIMEOUT_MS = 120_000
const silent = { size: 'pull-request', log: () => undefined } as const

// suite.pull-request.test.ts shows that the gateway keeps every rule of the model.

test('the same seed sends the same requests', { timeout: TIMEOUT_MS }, async () => {
  const [first, second] = [await requestsOf(7), await requestsOf(7)]
  expect(second).toEqual(first)
  expect(first.length).toBeGreaterThan(20)
  expect(await requestsOf(8)).not.toEqual(first)
})

/** The POST requests, sorted by content and without references: concurrent requests arrive in any order. */
async function requestsOf(seed: number): Promise<readonly string[]> {
  const requests: string[] = []
  const proxy = await startProxy({
    to: gateway.url,
    onExchange: ({ request: { method, path, body } }) => {
      if (method === 'POST' && !path.startsWith('/pay/') && !body.includes('Takes a name'))
        requests.push(
          `${path} ${body
            .toString('utf8')
            .replaceAll(/MLP[0-9A-Z]{22}/g, 'MLP…')
            .replaceAll(/M[0-9A-Z]\.\d+-(\w+)-\d+/g, 'M…-$1')}`,
        )
    },
  })
  const merchant = await startMerchantServer(gateway.receiver!.port)
  try {
    await checkModel({ ...gateway, url: proxy.url }, merchant, {
      seed,
      runs: 2,
      commandsMax: 25,
      shorterMax: 0,
      findingsMax: 1,
      log: () => undefined,
    })
  } finally {
    await Promise.all([proxy.close(), merchant?.close()])
  }
  return requests.toSorted()
}

test('runs what a bare URL allows and names the skipped checks', { timeout: TIMEOUT_MS }, async () => {
  const foreignDatabase = await createTestDatabase()
  const foreign = await startTestGateway({
    connection: foreignDatabase.connection,
    surroundings: { runJobs: true },
    env: { MALIPO_SANDBOX_DELAY_MS: '20' },
  })
  onTestFinished(async () => {
    await foreign.stop()
    await foreignDatabase.drop()
  })
  const { publicKey, secretKey, contract } = gateway
  const result = await modelPart.run(
    { url: foreign.url, publicKey, secretKey, contract, sandbox: true },
    { ...silent, seed: 2 },
  )
  expect(result).toMatchObject({
    status: 'passed',
    findings: [],
    reason:
      'skipped: the clock, restarts, the audit, payment pages and large amounts (not our gateway); callbacks and handshakes (no receiver)',
  })
  expect(result.cases).toBeGreaterThan(10)
})

test("is skipped without the sandbox's test numbers", async () => {
  expect(await modelPart.run({ ...gateway, sandbox: false }, { ...silent, seed: 1 })).toMatchObject({
    status: 'skipped',
    cases: 0,
  })
})

test('a server that does not answer is a finding, not a crash', async () => {
  const result = await modelPart.run(
    {
      url: `http://127.0.0.1:${await freePort()}`,
      publicKey: 'pub_x',
      secretKey: 'sec_x',
      contract: gateway.contract,
      sandbox: true,
    },
    { ...silent, seed: 1 },
  )
  expect(result).toMatchObject({ status: 'findings', findings: [{ about: 'the server answers' }] })
})
