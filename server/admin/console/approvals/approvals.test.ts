import { expect, test } from 'vitest'
import type { PayoutRequest } from '../../../../client/index.ts'
import { present } from '../../../domain/present.ts'
import { mobileMoneyPayout, uniqueReference } from '../../../verification/testing/requests.ts'
import { adminApiTest } from '../../api/testing/admin-api-test.ts'
import { headingOf, type TestBrowser } from '../../sign-in/testing/sign-in-test.ts'

// A merchant's people approve its payouts with a browser, without script.

const { gateway, clock, malipo, person, setUp, signIn, after, client, token, key } = await adminApiTest()
const { pool } = gateway
const MINUTE_MS = 60_000

const merchant = async (publicKey: string): Promise<bigint> =>
  present(
    (await pool.query<{ id: bigint }>('select id from merchants where public_key = $1', [publicKey])).rows[0],
    'the merchant',
  ).id
const demo = await merchant('pub_sandbox_demo')
await pool.query(
  `insert into approval_rules (operation, merchant_id, currency, from_minor, created_at) values ('payouts', $1, 'UGX', 1000, now())`,
  [demo],
)

/** A payout that waits. @returns its reference, and the path of its request */
async function waitingPayout(): Promise<{ reference: string; path: string }> {
  const reference = uniqueReference()
  const order = mobileMoneyPayout({ merchant_reference: reference, account_number: '256772000123' })
  await malipo.payouts.send(order as unknown as PayoutRequest)
  const { rows } = await pool.query<{ id: bigint }>(
    'select a.id from approvals a join transactions t on t.id = a.transaction_id where t.merchant_reference = $1',
    [reference],
  )
  return { reference, path: `/approvals/${present(rows[0], 'the request').id}` }
}

const stateOf = async (reference: string): Promise<string> => {
  const { transaction_status: status, status_message: message } = await malipo.transactions.verify(reference)
  return `${status}: ${message}`
}

/** Sends the form of a request, as a browser does. */
async function decide(opened: TestBrowser, path: string, fields: Readonly<Record<string, string>>) {
  const { body } = await opened.get(path)
  const digest = /name="digest" value="([^"]+)"/.exec(body)?.[1] ?? ''
  return opened.post(path, { digest, reason: 'Invoice 12 of the printer', ...fields })
}

const owner = await person('Amani', 'owner', demo)
const { browser: amani, ...app } = await setUp(owner)

test('shows an owner what waits, and sends the payout once it is approved', async () => {
  const { reference, path } = await waitingPayout()
  expect((await amani.get('/approvals')).body).toContain(path)
  const { body } = await amani.get(path)
  expect(body).toContain(reference)
  expect(body).not.toContain('256772000123')
  expect((await decide(amani, path, { decision: 'approve' })).location).toBe('/approvals')
  expect((await amani.get('/approvals')).body).not.toContain(path)
  await after(2_000)
  await after(2_000)
  expect(await stateOf(reference)).toBe('COMPLETED: Transaction Completed Successfully')
  const again = await amani.post(path, { decision: 'approve', reason: 'Once more', digest: '0'.repeat(64) })
  expect(again.body).toContain('was not decided: it no longer waits')
  const { rows } = await pool.query(
    `select command, actor, role, merchant_id, reason from audit_log where command like 'approval %'`,
  )
  expect(rows).toEqual([
    {
      command: 'approval approve',
      actor: 'Amani',
      role: 'owner',
      merchant_id: demo,
      reason: 'Invoice 12 of the printer',
    },
  ])
})

test('fails a payout that is refused', async () => {
  const { reference, path } = await waitingPayout()
  await decide(amani, path, { decision: 'refuse' })
  expect(await stateOf(reference)).toBe("FAILED: Payout refused by the merchant's approver")
})

test('asks for the reason, and keeps what was typed', async () => {
  const { path } = await waitingPayout()
  const reply = await decide(amani, path, { decision: 'approve', reason: 'no' })
  expect(reply.body).toContain('<a href="#reason">reason must have 3 to 500 characters')
  expect(reply.body).toContain('value="no"')
})

test.each(['developer', 'read-only'])('the role %s sees a request, and cannot decide it', async (role) => {
  const { reference, path } = await waitingPayout()
  const { browser: opened } = await setUp(await person(`Baraka ${role}`, role, demo))
  expect((await opened.get(path)).body).not.toContain('name="decision"')
  const { body } = await amani.get(path)
  const digest = present(/name="digest" value="([^"]+)"/.exec(body)?.[1], 'the digest')
  const reply = await opened.post(path, { digest, decision: 'approve', reason: 'I want it' })
  expect(reply.body).toContain('approval approve is for the role owner or finance')
  expect(await stateOf(reference)).toMatch(/^PENDING/)
})

test('approves nothing by the digest of another order', async () => {
  const { reference, path } = await waitingPayout()
  const reply = await decide(amani, path, { decision: 'approve', digest: '0'.repeat(64) })
  expect(reply.body).toContain('what would be executed differs from what was requested')
  expect(await stateOf(reference)).toMatch(/^PENDING/)
})

test("hides a request from another merchant's people, and staff only read it", async () => {
  const { path } = await waitingPayout()
  const { rows } = await pool.query<{ id: bigint }>(
    `insert into merchants (name, public_key, created_at) values ('Other', 'pub_other', now()) returning id`,
  )
  const other = await setUp(await person('Chege', 'owner', present(rows[0], 'the merchant').id))
  const staff = await setUp(await person('Dalila', 'admin'))
  const decision = { decision: 'approve', reason: 'Let me', digest: '0'.repeat(64) }
  expect(headingOf(await other.browser.get(path))).toBe('Not found')
  expect((await other.browser.post(path, decision)).status).toBe(404)
  expect((await staff.browser.get(path)).body).not.toContain('name="decision"')
  expect((await staff.browser.post(path, decision)).body).toContain('your role may not decide about it')
  expect((await other.browser.get('/approvals')).body).not.toContain(path)
})

test('asks who signed in a while ago to prove who they are, before the form', async () => {
  const { path } = await waitingPayout()
  const opened = await signIn(owner, app)
  clock.advance(6 * MINUTE_MS)
  expect((await opened.get('/approvals')).status).toBe(200)
  expect((await opened.get(path)).location).toBe(`/again?next=${encodeURIComponent(path)}`)
})

test('shows a new key once, to who approves it', async () => {
  await pool.query(`insert into approval_rules (operation, created_at) values ('keys', now())`)
  const maker = client(await token('admin'))
  const asked = await maker.POST('/merchants/{merchant}/keys', {
    params: { path: { merchant: 'pub_sandbox_demo' }, header: key() },
    body: { kind: 'secret_key', reason: 'Yearly rotation' },
  })
  expect(asked.response.status).toBe(202)
  const { rows } = await pool.query<{ id: bigint }>(`select id from approvals where operation = 'keys'`)
  const { browser: approver } = await setUp(await person('Zola', 'admin'))
  const path = `/approvals/${present(rows[0], 'the request').id}`
  const { body, headers } = await decide(approver, path, { decision: 'approve' })
  expect(body).toMatch(/sec_[a-z0-9]{48}/)
  expect(headers.get('cache-control')).toBe('no-store')
  const { rows: stored } = await pool.query('select 1 from admin_requests where outcome::text like $1', ['%sec_%'])
  expect(stored).toEqual([])
})
