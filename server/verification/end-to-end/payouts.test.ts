import { describe, expect, test } from 'vitest'
import { type PayoutRequest, type Transaction } from '../../../client/index.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { transfersFor } from '../testing/operators-book.ts'
import { mobileMoneyPayout, payoutBalance, uniqueMsisdn, uniqueReference } from '../testing/requests.ts'

// A payout end to end: our client, HTTP, PostgreSQL, the merchant's verification URL, simulated rail, callback. Each test
// number, and each reply to a handshake, is tested by the parts `receiver`, `model` and `limits` of the contract suite.

const { gateway, after, receiver, malipo } = await gatewayTest({
  toReceiver: ['payout_callback_url', 'verification_url'],
  env: { MALIPO_RATE_LIMIT: '100000' },
})

const phonePayout = (ending: string) =>
  mobileMoneyPayout({ account_number: uniqueMsisdn(ending) }) as unknown as PayoutRequest
const bankPayout = () =>
  ({
    transaction_method: 'BANK',
    merchant_reference: uniqueReference(),
    currency: 'NGN',
    amount: 5000,
    provider_code: 'bank_ng',
    account_number: '0123456005',
    customer_name: 'Ada Obi',
    description: 'Salary of March',
    extra_params: { bank_code: 'access_bank_ng', branch_code: '044-150149' },
  }) as PayoutRequest

async function paid(request: PayoutRequest): Promise<Transaction> {
  await malipo.payouts.send(request)
  await after(1000)
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
    ['a bank account', () => bankPayout(), 'NGN', 5050],
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
})
