import { expect, test } from 'vitest'
import { NoAnswer } from '../operator-errors.ts'
import type { ScriptedAnswer } from '../testing/scripted-operator.ts'
import { connected, CREDENTIALS } from './testing/connected.ts'

const ACCOUNT = '256772000123'
const ACTIVE = 'GET /collection/v1_0/accountholder/msisdn/{number}/active'
const NAME = 'GET /collection/v1_0/accountholder/msisdn/{number}/basicuserinfo'
const balance = (product: string): string => `GET /${product}/v1_0/account/balance`
const ok = (body: unknown): ScriptedAnswer => ({ status: 200, body })
const refusal = (status: number, body: unknown): ScriptedAnswer => ({ status, body })
const withoutDisbursement = {
  disbursement_subscription_key: '',
  disbursement_api_user: '',
  disbursement_api_key: '',
}

test('each product has a balance of its own', async () => {
  const { operator, adapter } = await connected()
  operator.on(balance('collection'), ok({ availableBalance: '1000', currency: 'UGX' }))
  operator.on(balance('disbursement'), ok({ availableBalance: '15.00', currency: 'EUR' }))
  expect(await adapter.balances()).toEqual([
    { account: 'collections', available: { amountMinor: 1000n, currency: 'UGX' } },
    { account: 'disbursements', isFloat: true, available: { amountMinor: 1500n, currency: 'EUR' } },
  ])
})

test.each<[string, ScriptedAnswer]>([
  ['a refusal', refusal(500, { code: 'NOT_ALLOWED', message: 'x' })],
  ['a balance with more decimals than its currency', ok({ availableBalance: '1.5', currency: 'UGX' })],
  ['a balance below zero', ok({ availableBalance: '-1', currency: 'UGX' })],
  ['a balance that is no number', ok({ availableBalance: 'none', currency: 'UGX' })],
])('%s is no balance', async (_what, answer) => {
  const { operator, adapter } = await connected({ settings: withoutDisbursement })
  operator.on(balance('collection'), answer)
  await expect(adapter.balances()).rejects.toThrow(NoAnswer)
})

test.each([{ result: true }, { result: 'true' }, true, 'true'])('%j: the account is active', async (answer) => {
  const { operator, adapter } = await connected()
  operator.on(ACTIVE, { status: 200, body: JSON.stringify(answer), headers: { 'content-type': 'application/json' } })
  operator.on(NAME, ok({ given_name: 'Sand', family_name: 'Box', birthdate: '1976-08-13' }))
  expect(await adapter.holder?.(ACCOUNT)).toEqual({ knows: 'active', name: 'Sand Box' })
})

test.each([{ result: false }, { result: 'false' }, false, 'false'])('%j: the account is inactive', async (answer) => {
  const { operator, adapter } = await connected()
  operator.on(ACTIVE, { status: 200, body: JSON.stringify(answer), headers: { 'content-type': 'application/json' } })
  expect(await adapter.holder?.(ACCOUNT)).toEqual({ knows: 'inactive' })
  expect(operator.requestsTo(NAME)).toEqual([])
})

test('an account unknown to MTN is absent; every other refusal says nothing of it', async () => {
  const { operator, adapter } = await connected()
  operator.on(
    ACTIVE,
    refusal(404, { code: 'RESOURCE_NOT_FOUND', message: 'x' }),
    refusal(404, { statusCode: 404, message: 'x' }),
    refusal(500, { code: 'NOT_ALLOWED', message: 'x' }),
    'close_after_reading',
  )
  const answers = []
  for (let queried = 0; queried < 4; queried += 1) answers.push((await adapter.holder?.(ACCOUNT))?.knows)
  expect(answers).toEqual(['no_account', 'unreachable', 'unreachable', 'unreachable'])
})

