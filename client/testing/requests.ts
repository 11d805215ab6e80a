import type { MobileMoneyCollectionRequest } from '../index.ts'

/** A request for tests in which its content does not matter. */
export const collection: MobileMoneyCollectionRequest = {
  transaction_method: 'MOBILE_MONEY',
  provider_code: 'mtn_ug',
  merchant_reference: 'ORDER-2026-0001',
  msisdn: '256772000123',
  currency: 'UGX',
  amount: 5000,
  description: 'Order 2026-0001',
}

/** The gateway's reply to it. */
export const references = {
  internal_reference: 'MLP5Z6JER35TNMSJ3MSQFT7X6',
  merchant_reference: collection.merchant_reference,
}
