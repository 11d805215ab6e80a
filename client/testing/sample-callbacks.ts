import type { CallbackEvent } from '../contract-types.ts'

/** The outcomes that a callback can report, by the names that `malipo-dev trigger` uses too. */
export type CallbackKind =
  'collection.completed' | 'collection.failed' | 'collection.cancelled' | 'payout.completed' | 'payout.failed'

/**
 * Fields that replace those of the sample; you may add a field that the contract does not know, to see that your
 * receiver tolerates it.
 */
export type Overrides = Partial<Omit<CallbackEvent['payload'], 'transaction_type' | 'transaction_status'>> &
  Readonly<Record<string, unknown>>

const collection = {
  id: 1001,
  merchant_reference: 'ORDER-2026-0001',
  internal_reference: 'MLPZ1ZP8G0DY6MZXFRQH3EJ9D',
  transaction_type: 'COLLECTION',
  request_currency: 'UGX',
  request_amount: 5000,
  transaction_amount: 5000,
  transaction_currency: 'UGX',
  transaction_account: '256772000123',
  charge_customer: false,
  provider_code: 'mtn_ug',
  customer_name: 'Amina Nakato',
} as const
const payout = {
  id: 1002,
  merchant_reference: 'PAYOUT-2026-0001',
  internal_reference: 'MLP5Z6JER35TNMSJ3MSQFT7X6',
  transaction_type: 'PAYOUT',
  request_currency: 'UGX',
  request_amount: 20000,
  transaction_amount: 20000,
  transaction_currency: 'UGX',
  transaction_account: '256772000123',
  charge_customer: false,
  provider_code: 'mtn_ug',
  customer_name: 'Grace Auma',
} as const

/** One valid callback of each kind, typed by the contract, so that a change of the contract does not compile here. */
export const sampleCallbacks = {
  'collection.completed': {
    event: 'transaction.completed',
    payload: {
      ...collection,
      transaction_charge: 50,
      total_credit: 4950,
      transaction_status: 'COMPLETED',
      status_message: 'Transaction Completed Successfully',
    },
  },
  'collection.failed': {
    event: 'transaction.failed',
    payload: {
      ...collection,
      transaction_charge: 0,
      total_credit: 0,
      transaction_status: 'FAILED',
      status_message: 'Insufficient balance on the customer account',
      failure_code: 'insufficient_funds',
    },
  },
  'collection.cancelled': {
    event: 'transaction.failed',
    payload: {
      ...collection,
      transaction_charge: 0,
      total_credit: 0,
      transaction_status: 'CANCELLED',
      status_message: 'Cancelled by the customer',
      failure_code: 'cancelled',
    },
  },
  'payout.completed': {
    event: 'transaction.completed',
    payload: {
      ...payout,
      transaction_charge: 100,
      total_debit: 20100,
      transaction_status: 'COMPLETED',
      status_message: 'Transaction Completed Successfully',
    },
  },
  'payout.failed': {
    event: 'transaction.failed',
    payload: {
      ...payout,
      transaction_charge: 0,
      total_debit: 0,
      transaction_status: 'FAILED',
      status_message: 'Insufficient balance for the transaction',
      failure_code: 'insufficient_funds',
    },
  },
} as const satisfies Readonly<Record<CallbackKind, CallbackEvent>>