test('omits a name that MTN does not return, or returns with another number', async () => {
  const { operator, adapter } = await connected()
  operator.on(ACTIVE, ok({ result: true }))
  operator.on(
    NAME,
    refusal(500, { code: 'NOT_ALLOWED', message: 'x' }),
    ok({ family_name: 'Box' }),
    ok({}),
    ok({ code: 'X', message: 'y' }),
    ok({ given_name: 'Ann', msisdn: '256772000999' }),
  )
  expect(await adapter.holder?.(ACCOUNT)).toEqual({ knows: 'active' })
  expect(await adapter.holder?.(ACCOUNT)).toEqual({ knows: 'active', name: 'Box' })
  for (let more = 0; more < 3; more += 1) expect(await adapter.holder?.(ACCOUNT)).toEqual({ knows: 'active' })
})

test('a check tries token, balance and account of each product', async () => {
  const { operator, adapter } = await connected()
  for (const product of ['collection', 'disbursement']) {
    operator.on(balance(product), ok({ availableBalance: '1000', currency: 'UGX' }))
    operator.on(`GET /${product}/v1_0/accountholder/msisdn/{number}/active`, ok({ result: product === 'collection' }))
  }
  expect(await adapter.check({ account: ACCOUNT })).toEqual([
    { what: 'token for collections', ok: true, detail: 'valid for 3600 s' },
    { what: 'balance of collections', ok: true, detail: '1000 UGX' },
    { what: 'account *********123 by collections', ok: true, detail: 'active' },
    { what: 'token for disbursements', ok: true, detail: 'valid for 3600 s' },
    { what: 'balance of disbursements', ok: true, detail: '1000 UGX' },
    { what: 'account *********123 by disbursements', ok: false, detail: 'not active' },
  ])
})

test('a check requests a new token: a cached one says nothing about the credentials', async () => {
  const { operator, adapter } = await connected({ settings: withoutDisbursement })
  operator.on(balance('collection'), ok({ availableBalance: '1000', currency: 'UGX' }))
  await adapter.balances()
  operator.on('POST /collection/token/', refusal(401, { statusCode: 401, message: 'Access denied' }))
  expect(await adapter.check({})).toEqual([
    { what: 'token for collections', ok: false, detail: 'HTTP 401: Access denied' },
  ])
})

test("reports failures in MTN's words, and skips what needs a missing token", async () => {
  const { operator, adapter } = await connected({ settings: withoutDisbursement })
  operator.on(balance('collection'), refusal(500, { code: 'NOT_ALLOWED_TARGET_ENVIRONMENT', message: 'Not here.' }))
  operator.on(ACTIVE, 'close_after_reading')
  expect(await adapter.check({ account: ACCOUNT })).toEqual([
    { what: 'token for collections', ok: true, detail: 'valid for 3600 s' },
    { what: 'balance of collections', ok: false, detail: 'HTTP 500: NOT_ALLOWED_TARGET_ENVIRONMENT: Not here.' },
    {
      what: 'account *********123 by collections',
      ok: false,
      detail: expect.stringMatching(/^the connection/) as string,
    },
  ])
  operator.on('POST /collection/token/', refusal(500, { error: 'login_failed' }))
  expect(await adapter.check({ account: ACCOUNT })).toEqual([
    { what: 'token for collections', ok: false, detail: 'HTTP 500: login_failed' },
  ])
})

test('an account in another currency than the rail account is a fault of its settings', async () => {
  const { operator, adapter } = await connected({ settings: withoutDisbursement })
  operator.on(balance('collection'), ok({ availableBalance: '1000', currency: 'EUR' }))
  expect((await adapter.check({}))[1]).toEqual({
    what: 'balance of collections',
    ok: false,
    detail: '1000 EUR, and the rail account is in UGX',
  })
})

test('no secret or number leaves a check, even where MTN repeats it', async () => {
  const { operator, adapter } = await connected({ settings: withoutDisbursement })
  const secrets = Object.values(CREDENTIALS).join(' ')
  operator.on(ACTIVE, refusal(500, { code: 'NOT_ALLOWED', message: `${ACCOUNT}\n${secrets}` }))
  operator.on(balance('collection'), refusal(500, { code: 'NOT_ALLOWED', message: secrets }))
  const reported = JSON.stringify(await adapter.check({ account: ACCOUNT }))
  for (const [name, secret] of Object.entries({ ...CREDENTIALS, account: ACCOUNT }))
    if (!name.startsWith('disbursement')) expect(reported).not.toContain(secret)
})
