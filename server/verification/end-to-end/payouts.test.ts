import { createHmac } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { type PayoutRequest, type Transaction } from '../../../client/index.ts'
import { DEMO_KEYS } from '../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { transfersFor } from '../testing/operators-book.ts'
import { WHY } from '../testing/sandbox-rails.ts'
import { postJson, uniqueMsisdn, uniqueReference, mobileMoneyPayout } from '../testing/requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { forFile } from '../testing/for-file.ts'
import { startReceiver, type ReceiverReply } from '../testing/receiver.ts'

// A payout end to end: our client, HTTP, PostgreSQL, the merchant's verification URL, simulated rail, callback.

const { gateway, after, receiver, malipo } = await gatewayTest({
  toReceiver: ['payout_callback_url'],
  env: { MALIPO_RATE_LIMIT: '100000' },
})
const verification = await forFile(startReceiver())
const verificationUrl = String(new URL('/verify?shop=7', verification.url))
const setVerificationUrl = async (url: string | null): Promise<void> => {
  await gateway.pool.query('update merchants set verification_url = $1', [url])
  await gateway.refresh()
}
await setVerificationUrl(verificationUrl)
beforeEach(() => verification.forget())

const phonePayout = (ending = '123', changes: object = {}) =>
  mobileMoneyPayout({ account_number: uniqueMsisdn(ending), ...changes }) as unknown as PayoutRequest
const bankPayout = (changes: object = {}) =>
  ({
    transaction_method: 'BANK',
    merchant_reference: uniqueReference(),
    currency: 'NGN',
    amount: 5000,
    provider_code: 'bank_ng',
    account_number: '0123456123',
    customer_name: 'Ada Obi',
    description: 'Salary of March',
    extra_params: { bank_code: 'access_bank_ng', branch_code: '044-150149' },
    ...changes,
  }) as PayoutRequest

async function paid(request: PayoutRequest, waitMs = 1000): Promise<Transaction> {
  await malipo.payouts.send(request)
  await after(waitMs)
  return malipo.transactions.verify(request.merchant_reference)
}
const balance = async (currency = 'UGX'): Promise<number> =>
  (await malipo.wallets.list({ currency })).find(({ wallet_type }) => wallet_type === 'MERCHANT_PAYOUT')!
    .available_balance
const heldMinor = async (): Promise<bigint> =>
  (
    await gateway.pool.query<{ held: bigint }>(
      `select coalesce(sum(balance_minor), 0)::bigint as held from accounts where kind = 'payout_held'`,
    )
  ).rows[0]!.held
const transfersOf = (reference: string): Promise<number> => transfersFor(gateway.pool, reference)

