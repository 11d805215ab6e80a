import { expect, test } from 'vitest'
import { adminApiTest } from '../../server/admin/api/testing/admin-api-test.ts'
import { importLines, installed } from '../../server/admin/queries/statements/testing/installed.ts'
import document from '../../generated/admin.json' with { type: 'json' }
import { refusalOf, type Actor } from '../../server/domain/people/actor.ts'
import { MERCHANT_ROLES, STAFF_ROLES } from '../../server/domain/people/roles.ts'
import { collect, uniqueReference } from '../../server/verification/testing/requests.ts'
import { sampledByDefault, testNightly } from '../../server/verification/testing/nightly.ts'
import { temporaryFolder } from '../../server/verification/testing/temporary-folder.ts'
import { schemesOf } from '../driver/credentials.ts'
import { openContract } from './contract-file.ts'
import { foreignRun } from './testing/foreign-run.ts'

// The suite on the admin API, once for each role, with the operations that the role may use: `admin-api.test.ts` asks
// for the others.

// A fast machine would otherwise be refused by 429, which covers less of the contract.
const { gateway, clock, after, baseUrl, merchantsUrl, token } = await adminApiTest({
  MALIPO_RATE_LIMIT: '1000000',
  MALIPO_RATE_LIMIT_ADDRESS: '1000000',
})
const { written } = temporaryFolder()

interface Parameter {
  readonly in?: string
  readonly schema?: object
}

/** An empty query parameter counts as absent, which no schema says. */
const withEmpty = (_name: string, value: unknown): unknown =>
  (value as Parameter | null)?.in === 'query'
    ? { ...(value as Parameter), schema: { anyOf: [(value as Parameter).schema, { enum: [''] }] } }
    : value

/** The contract as far as a role may use it. */
async function contractOf(role: string, merchantId: bigint | undefined, replacer?: typeof withEmpty) {
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
  const text = JSON.stringify({ ...document, paths: Object.fromEntries(paths) }, replacer)
  return (await openContract(written(`${role}-${merchantId ?? 'staff'}-${replacer?.name}.json`, text))).contract
}

/** What the examples of the contract name: a payment that waits for its operator, and one with its callback. */
const PAID = uniqueReference()
const ACCOUNT = 'mtn-uganda'
await installed(gateway.pool, ACCOUNT, { statement_window_hours: '0', statement_account: 'KE123456789' })
const line = { source: 0, account: '', lineNumber: 1n, reference: 'LINE-1', bookedOn: '2026-01-01', feeMinor: 0n }
await importLines(
  gateway.pool,
  ACCOUNT,
  [{ ...line, at: clock.now(), direction: 'in' as const, amountMinor: 5_000n }],
  clock.now(),
  { name: 'day.csv' },
)
await collect(gateway.url, { merchant_reference: 'ORDER-2026-0001', msisdn: '256772888006' })
await collect(gateway.url, { merchant_reference: PAID })
for (let n = 0; n < 4; n += 1) await after(3_000)
const { rows } = await gateway.pool.query<{ id: bigint }>('select id from callbacks order by id limit 1')
const callback = { parameters: { callback: String(rows[0]?.id) } }

/** What no schema says: both ends of a move or of a time are one each, and the key of an example is used once. */
const $refusals = [
  'from and to must name the two different wallets',
  'until must not be before since',
  'this Idempotency-Key was used for another request',
]
/** Values that the examples of the contract do not have, because they are those of one database. */
const VALUES = {
  depositToWallet: {
    body: { currency: 'UGX', amount: '5000', reference: '{uuid}', reason: 'Bank transfer of today' },
    parameters: { merchant: 'pub_sandbox_demo', 'Idempotency-Key': '{uuid}' },
  },
  transferBetweenWallets: {
    body: { currency: 'UGX', amount: '1', from: 'payout', to: 'collection', reference: '{uuid}', reason: 'A move' },
    parameters: { merchant: 'pub_sandbox_demo', 'Idempotency-Key': '{uuid}' },
  },
  showCallback: callback,
  resendCallback: { parameters: { ...callback.parameters, 'Idempotency-Key': '{uuid}' } },
}

/** How much of the contract's cells a run reaches, in percent: what it reached when this was written, less one. */
const COVERED_MIN = {
  staff: { admin: 31, finance: 33, support: 41, developer: 39, 'read-only': 51 },
  merchants: { owner: 32, finance: 36, developer: 42, 'read-only': 50 },
} as const

const RUNS = [
  ...STAFF_ROLES.map((role) => [role, 'staff', baseUrl, undefined, COVERED_MIN.staff[role]] as const),
  ...MERCHANT_ROLES.map((role) => [role, 'a merchant', merchantsUrl, 1n, COVERED_MIN.merchants[role]] as const),
]
test.each(sampledByDefault('roles with which the suite asks the admin API', RUNS))(
  'the suite finds nothing as %s of %s',
  { timeout: 900_000 },
  async (role, _whose, url, merchantId, coveredMin) => {
    const contract = await contractOf(role, merchantId)
    const isAdmin = role === 'admin'
    const { findings, parts, coverage } = await foreignRun({
      url: `${url}/api`,
      contract,
      credentials: { [schemesOf(contract)[0]!.name]: await token(role, merchantId) },
      // Only who may do everything must succeed with them.
      values: JSON.stringify({ ...(isAdmin && VALUES), $refusals }),
      only: isAdmin ? ['declared', 'wire', 'rules'] : ['declared', 'rules'],
    })
    expect(findings).toEqual([])
    expect(parts[0]).toBe('declared passed')
    expect(coverage.percent).toBeGreaterThanOrEqual(coveredMin)
  },
)

// The last one: nothing is as it was afterwards.
testNightly('Schemathesis finds nothing as an admin', { timeout: 1_800_000 }, async () => {
  const contract = await contractOf('admin', undefined, withEmpty)
  const { findings, results } = await foreignRun({
    url: `${baseUrl}/api`,
    contract,
    credentials: { [schemesOf(contract)[0]!.name]: await token('admin') },
    values: JSON.stringify({ ...VALUES, $refusals }),
    only: ['schemathesis', 'rules'],
  })
  // Business rules refuse much that the schemas allow, and what is drawn: `declared` asks for what must succeed.
  expect(findings.filter((finding) => !finding.includes(' positive_data_acceptance'))).toEqual([])
  expect(results[0]).toMatchObject({ part: 'schemathesis' })
  expect(results[0]?.status).not.toBe('skipped')
})
