import { mobileCollection, mobilePayout } from '../../driver/bodies.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import type { Fields } from '../../harness/json.ts'

// What the contract says of one account number and of one payment.

export const TRIES_MAX = 5
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
/** A payment page, and a collection that waits for its OTP. */
export const PAGE_MS = 30 * 60_000
/** Times are exact to the millisecond, whatever runs past them. */
export const MOMENT_MS = 1
export const TIMES = 'docs, page "Life of a transaction", Times'
export const HOSTED = { mobile_money_hpp: true, redirect_url: 'https://shop.example/done' }

/** A request for a new payment. */
export const BODIES = {
  initializeCollection: (driver: PaymentDriver, more: Fields = {}) =>
    mobileCollection({ merchant_reference: driver.reference(), msisdn: driver.phone(), amount: 500, ...more }),
  sendFunds: (driver: PaymentDriver) =>
    mobilePayout({ merchant_reference: driver.reference(), account_number: driver.phone(), amount: 500 }),
} as const
