import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { refusalOf, type Actor } from '../../domain/people/actor.ts'
import { OPERATIONS, STAFF_ROLES, type StaffRole } from '../../domain/people/roles.ts'
import { payoutBalance } from '../../verification/testing/requests.ts'
import { adminApiTest } from './testing/admin-api-test.ts'
import { CONTRACT_OPERATIONS, pathOf, type ContractOperation } from './testing/contract-operations.ts'

const { gateway, baseUrl, merchantsUrl, token, client, key } = await adminApiTest()
const tokens = new Map<StaffRole, string>()
for (const role of STAFF_ROLES) tokens.set(role, await token(role))
const tokenOf = (role: StaffRole): string => tokens.get(role) ?? ''
const finance = client(tokenOf('finance'))

/** A request whose path is one of an example; no body, because the role is judged before. */
async function requested(operation: ContractOperation, bearer?: string) {
  const headers = { ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) }
  const reply = await fetch(`${baseUrl}/api${pathOf(operation)}`, { method: operation.method, headers })
  const { message = '' } = reply.headers.get('content-type')?.includes('json')
    ? ((await reply.json()) as { message?: string })
    : {}
  return { status: reply.status, message }
}

test('every operation of the contract is a row of the roles', () => {
  expect(CONTRACT_OPERATIONS.filter(({ operation }) => !(operation in OPERATIONS))).toEqual([])
})

test.each(CONTRACT_OPERATIONS)('$operationId serves the roles of $operation and no others', async (operation) => {
  expect((await requested(operation)).status).toBe(401)
  for (const role of STAFF_ROLES) {
    const { status, message } = await requested(operation, tokenOf(role))
    const actor = { kind: 'staff', role, name: '', personId: 0n, address: '' } satisfies Actor
    if (refusalOf(actor, operation.operation) === undefined) expect([role, status]).not.toEqual([role, 403])
    else expect([role, status, message]).toEqual([role, 403, expect.stringContaining(operation.operation)])
  }
})

test('books a deposit once however often it is sent, with who and why', async () => {
  const before = await payoutBalance(gateway.url)
  const deposit = (headers: ReturnType<typeof key>, reference: string, amount = '5000') =>
    finance.POST('/merchants/{merchant}/deposits', {
      params: { path: { merchant: 'pub_sandbox_demo' }, header: headers },
      body: { currency: 'UGX', amount, reference, reason: 'Bank transfer of today' },
    })
  const headers = key()
  const replies = await Promise.all([1, 2, 3].map(() => deposit(headers, 'BANK-1')))
  expect(replies.map(({ response }) => response.status)).toEqual([200, 200, 200])
  expect(new Set(replies.map(({ data }) => JSON.stringify(data)))).toHaveProperty('size', 1)
  expect(await payoutBalance(gateway.url)).toBe(before + 5_000)
  expect((await deposit(headers, 'BANK-1', '6000')).error).toMatchObject({
    code: 409,
    message: 'this Idempotency-Key was used for another request',
  })
  for (const again of ['BANK-1', ' bank-1\u00a0'])
    expect((await deposit(key(), again)).error?.message).toMatch(/^the reference BANK-1 was used before: transfer/)
  const { rows } = await gateway.pool.query(
    `select actor_kind, role, reason, reference, request_id from audit_log where command = 'wallet deposit'`,
  )
  expect(rows).toEqual([
    {
      actor_kind: 'staff',
      role: 'finance',
      reason: 'Bank transfer of today',
      reference: 'BANK-1',
      request_id: expect.any(String),
    },
  ])
})

test('one reference in two spellings, at the same time, is one deposit', async () => {
  const deposits = ['FT26-1', 'ft26-1', 'Ft26-1'].map((reference) =>
    finance.POST('/merchants/{merchant}/deposits', {
      params: { path: { merchant: 'pub_sandbox_demo' }, header: key() },
      body: { currency: 'UGX', amount: '100', reference, reason: 'Bank transfer of today' },
    }),
  )
  const statuses = (await Promise.all(deposits)).map(({ response }) => response.status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409])
})

test('bad input gets an exact message and changes nothing', async () => {
  const bad = async (body: object, headers: object = key()) => {
    const reply = await fetch(`${baseUrl}/api/merchants/pub_sandbox_demo/deposits`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokenOf('finance')}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    })
    return ((await reply.json()) as { message: string }).message
  }
  const right = { currency: 'UGX', amount: '5000', reference: randomUUID(), reason: 'A reason' }
  expect(await bad({ ...right, reason: undefined })).toBe('reason is required')
  expect(await bad({ ...right, amount: '5,000' })).toBe(
    'amount must be an amount in major units, such as 5000 or 10.50',
  )
  expect(await bad({ ...right, amount: '0' })).toBe('the amount must be above 0')
  expect(await bad({ ...right, reference: 'BANK-1\u200b' })).toBe(
    'reference has an invisible character (U+200B): type it again',
  )
  expect(await bad({ ...right, reference: '  ' })).toBe('reference must not be blank')
  expect(await bad({ ...right, colour: 'red' })).toBe('colour is not allowed')
  expect(await bad({ ...right, reason: 'password: hunter2 +256772000123' })).toMatch(/^reason must hold no password/)
  expect(await bad(right, {})).toBe('Idempotency-Key is required')
})

test('a person whose access ends is refused at once', async () => {
  const leaving = await token('support')
  expect((await client(leaving).GET('/me')).data?.data.role).toBe('support')
  await gateway.pool.query(`update people set ended_at = now() where id = (select person_id from person_tokens
    order by created_at desc, person_id desc limit 1)`)
  expect((await client(leaving).GET('/me')).response.status).toBe(401)
})

test('each listener serves its people only, and merchants no operation of staff', async () => {
  const owner = await token('owner', 1n)
  const me = async (url: string, bearer: string) =>
    (await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${bearer}` } })).status
  expect(await Promise.all([me(baseUrl, owner), me(merchantsUrl, owner)])).toEqual([401, 200])
  expect(await me(merchantsUrl, tokenOf('admin'))).toBe(401)
  const suspend = await fetch(`${merchantsUrl}/api/merchants/1/suspend`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner}` },
  })
  expect(suspend.status).toBe(404)
})
