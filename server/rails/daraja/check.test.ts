import { expect, test } from 'vitest'
import { darajaAtTest, NOW, PULL, refused, TOKEN } from './testing/daraja-at-test.ts'

const date = NOW.toUTCString()
const TOKEN_GIVEN = { status: 200, body: { access_token: 't', expires_in: 3599 }, headers: { date } }

test('lists what is in order row by row, and moves no money', async () => {
  const { operator, adapter, records } = await darajaAtTest({ settings: { pull: 'yes' } })
  operator.on(TOKEN, TOKEN_GIVEN)
  operator.on(PULL, { status: 200, body: { ResponseCode: '1001' } })
  expect(await adapter.check({ account: '254712345678' })).toEqual([
    { what: 'credentials', ok: true, detail: 'a token was given' },
    { what: 'clock', ok: true, detail: "agrees with Safaricom's" },
    { what: 'callbacks', ok: true, detail: 'come to pay.example' },
    {
      what: 'collections',
      ok: true,
      detail: 'CustomerPayBillOnline by 174379 to 174379; whether the passkey is right shows at the first prompt',
    },
    { what: 'payouts', ok: true, detail: 'the certificate holds until 2027-01-01' },
    { what: 'pull', ok: true, detail: 'the payments of the last hour were listed' },
    { what: 'account', ok: true, detail: 'not checked: M-PESA has no call for it' },
  ])
  expect(records.map(({ purpose }) => purpose)).toEqual(['check', 'token', 'check'])
})

test("reports a fault in the operator's words", async () => {
  const { operator, adapter, clock } = await darajaAtTest({
    settings: { pull: 'yes' },
    callbackUrl: () => undefined,
  })
  operator.on(TOKEN, TOKEN_GIVEN)
  operator.on(PULL, refused(400, '400.002.02'))
  clock.advance(365 * 24 * 3600 * 1000)
  const rows = await adapter.check({})
  expect(rows.filter(({ ok }) => !ok).map(({ what, detail }) => [what, detail])).toEqual([
    ['clock', "31536000 s ahead of Safaricom's"],
    ['callbacks', expect.stringContaining('no public address')],
    ['payouts', expect.stringContaining('ended on 2027-01-01')],
    ['pull', '400.002.02: The words of 400.002.02'],
  ])
})

test('refused credentials end the checks that need them', async () => {
  const { operator, adapter } = await darajaAtTest({ settings: { pull: 'yes' } })
  operator.on(TOKEN, refused(400, '400.008.01'))
  const rows = await adapter.check({})
  expect(rows[0]).toEqual({ what: 'credentials', ok: false, detail: '400.008.01: The words of 400.008.01' })
  expect(rows.map(({ what }) => what)).not.toContain('pull')
  expect(JSON.stringify(rows)).not.toMatch(/the-consumer|the-passkey|the-initiator/)
})

test.each([
  [{ status: 200, body: { ResponseStatus: '1000' } }, true, /registered now/],
  [{ status: 200, body: { ResponseStatus: 1001 } }, true, /before/],
  [{ status: 200, body: { ResponseStatus: '1002' } }, false, /1002/],
  [refused(400, '400.002.02'), false, /400\.002\.02/],
] as const)('registers the short code for pull transactions: %j', async (answer, ok, detail) => {
  const { operator, adapter } = await darajaAtTest({ settings: { pull: 'yes', pull_number: '254712345678' } })
  operator.on(TOKEN, TOKEN_GIVEN)
  operator.on(PULL, { status: 200, body: { ResponseCode: '1001' } })
  operator.on('POST /pulltransactions/v1/register', answer)
  const row = (await adapter.check({})).find(({ what }) => what === 'pull registration')
  expect(row).toEqual({ what: 'pull registration', ok, detail: expect.stringMatching(detail) as unknown })
  expect(operator.requestsTo('POST /pulltransactions/v1/register')[0]?.json()).toMatchObject({
    ShortCode: '174379',
    NominatedNumber: '254712345678',
    CallBackURL: expect.stringMatching(/\/pulled$/) as unknown,
  })
})

test.each([
  [{ status: 200, body: { ResponseCode: '0' } }, true, /are registered/],
  [{ status: 500, body: { errorCode: '500.003.1001', errorMessage: 'Urls are already registered' } }, true, /before/],
  [
    { status: 500, body: { errorCode: '500.003.1001', errorMessage: 'Duplicate notification info, SP ID 6' } },
    false,
    /older/,
  ],
  [refused(400, '400.002.02'), false, /400\.002\.02/],
] as const)('registers the addresses of payments without an order: %j', async (answer, ok, detail) => {
  const { operator, adapter } = await darajaAtTest({ settings: { unrequested: 'yes' } })
  operator.on(TOKEN, TOKEN_GIVEN)
  operator.on('POST /mpesa/c2b/v2/registerurl', answer)
  const row = (await adapter.check({})).find(({ what }) => what === 'payments without an order')
  expect(row).toEqual({ what: 'payments without an order', ok, detail: expect.stringMatching(detail) as unknown })
  expect(operator.requestsTo('POST /mpesa/c2b/v2/registerurl')[0]?.json()).toMatchObject({
    ShortCode: '174379',
    ResponseType: 'Completed',
    ConfirmationURL: expect.stringMatching(/\/paid$/) as unknown,
    ValidationURL: expect.stringMatching(/\/wanted$/) as unknown,
  })
})
