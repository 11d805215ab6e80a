import { money } from '../money.ts'
import type { PaymentOption } from '../provider.ts'
import type { Transaction } from '../transaction.ts'

// Samples: a test states only the fields that it is about.

/** The creation time of the samples. */
export const MADE_AT = new Date('2026-03-01T08:00:00Z')

/** A collection of 5,000 UGX over mobile money, just accepted. */
export const PENDING: Transaction = {
  id: 11n,
  merchantId: 7n,
  merchantReference: 'ORDER-0001',
  internalReference: 'MLP0123456789ABCDEFGHJKMN',
  type: 'COLLECTION',
  method: 'MOBILE_MONEY',
  providerCode: 'mtn_ug',
  account: '256772000123',
  request: money(5000n, 'UGX'),
  amount: money(5000n, 'UGX'),
  chargeMinor: 50n,
  totalMinor: 4950n,
  chargeCustomer: false,
  allowFinalStatusChange: true,
  status: 'PENDING',
  statusMessage: 'Transaction Pending',
  createdAt: MADE_AT,
}

/** Collections over MTN Uganda. */
export const MTN_UGANDA: PaymentOption = {
  providerCode: 'mtn_ug',
  providerName: 'MTN Uganda',
  method: 'MOBILE_MONEY',
  type: 'COLLECTION',
  currency: 'UGX',
  minAmountMinor: 500n,
  maxAmountMinor: 3_000_000n,
  maxDailyAmountMinor: 7_000_000n,
  isActive: true,
  hasRail: true,
  callingCode: '256',
  prefixes: ['77', '78', '76', '39'],
  prefixRule: 'strict',
  requiresOtp: false,
  chargeBps: 100,
  chargeFlatMinor: 0n,
  clearingDelaySeconds: 0,
  reserveBps: 0,
  reserveSeconds: 0,
}
