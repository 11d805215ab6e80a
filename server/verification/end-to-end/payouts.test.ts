import { beforeEach, describe, expect, test } from 'vitest'
import { type PayoutRequest, type Transaction } from '../../../client/index.ts'
import { expectError } from '../testing/expect-error.ts'
import { forFile } from '../testing/for-file.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { DEMO_MERCHANT } from '../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { transfersFor } from '../testing/operators-book.ts'
import { startReceiver } from '../testing/receiver.ts'
import { mobileMoneyPayout, payOut, payoutBalance, uniqueMsisdn, uniqueReference } from '../testing/requests.ts'
import { WHY } from '../testing/sandbox-rails.ts'
import { hasWebhookSignature } from '../testing/signatures.ts'
import { refusal } from '../testing/refusal.ts'

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
const balance = (currency?: string) => payoutBalance(gateway.url, currency)
const heldMinor = async (): Promise<bigint> =>
  (
    await gateway.pool.query<{ held: bigint }>(
      `select coalesce(sum(balance_minor), 0)::bigint as held from accounts where kind = 'payout_held'`,
    )
  ).rows[0]!.held
const transfersOf = (reference: string): Promise<number> => transfersFor(gateway.pool, reference)

describe('a payout', () => {
  // OTPs are for customers only: 005 just completes.
  test.each([
    ['a phone', () => phonePayout('005'), 'UGX', 20_100],
    ['a bank account', () => bankPayout({ account_number: '0123456005' }), 'NGN', 5050],
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
    const { rows } = await gateway.pool.query(
      'select bank_code, branch_code from transactions where merchant_reference = $1',
      [sent.merchant_reference],
    )
    const { bank_code = null, branch_code = null } = sent.extra_params ?? {}
    expect(rows).toEqual([{ bank_code, branch_code }])
    await expectBalancedBooks(gateway)
  })
  test('holds its money while the rail works', async () => {
    const before = await balance()
    expect(await paid(phonePayout('010'))).toMatchObject({
      transaction_status: 'PROCESSING',
      status_message: 'Transaction Processing',
    })
    expect([await balance(), await heldMinor()]).toEqual([before - 20_100, 20_100n])
    await after(60_000)
    expect([await balance(), await heldMinor()]).toEqual([before - 20_100, 0n])
  })
  test.each([
    ['001', 'COMPLETED', 1],
    ['006', 'PROCESSING', 0],
    ['008', 'COMPLETED', 1],
    ['009', 'COMPLETED', 1],
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
    ['003', WHY.payout.expired, 'expired'],
    ['004', WHY.payout.declined, 'declined'],
  ])('that fails at test number %s releases its hold and says why: %s (%s)', async (ending, message, code) => {
    const before = [await balance(), await heldMinor()]
    const record = await paid(phonePayout(ending))
    const nothing = { transaction_charge: 0, total_debit: 0 }
    const state = { transaction_status: 'FAILED', status_message: message, failure_code: code }
    expect(record).toMatchObject({ ...state, ...nothing })
    expect(receiver.about(record.merchant_reference).map(({ json }) => json.payload)).toEqual([record])
    expect([await balance(), await heldMinor(), await transfersOf(record.merchant_reference)]).toEqual([...before, 0])
    await expectBalancedBooks(gateway)
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

// Which reply means what is tested in handshake.test.ts.
describe('the handshake', () => {
  test("sends the reference, the URL's own query kept, signed over the empty body", async () => {
    verification.answer(204)
    const request = phonePayout()
    expect(await paid(request)).toMatchObject({ transaction_status: 'COMPLETED' })
    expect(verification.received).toHaveLength(1)
    const sent = verification.received[0]!
    expect([sent.method, sent.path]).toEqual(['GET', `/verify?shop=7&reference=${request.merchant_reference}`])
    expect(hasWebhookSignature(sent, DEMO_MERCHANT.keys.webhookSecret)).toBe(true)
    expect(sent.headers['webhook-id']).toMatch(/^cb_[0-9A-HJKMNP-TV-Z]{26}$/)
  })
  test('404 rejects the payout: no hold, no transfer', async () => {
    verification.answer(404)
    const request = phonePayout()
    expect(await paid(request)).toMatchObject({
      transaction_status: 'FAILED',
      status_message: `Payout rejected by the merchant's verification URL (HTTP 404)`,
      failure_code: 'not_allowed',
    })
    expect(await transfersOf(request.merchant_reference)).toBe(0)
    expect(verification.received).toHaveLength(1)
    expect(receiver.about(request.merchant_reference)).toHaveLength(1)
  })
  test('retries a redirecting server after 5 s, 30 s and 2 min, then fails', async () => {
    verification.answer({ status: 302, headers: { location: 'http://127.0.0.1:1/' } })
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
      status_message: `The merchant's verification URL did not answer (HTTP 302)`,
      failure_code: 'handshake_unanswered',
    })
    expect(await transfersOf(request.merchant_reference)).toBe(0)
    const { rows } = await gateway.pool.query(
      'select count(*)::int as n from handshake_attempts a join transactions t on t.id = a.transaction_id where t.merchant_reference = $1',
      [request.merchant_reference],
    )
    expect(rows).toEqual([{ n: 4 }])
  })
  test('a recovered server lets the payout go on', async () => {
    verification.answer(503, 200)
    const request = phonePayout()
    await paid(request)
    await after(5000)
    await after(1000)
    expect(await malipo.transactions.verify(request.merchant_reference)).toMatchObject({
      transaction_status: 'COMPLETED',
    })
  })
  test('no URL configured: 400 at acceptance', async () => {
    await setVerificationUrl(null)
    expectError(await payOut(gateway.url), 400, refusal('verification_url_missing'))
    await setVerificationUrl(verificationUrl)
  })
})
