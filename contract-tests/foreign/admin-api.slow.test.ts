import { expect, test } from 'vitest'
import { adminApiTest } from '../../server/admin/api/testing/admin-api-test.ts'
import document from '../../generated/admin.json' with { type: 'json' }
import { refusalOf, type Actor } from '../../server/domain/people/actor.ts'
import { MERCHANT_ROLES, STAFF_ROLES } from '../../server/domain/people/roles.ts'
import { temporaryFolder } from '../../server/verification/testing/temporary-folder.ts'
import { parseValues } from '../driver/contract-values.ts'
import { schemesOf } from '../driver/credentials.ts'
import { openContract } from './contract-file.ts'
import { runForeignSuite } from './suite.ts'

// The suite on the admin API, once for each role, with the operations that the role may use: `admin-api.test.ts` asks
// for the others.

const { baseUrl, merchantsUrl, token } = await adminApiTest()
const { written } = temporaryFolder()

/** The contract as far as a role may use it. */
async function contractOf(role: string, merchantId: bigint | undefined) {
  const actor = (merchantId === undefined
    ? { kind: 'staff', role }
    : { kind: 'merchant', role, merchantId }) as unknown as Actor
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item as Readonly<Record<string, object>>).filter(
        ([, one]) => !('x-operation' in one) || refusalOf(actor, String(one['x-operation'])) === undefined,
      ),
    ),
  ])
  const text = JSON.stringify({ ...document, paths: Object.fromEntries(paths) })
  return (await openContract(written(`${role}-${merchantId ?? 'staff'}.json`, text))).contract
}

/** Values that the examples of the contract do not have, because they are those of one database. */
const VALUES = {
  depositToWallet: {
    body: { currency: 'UGX', amount: '5000', reference: '{uuid}', reason: 'Bank transfer of today' },
    parameters: { merchant: 'pub_sandbox_demo', 'Idempotency-Key': '{uuid}' },
  },
}

test.each([
  ...STAFF_ROLES.map((role) => [role, 'staff', baseUrl, undefined] as const),
  ...MERCHANT_ROLES.map((role) => [role, 'a merchant', merchantsUrl, 1n] as const),
])('the suite finds nothing as %s of %s', { timeout: 120_000 }, async (role, _whose, url, merchantId) => {
  const contract = await contractOf(role, merchantId)
  const credential = { ...schemesOf(contract)[0]!, value: await token(role, merchantId) }
  const isAdmin = role === 'admin'
  const { findings, results } = await runForeignSuite({
    url: `${url}/api`,
    contract,
    credentials: { [credential.name]: credential },
    headers: {},
    // Only who may do everything must succeed with them.
    values: parseValues(JSON.stringify(isAdmin ? VALUES : {}), contract),
    seed: 1,
    size: 'pull-request',
    only: isAdmin ? ['declared', 'wire', 'rules'] : ['declared', 'rules'],
    log: () => undefined,
  })
  expect(findings.map(({ about, what }) => `${about} ${what}`)).toEqual([])
  expect(results[0]).toMatchObject({ part: 'declared', status: 'passed' })
})
