import type { BankPayoutRequest, MobileMoneyCollectionRequest } from '../index.ts'

/** Requests for tests in which their content does not matter. */
export const collection: MobileMoneyCollectionRequest = {
  transaction_method: 'MOBILE_MONEY',
  provider_code: 'mtn_ug',
  merchant_reference: 'ORDER-2026-0001',
  msisdn: '256772000123',
  currency: 'UGX',
  amount: 5000,
  description: 'Order 2026-0001',
}

export const payout: BankPayoutRequest = {
  transaction_method: 'BANK',
  provider_code: 'bank_ng',
  merchant_reference: 'PAYOUT-2026-0001',
  account_number: '0123456789',
  customer_name: 'Chinedu Okafor',
  currency: 'NGN',
  amount: 5000.25,
  description: 'Salary 2026-01',
  extra_params: { bank_code: 'access_bank_ng' },
}

/** The gateway's reply to the collection. */
export const references = {
  internal_reference: 'MLP5Z6JER35TNMSJ3MSQFT7X6',
  merchant_reference: collection.merchant_reference,
}
