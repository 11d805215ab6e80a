import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../server/verification/testing/database.ts'
import { DEMO_KEYS } from '../../../server/verification/testing/gateway.ts'
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

// suite.pull-request.test.ts shows that every operation returns the declared 429, 500, 503 and refusals by settings.

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
      what: expect.stringMatching(
        /^a request in trouble \(storage\) was answered 503, a status that the contract does not declare/,
      ),
    },
  ])
})