describe('a payout', () => {
  test.each([
    ['a phone', phonePayout, 'UGX', 20_100],
    ['a bank account', bankPayout, 'NGN', 5050],
  ])('to %s takes exactly total_debit from the wallet', async (_to, request, currency, totalDebit) => {
    const before = await balance(currency)
    const sent = request()
    const record = await paid(sent)
    expect(record).toMatchObject({
      transaction_type: 'PAYOUT',
      transaction_status: 'COMPLETED',
      total_debit: totalDebit,
      transaction_account: sent.account_number,
      customer_name: sent.customer_name,
    })
    expect(await balance(currency)).toBe(before - totalDebit)
    expect(await transfersOf(sent.merchant_reference)).toBe(1)
    expect(receiver.about(sent.merchant_reference).map(({ json }) => json)).toEqual([
      { event: 'transaction.completed', payload: record },
    ])
    await expectBalancedBooks(gateway)
  })
  test('keeps bank and branch code', async () => {
    const request = bankPayout()
    await malipo.payouts.send(request)
    const { rows } = await gateway.pool.query(
      'select bank_code, branch_code from transactions where merchant_reference = $1',
      [request.merchant_reference],
    )
    expect(rows).toEqual([{ bank_code: 'access_bank_ng', branch_code: '044-150149' }])
  })
  test('that fails releases its hold, and has no charge and no debit', async () => {
    const before = await balance()
    const record = await paid(phonePayout('002'))
    expect(record).toMatchObject({
      transaction_status: 'FAILED',
      status_message: WHY.payout.unable,
      failure_code: 'account_blocked',
      transaction_charge: 0,
      total_debit: 0,
    })
    expect(await balance()).toBe(before)
    expect(await heldMinor()).toBe(0n)
    await expectBalancedBooks(gateway)
  })
  test('holds its money while the rail works', async () => {
    const before = await balance()
    const request = phonePayout('010')
    expect(await paid(request)).toMatchObject({
      transaction_status: 'PROCESSING',
      status_message: 'Transaction Processing',
    })
    expect(await balance()).toBe(before - 20_100)
    expect(await heldMinor()).toBe(20_100n)
    await after(60_000)
    expect(await balance()).toBe(before - 20_100)
    expect(await heldMinor()).toBe(0n)
  })
  test.each([
    ['006', 'PROCESSING', 0],
    ['008', 'COMPLETED', 1],
    ['009', 'COMPLETED', 1],
    ['003', 'FAILED', 0],
    ['004', 'FAILED', 0],
    ['001', 'COMPLETED', 1],
  ])('to test number %s is %s, with %d transfers of the rail', async (ending, status, transfers) => {
    const request = phonePayout(ending)
    await paid(request)
    for (let n = 0; n < 4; n += 1) await after(2000)
    expect(await malipo.transactions.verify(request.merchant_reference)).toMatchObject({ transaction_status: status })
    expect(await transfersOf(request.merchant_reference)).toBe(transfers)
    await expectBalancedBooks(gateway)
  })
  test.each([
    ['002', WHY.payout.unable, 'account_blocked'],
    ['456', WHY.payout.unable, 'account_blocked'],
    ['003', WHY.payout.expired, 'expired'],
    ['004', WHY.payout.declined, 'declined'],
  ])('that fails at test number %s names its recipient: %s (%s)', async (ending, message, code) => {
    const record = await paid(phonePayout(ending))
    expect(record).toMatchObject({ transaction_status: 'FAILED', status_message: message, failure_code: code })
    expect(receiver.about(record.merchant_reference).map(({ json }) => json.payload)).toEqual([record])
  })
  test.each([
    ['a phone', () => phonePayout('005')],
    ['a bank account', () => bankPayout({ account_number: '0123456005' })],
  ])('to %s that ends in 005 just completes: OTPs are for customers only', async (_to, request) => {
    expect(await paid(request())).toMatchObject({ transaction_status: 'COMPLETED' })
  })
  test('paid after its failure is taken from the wallet, once (007)', async () => {
    const before = await balance()
    const request = phonePayout('007')
    expect(await paid(request)).toMatchObject({ transaction_status: 'FAILED', failure_code: 'expired' })
    expect(await balance()).toBe(before)
    await after(2000)
    const record = await malipo.transactions.verify(request.merchant_reference)
    expect(record).toMatchObject({ transaction_status: 'COMPLETED', total_debit: 20_100 })
    expect(record).not.toHaveProperty('failure_code')
    expect(await balance()).toBe(before - 20_100)
    expect(receiver.about(request.merchant_reference)).toHaveLength(2)
    await expectBalancedBooks(gateway)
  })
})

