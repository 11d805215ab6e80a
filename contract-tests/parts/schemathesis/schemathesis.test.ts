import { expect, onTestFinished, test } from 'vitest'
import { bundleUrl, readContract as readOurs } from '../../../openapi/reading/contract.ts'
import { writtenOperations } from '../../../openapi/testing/written-operations.ts'
import { createTestDatabase } from '../../../server/verification/testing/database.ts'
import { DEMO_KEYS, startTestGateway } from '../../../server/verification/testing/gateway.ts'
import { expectBalancedBooks } from '../../../server/verification/testing/ledger.ts'
import type { Start } from '../../schemathesis-runner-wrapper/index.ts'
import { operations } from '../../schemathesis-runner-wrapper/contract.ts'
import { readContract } from '../../schemathesis-runner-wrapper/read-contract.ts'
import { runResult } from '../../schemathesis-runner-wrapper/testing/run-result.ts'
import { BUSINESS_REFUSALS, isBusinessRefusal } from '../../harness/business-refusals.ts'
import { allSentences } from '../../rules/messages/known-sentences.ts'
import { findingsOf, isOfOnePhase, ofChosen, phasesOf } from './part.ts'
import { admitEmptyFields, sandboxProfile } from './profiles.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

const CONTRACT = new URL('../../../generated/openapi.json', import.meta.url)

/** A gateway with running jobs: accepted payments are paid and called back, and every reply is validated. */
const start: Start = async () => {
  const database = await createTestDatabase()
  const gateway = await startTestGateway({
    connection: database.connection,
    surroundings: { runJobs: true },
    // Thousands of requests come from one public key within seconds; the rate limit has a test of its own.
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

// suite.pull-request.test.ts shows that the gateway keeps the contract under its profiles.

test('the canonical profile allows no message that a schema gives', () => {
  const { operations: declared, ...contract } = readOurs(bundleUrl)
  const ofSchemas = declared
    .filter(({ kind }) => kind === 'operation')
    .flatMap((operation) => [...allSentences({ operations: declared, ...contract }, operation)])
  expect(ofSchemas.length).toBeGreaterThan(50)
  // A condition demands the URL of a hosted collection, and its rules go further than its pattern.
  expect([...new Set(ofSchemas.filter(isBusinessRefusal))]).toEqual([
    refusal('redirect_url_missing'),
    refusal('redirect_url_malformed'),
    refusal('redirect_url_host'),
  ])
  expect(BUSINESS_REFUSALS.length).toBeGreaterThan(20)
})

test('the canonical copy differs only in examples and optional empty fields', async () => {
  const published = await readContract(CONTRACT)
  const running = await start({ port: 0, keys: {} })
  onTestFinished(async () => running.stop?.())
  const copy = await sandboxProfile(CONTRACT).prepare!(await readContract(CONTRACT), {
    baseUrl: running.baseUrl,
    keys: running.keys!,
  })
  expect(operations(copy)).toHaveLength(writtenOperations.length)
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

test('a warning counts unless the operation accepted a request of the same run', () => {
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

test('a run on some operations has no sequences, and misses nothing that others have', () => {
  expect(phasesOf(['fuzzing', 'stateful'], ['sendFunds'])).toEqual(['fuzzing'])
  expect(phasesOf(['fuzzing', 'stateful'], undefined)).toEqual(['fuzzing', 'stateful'])
  const exclusions = { phases: ['stateful'], checks: ['use_after_free'], operations: 6, failures: 0 } as const
  const passed = runResult('canonical', { status: 'passed', exclusions })
  expect(findingsOf(passed)).toHaveLength(2)
  expect(findingsOf(ofChosen(passed))).toEqual([])
})
