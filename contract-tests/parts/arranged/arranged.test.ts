import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../server/verification/testing/database.ts'
import { DEMO_KEYS } from '../../../server/verification/testing/gateway.ts'
import { cells } from '../../harness/coverage/cells.ts'
import { readContract } from '../../../openapi/reading/contract.ts'
import { createMarker } from '../../harness/coverage/mark.ts'
import { arrangedPart } from './arranged.ts'

const contractFile = join(import.meta.dirname, '../../../generated/openapi.json')
const databases: TestDatabase[] = []
afterAll(async () => {
  for (const database of databases) await database.drop()
})

const target = {
  url: 'http://127.0.0.1:9',
  publicKey: DEMO_KEYS['public-key'],
  secretKey: DEMO_KEYS['secret-key'],
  sandbox: true,
  contract: contractFile,
}
const newDatabase = async () => {
  const database = await createTestDatabase()
  databases.push(database)
  return database.connection
}

test('every operation returns the declared 429, 500, 503 and refusals by settings', async () => {
  const contract = readContract(contractFile)
  const mark = createMarker(contract)
  const seen = new Set<string>()
  const result = await arrangedPart({
    newDatabase,
    onExchange: (exchange) => {
      for (const id of mark(exchange, 'asked')) seen.add(id)
    },
  }).run(target, { seed: 1, size: 'pull-request', log: () => undefined })
  expect(result).toMatchObject({ part: 'arranged', status: 'passed', findings: [] })
  expect(cells(contract).filter(({ id, needs }) => needs === 'failure' && !seen.has(id))).toEqual([])
  const shown = [
    'listPaymentProviders 200 body.data.payment_providers[].is_active = false',
    'initializeCollection 400 example provider_not_enabled',
    'initializeCollection 400 example redirect_host_not_allowed',
    'initializeCollection 429 example prompts_too_many',
    'authorizeCollection 429 example prompts_too_many',
    'sendFunds 400 example provider_other_type',
    'sendFunds 400 example verification_url_missing',
    'verifyTransaction 200 example transaction_collection_converted',
    'verifyTransaction 404 example transaction_archived',
  ]
  expect(shown.filter((id) => !seen.has(id))).toEqual([])
})

/** Places of the contract that are changed below. */
interface ChangedPlaces {
  readonly paths: { readonly '/payout/send-funds': { readonly post: { readonly responses: Record<string, unknown> } } }
  readonly components: { readonly headers: { readonly RetryAfter: { schema: unknown } } }
}

test("reports a contract with other texts or statuses than the server's", async () => {
  const document = JSON.parse(readFileSync(contractFile, 'utf8')) as ChangedPlaces
  delete document.paths['/payout/send-funds'].post.responses['503']
  document.components.headers.RetryAfter.schema = { type: 'integer', minimum: 10_000 }
  const folder = mkdtempSync(join(tmpdir(), 'malipo-arranged-'))
  writeFileSync(`${folder}/contract.json`, JSON.stringify(document))
  const result = await arrangedPart({ newDatabase }).run(
    { ...target, contract: `${folder}/contract.json` },
    { seed: 1, size: 'pull-request', log: () => undefined },
  )
  rmSync(folder, { recursive: true })
  expect(result.findings).toMatchObject([
    {
      about: 'initializeCollection',
      what: expect.stringMatching(/^a reply 429 has a header Retry-After .*: 3600 must be >= 10000$/) as string,
      also: ['authorizeCollection'],
    },
    {
      about: 'listPaymentProviders',
      what: expect.stringMatching(/^a reply 429 has a header Retry-After that does not fit the contract: /) as string,
      also: expect.arrayContaining(['listPayoutBanks', 'sendFunds']) as string[],
    },
    { about: 'listPaymentProviders', what: expect.stringMatching(/^a reply 503 has a header Retry-After/) as string },
    {
      about: 'sendFunds',
      what: 'a request in trouble (storage) was answered 503, a status that the contract does not declare',
    },
  ])
})
