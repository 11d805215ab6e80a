import { ARCHIVED } from './reference-data.ts'
import { openPage, redirectOf, submitForm } from '../../../server/verification/testing/page-visit.ts'
import {
  authorize,
  bankCollection,
  bankPayout,
  BOTH_KEYS,
  collect,
  get,
  MINUTE_MS,
  mobileCollection,
  mobilePayout,
  next,
  OTP,
  pay,
  providers,
  verify,
  type MutantFixture,
} from './fixture.ts'

// Payments from acceptance to their end, with the actions of merchants and customers.

export async function collections(fixture: MutantFixture): Promise<void> {
  const { merchant, passTime } = fixture
  // One callback each that is acknowledged, refused for good, redirected, not found and failed.
  merchant.answer('/callbacks/collection', 200, 410, 302, 404, 500)
  const endings = ['123', '002', '006', '004', '003', '001']
  const references: unknown[] = []
  for (const ending of endings)
    references.push(
      (
        await collect(
          fixture,
          mobileCollection({
            msisdn: `25677${next()}${ending}`,
            customer_name: 'Amina Nakato',
            customer_email: 'amina@customer.example',
          }),
        )
      ).data.merchant_reference,
    )
  await verify(fixture, references[0])
  await passTime(MINUTE_MS)
  for (const reference of [...references, ARCHIVED]) await verify(fixture, reference)
  const inShillings = await collect(
    fixture,
    mobileCollection({
      provider_code: 'mpesa_ke',
      currency: 'KES',
      amount: 10.5,
      msisdn: `25471${next()}123`,
      charge_customer: true,
      merchant_reference: 'auto',
    }),
  )
  await passTime(MINUTE_MS)
  await verify(fixture, inShillings.data.merchant_reference)

  await passwords(fixture)
  merchant.answer('/shop', 200, 404)
  for (const [bank, account] of [
    ['one_ng', '01234567890123456123'],
    ['long_ng', '0123456002'],
  ] as const)
    await payOnPage(fixture, bankCollection(fixture.shop), (url, visit) =>
      submitForm(url, visit, 'confirm', { bank_code: bank, account_number: account }),
    )
  await payOnPage(fixture, mobileCollection({ mobile_money_hpp: true, redirect_url: fixture.shop }), (url, visit) =>
    submitForm(url, visit, 'cancel'),
  )
}

async function payOnPage(
  fixture: MutantFixture,
  request: object,
  act: (url: string, visit: Awaited<ReturnType<typeof openPage>>) => Promise<Response>,
): Promise<void> {
  const {
    gateway: { url },
    passTime,
  } = fixture
  const { data } = await collect(fixture, request)
  await verify(fixture, data.merchant_reference)
  const paymentUrl = String(data.payment_url)
  await (await act(url, await openPage(url, paymentUrl))).arrayBuffer()
  await passTime(MINUTE_MS)
  const address = await redirectOf(url, paymentUrl)
  if (address !== undefined) await (await fetch(address)).arrayBuffer()
  await verify(fixture, data.merchant_reference)
}

async function passwords(fixture: MutantFixture): Promise<void> {
  const { data } = await collect(fixture, mobileCollection({ msisdn: `25677${next()}005` }))
  const internal_reference = data.internal_reference
  await authorize(fixture, { internal_reference, otp: 999_999 }, { 'idempotency-key': 'wrong-password' })
  await authorize(fixture, { internal_reference, otp: 999_999 }, { 'idempotency-key': 'wrong-password' })
  await authorize(fixture, { internal_reference, otp: OTP }, { 'idempotency-key': 'right-password' })
  await authorize(fixture, { internal_reference, otp: OTP }, { 'idempotency-key': 'right-password' })
  await authorize(fixture, { internal_reference, otp: OTP + 1 }, { 'idempotency-key': 'right-password' })
  for (const [name, reference] of [
    ['used', internal_reference],
    ['unknown', `MLP${'0'.repeat(22)}`],
  ] as const)
    for (let times = 0; times < 2; times += 1)
      await authorize(fixture, { internal_reference: reference, otp: OTP }, { 'idempotency-key': `${name}-password` })
  await verify(fixture, data.merchant_reference)
}

export async function payouts(fixture: MutantFixture): Promise<void> {
  const { merchant, passTime } = fixture
  merchant.answer('/handshake', 200, 200, 200, 200, 404, 302, 500)
  merchant.answer('/callbacks/payout', 200, 410, 302, 404, 500)
  const references: unknown[] = []
  for (const body of [
    mobilePayout(),
    bankPayout(),
    mobilePayout({ account_number: `25677${next()}002` }),
    mobilePayout({ account_number: `25677${next()}006` }),
    mobilePayout(),
    mobilePayout(),
    mobilePayout(),
    mobilePayout({ currency: 'KES', provider_code: 'mpesa_ke', amount: 10.5, account_number: `25471${next()}123` }),
    bankPayout({ extra_params: { bank_code: 'access_bank_ng', branch_code: '044-150149' } }),
  ])
    references.push((await pay(fixture, body)).data.merchant_reference)
  await verify(fixture, references[0])
  for (let minute = 0; minute < 4; minute += 1) await passTime(MINUTE_MS)
  // Another status of acknowledgement, and the three that say "not now".
  merchant.answer('/handshake', 201, 408, 425, 429)
  for (let times = 0; times < 4; times += 1)
    references.push((await pay(fixture, mobilePayout())).data.merchant_reference)
  for (let minute = 0; minute < 2; minute += 1) await passTime(MINUTE_MS)
  for (const reference of references) await verify(fixture, reference)
}

export async function lookups(fixture: MutantFixture): Promise<void> {
  for (const [currency, type] of [
    ['UGX', 'COLLECTION'],
    ['UGX', 'PAYOUT'],
    ['NGN', 'COLLECTION'],
    ['EUR', 'COLLECTION'],
    ['ZMW', 'COLLECTION'],
    ['CHF', 'PAYOUT'],
  ] as const)
    await get(fixture, 'listPaymentProviders', providers(currency, type))
  for (const code of ['bank_ng', 'bank_za', 'mtn_ug'])
    await get(fixture, 'listPayoutBanks', `/data/payout-bank-codes?provider_code=${code}`)
  for (const query of ['', '?currency=KES', '?currency=XAF', '?currency=CHF'])
    await get(fixture, 'listWalletBalances', `/data/wallet-balances${query}`, BOTH_KEYS)
}
