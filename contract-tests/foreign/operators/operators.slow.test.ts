import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SIMULATED_MERCHANT } from '../../../openapi/operators/simulator/daraja/simulated-merchant.ts'
import { SIMULATORS, startSimulator, type Simulator } from '../../../openapi/operators/simulator/index.ts'
import { BUILT_IN_CREDENTIALS } from '../../../openapi/operators/simulator/mtn-momo/credentials.ts'
import { present } from '../../../server/domain/present.ts'
import { testNightly } from '../../../server/verification/testing/nightly.ts'
import { needSchemathesis } from '../../schemathesis-runner-wrapper/testing/installed.ts'
import { limitedTo, openContract } from '../contract-file.ts'
import { foreignRun } from '../testing/foreign-run.ts'

// The operators' simulators implement contracts that are not Malipo's. They are tested as anybody tests a third party's
// server.

interface Run {
  readonly name: string
  readonly operator: 'mtn-momo' | 'daraja'
  /** As `--paths`: each of MTN's products has its own keys. */
  readonly paths?: string
  /** The values file beside this one. */
  readonly values?: string | undefined
  /** By security scheme. */
  credentials(simulator: Simulator): Promise<Readonly<Record<string, string>>>
  /** State that the values rely on. */
  arrange?(simulator: Simulator): Promise<void>
  /** No operation here takes JSON, so cases about bodies and their framing are skipped. */
  readonly withoutBodies?: true
}

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

async function tokenFrom(url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, init)
  return ((await response.json()) as { access_token: string }).access_token
}

async function mtnCredentials({ url }: Simulator, product: keyof typeof BUILT_IN_CREDENTIALS) {
  const { subscriptionKey, apiUser, apiKey } = BUILT_IN_CREDENTIALS[product]
  const accessToken = await tokenFrom(`${url}/${product}/token/`, {
    method: 'POST',
    headers: { authorization: basic(apiUser, apiKey), 'ocp-apim-subscription-key': subscriptionKey },
  })
  return { subscriptionKey, apiUserAndKey: `${apiUser}:${apiKey}`, accessToken }
}

async function darajaCredentials({ url }: Simulator) {
  const { consumerKey, consumerSecret } = SIMULATED_MERCHANT
  const accessToken = await tokenFrom(`${url}/oauth/v1/generate?grant_type=client_credentials`, {
    headers: { authorization: basic(consumerKey, consumerSecret) },
  })
  return { consumerKeyAndSecret: `${consumerKey}:${consumerSecret}`, accessToken }
}

/** The collection that the values refund, a cent at a time. */
async function paidCollection(simulator: Simulator): Promise<void> {
  const { subscriptionKey, accessToken } = await mtnCredentials(simulator, 'collection')
  const party = { partyIdType: 'MSISDN', partyId: '46733123499' }
  const response = await fetch(`${simulator.url}/collection/v1_0/requesttopay`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${accessToken}`,
      'ocp-apim-subscription-key': subscriptionKey,
      'x-target-environment': 'sandbox',
      'x-reference-id': '3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ amount: '5000', currency: 'EUR', externalId: 'paid', payer: party }),
  })
  expect(response.status).toBe(202)
  simulator.world.clock.advance(60_000)
}

const ofMtn = (product: keyof typeof BUILT_IN_CREDENTIALS, more: Partial<Run> = {}): Run => ({
  name: `MTN, ${product}s`,
  operator: 'mtn-momo',
  paths: `/${product}`,
  values: `mtn-momo-${product}.json`,
  credentials: (simulator) => mtnCredentials(simulator, product),
  ...more,
})
const RUNS: readonly Run[] = [
  ofMtn('collection'),
  ofMtn('disbursement', { arrange: paidCollection }),
  ofMtn('remittance', { values: undefined, withoutBodies: true }),
  ofMtn('collection', {
    name: 'MTN, provisioning',
    paths: '/v1_0',
    values: 'mtn-momo-provisioning.json',
    credentials: async () => ({ subscriptionKey: BUILT_IN_CREDENTIALS.collection.subscriptionKey }),
  }),
  { name: 'Daraja', operator: 'daraja', values: 'daraja.json', credentials: darajaCredentials },
]

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

async function runOn({ operator, paths, values, credentials, arrange }: Run, only: readonly string[]) {
  const simulator = await startSimulator(present(SIMULATORS[operator], operator)({}), { frozen: true, seed: 1 })
  onTestFinished(() => simulator.close())
  await arrange?.(simulator)
  const { contract: whole } = await openContract(at(`../../../generated/operators/${operator}.json`))
  const contract = paths === undefined ? whole : limitedTo(whole, paths)
  return foreignRun({
    url: simulator.url,
    contract,
    credentials: await credentials(simulator),
    values: values && readFileSync(at(values), 'utf8'),
    only,
  })
}

describe.each(RUNS)('$name', (run) => {
  test('keeps its contract and refuses every invalid request', async () => {
    const result = await runOn(run, ['declared', 'wire'])
    expect(result.findings).toEqual([])
    expect(result.parts).toEqual(['declared passed', 'wire passed'])
    // A part that skips something says so.
    const [, wire] = result.results
    expect(wire?.reason === undefined).toBe(run.withoutBodies !== true)
  })
})

describe.each(RUNS)('$name, by Schemathesis', (run) => {
  needSchemathesis()
  testNightly('keeps its contract for every request', { timeout: 600_000 }, async () => {
    const result = await runOn(run, ['schemathesis'])
    expect(result.findings).toEqual([])
    expect(present(result.results[0], 'what Schemathesis did').cases).toBeGreaterThan(50)
  })
})