describe('the handshake', () => {
  test("sends the reference, the URL's own query kept, signed over the empty body", async () => {
    const request = phonePayout()
    await paid(request)
    expect(verification.received).toHaveLength(1)
    const { method, path, headers } = verification.received[0]!
    expect([method, path]).toEqual(['GET', `/verify?shop=7&reference=${request.merchant_reference}`])
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', Buffer.from('c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ==', 'base64')).update(signed).digest('base64')}`,
    )
    expect(headers['webhook-id']).toMatch(/^cb_[0-9A-HJKMNP-TV-Z]{26}$/)
  })
  test.each([200, 201, 202, 204, 299])('%d is a yes: the payout goes on at once', async (status) => {
    verification.answer(status)
    expect(await paid(phonePayout())).toMatchObject({ transaction_status: 'COMPLETED' })
    expect(verification.received).toHaveLength(1)
  })
  test.each([400, 403, 404, 499])('%d rejects the payout: no hold, no transfer', async (status) => {
    verification.answer(status)
    const request = phonePayout()
    expect(await paid(request)).toMatchObject({
      transaction_status: 'FAILED',
      status_message: `Payout rejected by the merchant's verification URL (HTTP ${status})`,
      failure_code: 'not_allowed',
    })
    expect(await transfersOf(request.merchant_reference)).toBe(0)
    expect(verification.received).toHaveLength(1)
    expect(receiver.about(request.merchant_reference)).toHaveLength(1)
  })
  const unanswered: readonly (readonly [how: string, answer: ReceiverReply, reported: string])[] = [
    ['redirects', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, ' (HTTP 302)'],
    ['fails', 503, ' (HTTP 503)'],
    ['has no time', 408, ' (HTTP 408)'],
    ['finds it too early', 425, ' (HTTP 425)'],
    ['has too many requests', 429, ' (HTTP 429)'],
    ['resets', 'reset', ''],
  ]
  test.each(unanswered)(
    'retries a server that %s after 5 s, 30 s and 2 min, then fails with its status',
    async (_how, answer, reported) => {
      verification.answer(answer)
      const request = phonePayout()
      await malipo.payouts.send(request)
      await gateway.runDue()
      for (const [index, seconds] of [5, 30, 120].entries()) {
        expect(verification.received).toHaveLength(index + 1)
        await after(seconds * 1000 - 1)
        expect(verification.received).toHaveLength(index + 1)
        await after(1)
      }
      expect(verification.received).toHaveLength(4)
      expect(new Set(verification.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(await malipo.transactions.verify(request.merchant_reference)).toMatchObject({
        transaction_status: 'FAILED',
        status_message: `The merchant's verification URL did not answer${reported}`,
        failure_code: 'handshake_unanswered',
      })
      expect(await transfersOf(request.merchant_reference)).toBe(0)
      const { rows } = await gateway.pool.query(
        'select count(*)::int as n from handshake_attempts a join transactions t on t.id = a.transaction_id where t.merchant_reference = $1',
        [request.merchant_reference],
      )
      expect(rows).toEqual([{ n: 4 }])
    },
  )
  test('a hanging server gets five seconds; a recovered one lets the payout go on', async () => {
    verification.answer('hang')
    const request = phonePayout()
    await malipo.payouts.send(request)
    await gateway.runDue()
    verification.answer(200)
    await after(5000)
    await after(1000)
    expect(await malipo.transactions.verify(request.merchant_reference)).toMatchObject({
      transaction_status: 'COMPLETED',
    })
  })
  test('no URL configured: 400 at acceptance', async () => {
    await setVerificationUrl(null)
    const reply = await postJson(gateway.url, '/payout/send-funds', phonePayout(), DEMO_KEYS)
    expect(reply.body).toEqual({
      code: 400,
      status: 'error',
      message: 'No verification URL is configured for payouts',
      data: {},
    })
    await setVerificationUrl(verificationUrl)
  })
})

describe('refused at acceptance', () => {
  test.each([
    [
      'an unknown bank',
      bankPayout({ extra_params: { bank_code: 'no_such_bank' } }),
      'Invalid bank code (no_such_bank)',
    ],
    ["another provider's bank", bankPayout({ extra_params: { bank_code: 'absa_za' } }), 'Invalid bank code (absa_za)'],
    ['no bank', bankPayout({ extra_params: undefined }), 'extra_params is required'],
    [
      "another operator's phone",
      phonePayout('123', { account_number: '256752000123' }),
      '256752000123 is not a valid MTN Uganda (mtn_ug) phone number',
    ],
    [
      'auto as reference',
      phonePayout('123', { merchant_reference: 'auto' }),
      'merchant_reference must have 8 to 36 characters',
    ],
    ['too much', phonePayout('123', { amount: 3_000_001 }), 'amount must be between 500 and 3000000 UGX'],
    [
      'a provider without banks',
      { ...bankPayout(), provider_code: 'mtn_ug', currency: 'UGX' },
      'Invalid provider code (mtn_ug): does not offer BANK',
    ],
  ])('%s', async (_case, request, message) => {
    const reply = await postJson(gateway.url, '/payout/send-funds', request, DEMO_KEYS)
    expect(reply.body).toEqual({ code: 400, status: 'error', message, data: {} })
  })
  test('no secret key', async () =>
    expect((await postJson(gateway.url, '/payout/send-funds', phonePayout())).body.message).toBe(
      'secret-key is required',
    ))
})
