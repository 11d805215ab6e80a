import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../server/verification/testing/database.ts'
import { DEMO_KEYS } from '../../../server/verification/testing/gateway.ts'
import { arrangedPart } from './arranged.ts'
import { temporaryFolder } from '../../../server/verification/testing/temporary-folder.ts'

// suite.pull-request.test.ts shows that every operation returns the declared 429, 500, 503 and refusals by settings.

const folder = temporaryFolder()

test("reports a contract with other texts or statuses than the server's", async () => {
  const text = readFileSync(join(import.meta.dirname, '../../../generated/openapi.json'), 'utf8')
  const document = JSON.parse(text) as {
    readonly paths: {
      readonly '/payout/send-funds': { readonly post: { readonly responses: Record<string, unknown> } }
    }
    readonly components: { readonly headers: { readonly RetryAfter: { schema: unknown } } }
  }
  delete document.paths['/payout/send-funds'].post.responses['503']
  document.components.headers.RetryAfter.schema = { type: 'integer', minimum: 10_000 }
  const contract = folder.written('contract.json', JSON.stringify(document))
  const newDatabase = async () => {
    const database = await createTestDatabase()
    onTestFinished(() => database.drop())
    return database.connection
  }
  const { findings } = await arrangedPart({ newDatabase }).run(
    {
      url: 'http://127.0.0.1:9',
      publicKey: DEMO_KEYS['public-key'],
      secretKey: DEMO_KEYS['secret-key'],
      sandbox: true,
      contract,
    },
    { seed: 1, size: 'pull-request', log: () => undefined },
  )
  expect(findings.map(({ about, what }) => `${about}: ${what}`)).toEqual([
    expect.stringMatching(/^initializeCollection: a reply 429 has a header Retry-After .*: 3600 must be >= 10000$/),
    // To reproduce a finding took one of the queries that the account has.
    expect.stringMatching(/^findAccountHolder: an operator that is silent was answered 429, not 503/),
    expect.stringMatching(/^listPaymentProviders: a reply 429 has a header Retry-After that does not fit/),
    expect.stringMatching(/^listPaymentProviders: a reply 503 has a header Retry-After/),
    expect.stringMatching(/^sendFunds: .* \(storage\) was answered 503, a status that the contract does not declare/),
    expect.stringMatching(/^initializeCollection: a reply 503 has a header Retry-After/),
    expect.stringMatching(/^sendFunds: .* \(overload\) was answered 503, a status that the contract does not declare/),
  ])
  expect(findings[2]?.also).toEqual(expect.arrayContaining(['listPayoutBanks', 'sendFunds']))
})
