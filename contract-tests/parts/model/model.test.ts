import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../server/verification/testing/database.ts'
import { forFile } from '../../../server/verification/testing/for-file.ts'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import { startTestGateway } from '../../../server/verification/testing/gateway.ts'
import { testNightly } from '../../../server/verification/testing/nightly.ts'
import type { OwnGateway, PartResult, Target } from '../../harness/part.ts'
import { startProxy } from '../../harness/proxy.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { modelPart, runModel } from './model.ts'

const { gateway, connection } = await ownGatewayTest({ receiverPort: await freePort() })
const silent = { size: 'pull-request', log: () => undefined } as const
const SMALL = { runs: 1, commandsMax: 25, shorterMax: 4, findingsMax: 1 }

// suite.pull-request.test.ts shows that the gateway keeps every rule of the model, the planted faults what it finds.

test('the same seed sends the same requests', async () => {
  const [first, second] = [await requestsOf(7), await requestsOf(7)]
  expect(second).toEqual(first)
  expect(first.length).toBeGreaterThan(10)
  expect(await requestsOf(8)).not.toEqual(first)
})

/** The POST requests, sorted by content and without references: concurrent requests arrive in any order. */
async function requestsOf(seed: number): Promise<readonly string[]> {
  const requests: string[] = []
  const proxy = await startProxy({
    to: gateway.url,
    onExchange: ({ request: { method, path, body } }) => {
      if (method !== 'POST' || path.startsWith('/pay/')) return
      requests.push(`${path} ${body.toString('utf8').replaceAll(/MLP[0-9A-Z]{22}|M[0-9A-Z]+-\w+-\d+/g, '…')}`)
    },
  })
  await runModel({ ...gateway, url: proxy.url }, { ...silent, seed }, { ...SMALL, runs: 4 })
  await proxy.close()
  return requests.toSorted()
}

test('runs what a bare URL allows and names the skipped checks', async () => {
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
  const target = { url: foreign.url, publicKey, secretKey, contract, sandbox: true }
  const result = await modelPart.run(target, { ...silent, seed: 2 })
  expect(result).toMatchObject({
    status: 'passed',
    findings: [],
    reason:
      'skipped: the clock, restarts, the audit, payment pages and large amounts (not our gateway); callbacks and handshakes (no receiver)',
  })
  expect(result.cases).toBeGreaterThan(10)
})

test('a server that does not answer is a finding, not a crash', async () => {
  const target = { ...gateway, url: `http://127.0.0.1:${await freePort()}` }
  const result = await modelPart.run(target, { ...silent, seed: 1 })
  expect(result).toMatchObject({ status: 'findings', findings: [{ about: 'listPaymentProviders' }] })
})

// Faults that no change of source or traffic makes: changes in the gateway's database.

const tampering = await forFile(new pg.Client(connection).connect())
const findingsOf = (changes: Partial<OwnGateway>, seed: number): Promise<PartResult> => {
  const tampered: Target = { ...gateway, own: { ...gateway.own, ...changes } }
  return runModel(tampered, { ...silent, seed }, { ...SMALL, runs: 100 })
}

testNightly('finds a restart that loses waiting jobs', async () => {
  const restart = async () => {
    await tampering.query(`delete from jobs where kind in ('submitToRail', 'verifyPayout')`)
    await gateway.own.restart()
  }
  const { findings } = await findingsOf({ restart }, 56)
  expect(findings).toMatchObject([{ about: 'every accepted request ends' }])
  expect(findings[0]?.what).toMatch(/the server restarts.* \(seed \d+, path [\d:]+\)$/s)
})
