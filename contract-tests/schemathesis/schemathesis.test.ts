import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../server/testing/database.ts'
import { DEMO_KEYS, startTestGateway } from '../../server/testing/gateway.ts'
import { expectBalancedBooks } from '../../server/testing/ledger.ts'
import { runSchemathesis, summary, type Profile, type Result, type Start } from '../schemathesis-runner-wrapper/index.ts'
import { operations, readContract } from '../schemathesis-runner-wrapper/contract.ts'
import { BUSINESS_REFUSALS, profilesFor } from './profiles.ts'

const CONTRACT = new URL('../../generated/openapi.json', import.meta.url)
const PROVIDERS_MAX = 2
/** Alone a profile needs a third of this. */
const RUN_MS_MAX = 180_000

/** A real gateway with work running, so that what is accepted is paid, called back to the built-in inbox, and every reply is held against the contract. */
const start: Start = async () => {
  const database = await createTestDatabase()
  const gateway = await startTestGateway({
    connection: database.connection, surroundings: { runWork: true },
    // Thousands of requests come from one public key within seconds; what the limit does has a test of its own.
    env: { MALIPO_RATE_LIMIT: '100000', MALIPO_SANDBOX_DELAY_MS: '0' },
  })
  return {
    baseUrl: gateway.url, keys: { publicKey: DEMO_KEYS['public-key'], secretKey: DEMO_KEYS['secret-key'] },
    stop: async () => {
      await gateway.runDue()
      await expectBalancedBooks(gateway).finally(() => gateway.stop()).finally(() => database.drop())
    },
  }
}

async function run(profile: Profile): Promise<Result> {
  const result = await runSchemathesis({ contract: fileURLToPath(CONTRACT), server: { start }, profile, timeoutMs: RUN_MS_MAX })
  console.log(summary(result))
  if (result.status === 'unavailable' && process.env.REQUIRE_SCHEMATHESIS === '1') throw new Error(`Schemathesis is required here: ${result.reason}`)
  return result
}

// Side by side, each with a gateway and a database of its own: most of the time goes into Python, which uses one core.
test.concurrent.each(profilesFor(PROVIDERS_MAX))('the gateway keeps the contract under the $name profile: no finding, no warning, nothing excluded', { timeout: RUN_MS_MAX + 60_000 }, async (profile) => {
  const result = await run(profile)
  if (result.status === 'unavailable') return
  expect(result).toMatchObject({ status: 'passed', failures: [], warnings: [], exclusions: { checks: [], operations: 0, failures: 0 } })
  // A run that reaches nothing would pass as well.
  const { operationsMin, casesMin } = profile.name === 'keys' ? { operationsMin: 2, casesMin: 300 } : { operationsMin: 7, casesMin: 1000 }
  expect(Object.keys(result.perOperation).length).toBeGreaterThanOrEqual(operationsMin)
  expect(result.cases).toBeGreaterThan(casesMin)
  expect(result.perOperation['POST /payout/send-funds']!.statuses['202']).toBeGreaterThan(0)
})

test('every business refusal that the canonical profile accepts is shown by an example of the contract', async () => {
  const { components } = await readContract(CONTRACT)
  const shown = Object.values<any>(components.examples).map(({ value }) => JSON.stringify(value)).filter((text) => text.includes('"code":400'))
  for (const refusal of BUSINESS_REFUSALS) expect(shown.some((text) => refusal.test(text)), String(refusal)).toBe(true)
})

test('the canonical copy differs from the published contract in examples and in the spelling of one header only', async () => {
  const [canonical] = profilesFor(PROVIDERS_MAX)
  const published = await readContract(CONTRACT)
  const running = await start({ port: 0, keys: {} })
  const copy = await canonical!.prepare!(await readContract(CONTRACT), { baseUrl: running.baseUrl, keys: running.keys! }).finally(running.stop)
  expect(operations(copy).length).toBe(7)
  published.components.parameters.ApiVersion.schema = { type: 'string', enum: ['1'] }
  expect(withoutExamples(copy)).toEqual(withoutExamples(published))
})

function withoutExamples(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutExamples)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(Object.entries(node).filter(([key]) => key !== 'example' && key !== 'examples').map(([key, value]) => [key, withoutExamples(value)]))
}
