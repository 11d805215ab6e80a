import { expect, expectTypeOf, test } from 'vitest'
import * as client from './index.ts'
import type {
  BankCollectionRequest,
  CollectionAcknowledgement,
  CollectionRequest,
  HostedCollectionAcknowledgement,
  Malipo,
  MalipoError,
  PayoutRequest,
  PhoneCollectionRequest,
  Provider,
  Transaction,
  Wallet,
} from './index.ts'

// Read by `tsc`, never run: each `@ts-expect-error` fails the type check once the line below it is allowed. Mistakes in
// the literal of a request are in request-literals.test.ts.
export function misuse(malipo: Malipo, phone: PhoneCollectionRequest, bank: BankCollectionRequest) {
  void malipo.collections.initialize(phone)
  void malipo.collections.initialize(bank)
  // @ts-expect-error no field that the contract does not know
  void malipo.collections.initialize({ ...phone, merchant_id: 7 })
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

export function failureCodes({ failure_code }: Transaction) {
  // Any text: a code added after this program was compiled must not surprise it.
  expectTypeOf(failure_code).toEqualTypeOf<string | undefined>()
  // @ts-expect-error not every failure has one
  void failure_code.length
  switch (failure_code) {
    case undefined:
      return 'The reason is not known'
    case 'insufficient_funds':
      return 'Please pay from another account'
    default:
      return 'The payment did not go through'
  }
}

export async function paymentUrls(malipo: Malipo, phone: PhoneCollectionRequest, bank: BankCollectionRequest) {
  const { redirect_url } = bank
  const isHosted = Boolean(redirect_url)
  expectTypeOf((await malipo.collections.initialize(bank)).payment_url).toEqualTypeOf<string>()
  const hosted = await malipo.collections.initialize({ ...phone, mobile_money_hpp: true, redirect_url })
  expectTypeOf(hosted.payment_url).toEqualTypeOf<string>()
  expectTypeOf((await malipo.collections.initialize(phone)).payment_url).toEqualTypeOf<string | undefined>()
  const either = await malipo.collections.initialize({ ...phone, mobile_money_hpp: isHosted, redirect_url })
  expectTypeOf(either.payment_url).toEqualTypeOf<string | undefined>()
}

export async function bareClient({ http }: Malipo, phone: PhoneCollectionRequest) {
  const { data } = await http.POST('/collections/initialize', {
    params: { header: { 'Idempotency-Key': 'order-17' } },
    body: phone,
  })
  expectTypeOf(data?.data.internal_reference).toEqualTypeOf<string | undefined>()
  await http.GET('/data/wallet-balances')
  // @ts-expect-error the contract has no such path
  await http.GET('/data/wallets')
  // @ts-expect-error providers need a direction
  await http.GET('/data/payment-providers', { params: { query: { currency: 'UGX' } } })
}

test('the calls take and return the types of the contract', () => {
  expectTypeOf<Malipo['providers']['list']>().returns.resolves.toEqualTypeOf<Provider[]>()
  expectTypeOf<Malipo['wallets']['list']>().returns.resolves.toEqualTypeOf<Wallet[]>()
  expectTypeOf<Malipo['transactions']['verify']>().returns.resolves.toEqualTypeOf<Transaction>()
  const initialize = ({ collections }: Malipo, request: CollectionRequest) => collections.initialize(request)
  expectTypeOf(initialize).returns.resolves.toEqualTypeOf<CollectionAcknowledgement | HostedCollectionAcknowledgement>()
  expectTypeOf<Malipo['payouts']['send']>().parameter(0).toEqualTypeOf<PayoutRequest>()
})

test('the package exports these values, and nothing internal', () => {
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
