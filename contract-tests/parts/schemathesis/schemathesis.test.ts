import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../server/verification/testing/database.ts'
import { DEMO_KEYS, startTestGateway } from '../../../server/verification/testing/gateway.ts'
import { expectBalancedBooks } from '../../../server/verification/testing/ledger.ts'
import type { Start } from '../../schemathesis-runner-wrapper/index.ts'
import { operations } from '../../schemathesis-runner-wrapper/contract.ts'
import { readContract } from '../../schemathesis-runner-wrapper/read-contract.ts'
import { BUSINESS_REFUSALS } from '../../harness/business-refusals.ts'
import { fieldsOf } from '../../harness/json.ts'
import { admitEmptyFields } from './empty-fields.ts'
import { isOfOnePhase } from './part.ts'
import { isRefusedByRule, profilesFor } from './profiles.ts'

const CONTRACT = new URL('../../../generated/openapi.json', import.meta.url)
const PROVIDERS_MAX = 2

/** A gateway with work running: what is accepted is paid and called back, every reply held against the contract. */
const start: Start = async () => {
  const database = await createTestDatabase()
  const gateway = await startTestGateway({
    connection: database.connection,
    surroundings: { runJobs: true },
    // Thousands of requests come from one public key within seconds; what the limit does has a test of its own.
    env: { MALIPO_RATE_LIMIT: '100000', MALIPO_RATE_LIMIT_ADDRESS: '100000', MALIPO_SANDBOX_DELAY_MS: '0' },
  })
  return {
    baseUrl: gateway.url,
    keys: { publicKey: DEMO_KEYS['public-key'], secretKey: DEMO_KEYS['secret-key'] },
    stop: async () => {
      await gateway.runDue()
      try {
        await expectBalancedBooks(gateway)
      } finally {
        await gateway.stop()
        await database.drop()
      }
    },
  }
}

// That the gateway keeps the contract under all three profiles is shown by the whole suite: suite.pull-request.test.ts.

test('every business refusal that the canonical profile accepts is shown by an example of the contract', async () => {
  const { components } = await readContract(CONTRACT)
  const shown = Object.values(components?.examples ?? {})
    .map(({ value }) => value)
    .filter((value) => fieldsOf(value).code === 400 && isRefusedByRule(JSON.stringify(value)))
    .map((value) => String(fieldsOf(value).message))
  for (const refusal of BUSINESS_REFUSALS)
    expect(
      shown.some((message) => refusal.test(message)),
      String(refusal),
    ).toBe(true)
})

test('the canonical copy differs from the published contract in examples and in optional fields that may be empty only', async () => {
  const [canonical] = profilesFor(PROVIDERS_MAX)
  const published = await readContract(CONTRACT)
  const running = await start({ port: 0, keys: {} })
  onTestFinished(async () => running.stop?.())
  const copy = await canonical!.prepare!(await readContract(CONTRACT), {
    baseUrl: running.baseUrl,
    keys: running.keys!,
  })
  expect(operations(copy).length).toBe(7)
  expect(withoutExamples(copy)).toEqual(withoutExamples(admitEmptyFields(published)))
})

test('in the copies an optional field may be empty or null, a required one may not', async () => {
  const { components } = admitEmptyFields(await readContract(CONTRACT))
  const mayBeEmpty = (name: string) =>
    Object.entries(components!.schemas![name]!.properties!)
      .filter(([, property]) => JSON.stringify(property).includes(JSON.stringify({ enum: ['', null] })))
      .map(([field]) => field)
  expect(mayBeEmpty('MobileMoneyPayoutRequest')).toEqual(['extra_params'])
  expect(mayBeEmpty('BankPayoutRequest')).toEqual([])
  expect(mayBeEmpty('BankPayoutExtraParams')).toEqual(['branch_code'])
  expect(mayBeEmpty('AuthorizeCollectionRequest')).toEqual([])
  expect(mayBeEmpty('BankCollectionRequest')).toEqual([
    'msisdn',
    'mobile_money_hpp',
    'customer_name',
    'customer_email',
    'card_cipher',
    'charge_customer',
    'allow_final_status_change',
  ])
})

function withoutExamples(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutExamples)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => key !== 'example' && key !== 'examples')
      .map(([key, value]) => [key, withoutExamples(value)]),
  )
}

test('a warning of Schemathesis counts unless the operation took a request of the same run', () => {
  const figures = { cases: 9, failures: 0 }
  const perOperation = {
    'POST /payout/send-funds': { ...figures, statuses: { '400': 7, '202': 2 } },
    'POST /collections/initialize': { ...figures, statuses: { '400': 9 } },
  }
  const isSkipped = (warning: string) => isOfOnePhase(warning, { perOperation })
  expect(isSkipped('validation_mismatch: POST /payout/send-funds')).toBe(true)
  expect(isSkipped('validation_mismatch: POST /collections/initialize')).toBe(false)
  expect(isSkipped('validation_mismatch: POST /never/asked')).toBe(false)
  expect(isSkipped('unused_auth: POST /payout/send-funds')).toBe(false)
})
