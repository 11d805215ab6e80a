import { expect, expectTypeOf, test } from 'vitest'
import * as client from './index.ts'
import type {
  BankCollectionRequest,
  CollectionRequest,
  Malipo,
  MalipoError,
  MobileMoneyCollectionRequest,
  PayoutRequest,
  Provider,
  Transaction,
  Wallet,
} from './index.ts'

// Read by `tsc`, never run: each `@ts-expect-error` fails the type check once the line below it is allowed.
export function misuse(malipo: Malipo, mobileMoney: MobileMoneyCollectionRequest, bank: BankCollectionRequest) {
  const { msisdn: _msisdn, ...withoutNumber } = mobileMoney
  const { redirect_url: _redirectUrl, ...withoutRedirect } = bank
  void malipo.collections.initialize(mobileMoney)
  void malipo.collections.initialize(bank)
  // @ts-expect-error MOBILE_MONEY needs msisdn
  void malipo.collections.initialize(withoutNumber)
  // @ts-expect-error BANK needs redirect_url
  void malipo.collections.initialize(withoutRedirect)
  // @ts-expect-error no field that the contract does not know
  void malipo.collections.initialize({ ...mobileMoney, merchant_id: 7 })
  // @ts-expect-error no third method
  void malipo.collections.initialize({ ...mobileMoney, transaction_method: 'CARD' })
  // @ts-expect-error amounts are numbers
  void malipo.collections.initialize({ ...mobileMoney, amount: '5000' })
  // @ts-expect-error a one-time password is a number
  void malipo.collections.authorize({ internal_reference: 'MLP1', otp: '123456' })
  const withoutBank = {
    transaction_method: 'BANK',
    provider_code: 'bank_ng',
    merchant_reference: 'PAYOUT-1',
    account_number: '1',
    customer_name: 'A',
    currency: 'NGN',
    amount: 1,
    description: 'Salary',
  } as const
  // @ts-expect-error a bank payout needs extra_params.bank_code
  void malipo.payouts.send(withoutBank)
  // @ts-expect-error providers need a direction
  void malipo.providers.list({ currency: 'UGX' })
  // @ts-expect-error the directions are COLLECTION and PAYOUT
  void malipo.providers.list({ currency: 'UGX', transaction_type: 'REFUND' })
  // @ts-expect-error reads have no idempotency key
  void malipo.transactions.verify('ORDER-2026-0001', { idempotencyKey: 'key-1' })
  // @ts-expect-error the public key is required
  client.createMalipo({ baseUrl: 'http://127.0.0.1:8080' })
}

export function narrowing(transaction: Transaction, error: MalipoError) {
  if (transaction.transaction_type === 'COLLECTION') {
    expectTypeOf(transaction.total_credit).toEqualTypeOf<number>()
    // @ts-expect-error a collection debits nothing
    void transaction.total_debit
  } else {
    expectTypeOf(transaction.total_debit).toEqualTypeOf<number>()
    // @ts-expect-error payouts are never cancelled
    void (transaction.transaction_status === 'CANCELLED')
  }
  // @ts-expect-error no kind of this name
  void (error.kind === 'unknown')
}

test('the calls take and give the types of the contract', () => {
  expectTypeOf<Malipo['providers']['list']>().returns.resolves.toEqualTypeOf<Provider[]>()
  expectTypeOf<Malipo['wallets']['list']>().returns.resolves.toEqualTypeOf<Wallet[]>()
  expectTypeOf<Malipo['transactions']['verify']>().returns.resolves.toEqualTypeOf<Transaction>()
  expectTypeOf<Malipo['collections']['initialize']>().parameter(0).toEqualTypeOf<CollectionRequest>()
  expectTypeOf<Malipo['payouts']['send']>().parameter(0).toEqualTypeOf<PayoutRequest>()
})

test('the package gives these values, and nothing of what is inside', () => {
  expect(Object.keys(client).toSorted()).toEqual([
    'MalipoError',
    'WebhookVerificationError',
    'createDuplicateGuard',
    'createMalipo',
    'handshakes',
    'money',
    'redirects',
    'webhooks',
  ])
})
