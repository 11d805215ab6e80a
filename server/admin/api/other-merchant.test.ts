import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { MERCHANT_OPERATIONS } from '../../domain/people/roles.ts'
import { present } from '../../domain/present.ts'
import { addMerchant } from '../../verification/testing/another-merchant.ts'
import { collect, mobileMoneyPayout, payOut, postJson, uniqueReference } from '../../verification/testing/requests.ts'
import { adminApiTest } from './testing/admin-api-test.ts'
import { CONTRACT_OPERATIONS, pathOf, type ContractOperation } from './testing/contract-operations.ts'

// An owner of the demo merchant names what another merchant has, in every operation of the contract: one that is added
// and forgets whose it is fails here. A new name in a path needs its row in THEIRS.

const { gateway, clock, after, receiver, token, merchantsUrl, person } = await adminApiTest()
const { pool } = gateway
const NAME = 'Another shop'
const other = await addMerchant(gateway, { name: NAME, payoutBalances: { UGX: 100_000 } }, clock.now())
const [PAYMENT, WAITING, BATCH] = [uniqueReference(), uniqueReference(), uniqueReference()]
const header = { 'public-key': other.publicKey }
await collect(gateway.url, { merchant_reference: PAYMENT }, header)
for (let n = 0; n < 4; n += 1) await after(3_000)
await pool.query(
  `insert into approval_rules (operation, merchant_id, currency, from_minor, created_at)
   values ('payouts', $1, 'UGX', 1, $2)`,
  [other.id, clock.now()],
)
await pool.query('update merchants set verification_url = $2 where id = $1', [other.id, receiver.url])
await gateway.refresh()
const payout = await payOut(gateway.url, { merchant_reference: WAITING }, { ...header, 'secret-key': other.secretKey })
expect(payout).toMatchObject({ status: 202 })
const batch = { batch_reference: BATCH, payouts: [mobileMoneyPayout({ merchant_reference: uniqueReference() })] }
expect(
  await postJson(gateway.url, '/payout/batches', batch, { ...header, 'secret-key': other.secretKey }),
).toMatchObject({ status: 202 })

const [row] = (
  await pool.query<Readonly<Record<string, bigint | string>>>(
    `select t.id, t.internal_reference as internal, c.id as callback, (select min(a.id) from approvals a) as approval
     from transactions t join callbacks c on c.transaction_id = t.id where t.merchant_reference = $1`,
    [PAYMENT],
  )
).rows
const { id, internal, callback, approval } = present(row, 'the payment with its callback')
const { id: personId, email } = await person('Bea', 'owner', other.id)
const authorization = `Bearer ${await token('owner', other.id)}`
expect(
  await fetch(`${merchantsUrl}/api/callbacks/${callback}/test`, { method: 'POST', headers: { authorization } }),
).toMatchObject({ status: 200 })

/** What the other merchant has, by the name that paths and queries give it. */
const THEIRS: Readonly<Record<string, readonly unknown[]>> = {
  merchant: [other.publicKey, other.id],
  payment: [PAYMENT, id, internal],
  callback: [callback],
  approval: [approval],
  batch: [BATCH],
  person: [personId],
  month: [clock.now().toISOString().slice(0, 7)],
}
/** What no reply to anybody else holds. */
const MARKS = [NAME, other.publicKey, PAYMENT, WAITING, BATCH, String(internal), email]

const owner = await token('owner', 1n)
async function sent(operation: ContractOperation, path: string, body = operation.body) {
  const reply = await fetch(`${merchantsUrl}/api${path}`, {
    method: operation.method,
    headers: {
      authorization: `Bearer ${owner}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: reply.status, text: await reply.text() }
}

/** Every way to name something of the other merchant, the rest being that of the caller. */
function waysIn(operation: ContractOperation): readonly { readonly path: string; readonly body?: object }[] {
  const { parameters, body } = operation
  const names = parameters.filter((one) => one.in === 'path').map(({ name }) => name)
  const unknown = names.filter((name) => !(name in THEIRS))
  if (unknown.length > 0) throw new Error(`THEIRS has nothing for ${unknown.join(', ')} of ${operation.operationId}`)
  const first = Object.fromEntries(names.map((name) => [name, String(THEIRS[name]?.[0])]))
  const inPath = names.flatMap((name) =>
    (THEIRS[name] ?? []).map((value) => ({
      path: pathOf(operation, { ...first, [name]: encodeURIComponent(String(value)) }),
    })),
  )
  if (names.length > 0) return inPath
  const inQuery = parameters.filter((one) => one.in === 'query' && one.name in THEIRS)
  const inBody = Object.keys(body ?? {}).filter((name) => name in THEIRS)
  return [
    ...inQuery.map(({ name }) => ({ path: `${operation.path}?${name}=${String(THEIRS[name]?.[0])}` })),
    ...inBody.map((name) => ({
      path: operation.path,
      body: { ...(body as object), [name]: String(THEIRS[name]?.[0]) },
    })),
  ]
}

const SERVED = CONTRACT_OPERATIONS.filter(({ operation }) => operation in MERCHANT_OPERATIONS)

test.each(SERVED)('$operationId finds nothing of another merchant', async (operation) => {
  for (const { path, body } of waysIn(operation)) {
    const { status, text } = await sent(operation, path, body)
    expect([path, status, text]).toEqual([path, 404, expect.any(String)])
  }
})

test.each(SERVED.filter(({ path, method }) => method === 'GET' && !path.includes('{')))(
  '$operationId has no row of another merchant',
  async (operation) => {
    const { status, text } = await sent(operation, operation.path)
    expect(status).toBe(200)
    expect(MARKS.filter((mark) => text.includes(mark))).toEqual([])
  },
)

test('nothing was done to the other merchant', async () => {
  const { rows } = await pool.query(
    "select command, subject from audit_log where merchant_id = $1 and actor_kind = 'merchant'",
    [other.id],
  )
  expect(rows).toEqual([])
})
