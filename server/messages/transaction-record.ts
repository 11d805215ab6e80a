import type { components } from '../../generated/schema.d.ts'
import { callbackEventOf } from '../domain/callback.ts'
import { amountToWire } from '../domain/money.ts'
import { reportedChargeMinor, reportedTotalMinor, type Transaction } from '../domain/transaction.ts'

type TransactionRecord = components['schemas']['Transaction']

/** The transaction record of verify and of callbacks: one function, so that both are always identical. */
export function transactionRecord(transaction: Transaction): TransactionRecord {
  const { currency } = transaction.amount
  const total = amountToWire(reportedTotalMinor(transaction), currency)
  const record = {
    ...commonRecord(transaction),
    transaction_charge: amountToWire(reportedChargeMinor(transaction), currency),
  }
  if (transaction.type === 'PAYOUT') {
    return {
      ...record,
      transaction_type: 'PAYOUT',
      charge_customer: false,
      customer_name: recipientOf(transaction),
      transaction_status: payoutStatus(transaction),
      total_debit: total,
    }
  }
  return {
    ...record,
    transaction_type: 'COLLECTION',
    charge_customer: transaction.chargeCustomer,
    total_credit: total,
    ...(transaction.customerName !== undefined && { customer_name: transaction.customerName }),
    ...(transaction.institutionName !== undefined && { institution_name: transaction.institutionName }),
  }
}

/** What the records of payments and of refunds have in common. */
function commonRecord(transaction: Transaction) {
  const { request, amount, failureCode } = transaction
  return {
    id: Number(transaction.id),
    merchant_reference: transaction.merchantReference,
    internal_reference: transaction.internalReference,
    request_currency: request.currency,
    request_amount: amountToWire(request.amountMinor, request.currency),
    transaction_amount: amountToWire(amount.amountMinor, amount.currency),
    transaction_currency: amount.currency,
    transaction_account: transaction.account,
    provider_code: transaction.providerCode,
    transaction_status: transaction.status,
    status_message: transaction.statusMessage,
    ...(failureCode !== undefined && { failure_code: failureCode }),
  }
}

/** The record of a refund, of its lookup and of its callbacks. */
export function refundRecord(transaction: Transaction): components['schemas']['Refund'] {
  const { refund } = transaction
  if (!refund) throw new Error('a refund without its collection')
  const { currency } = transaction.amount
  return {
    ...commonRecord(transaction),
    transaction_type: 'REFUND',
    transaction_status: payoutStatus(transaction),
    collection_merchant_reference: refund.collection.merchantReference,
    collection_internal_reference: refund.collection.internalReference,
    refund_method: refund.way === 'payout' ? 'PAYOUT' : 'REFUND',
    charge_refunded: amountToWire(reportedChargeMinor(transaction), currency),
    total_debit: amountToWire(reportedTotalMinor(transaction), currency),
    reason: refund.reason,
  }
}

/** A payout cannot be cancelled: only a customer on the payment page cancels. */
export function payoutStatus({ status }: Transaction) {
  if (status === 'CANCELLED') throw new Error('a payout cannot be CANCELLED')
  return status
}

/** No payout is accepted without the name of its recipient. */
function recipientOf({ customerName }: Transaction): string {
  if (customerName === undefined) throw new Error('a payout without the name of its recipient')
  return customerName
}

/** The body of a callback: `{event, payload}`. */
export const callbackBody = (transaction: Transaction): string =>
  transaction.type === 'REFUND'
    ? JSON.stringify({ event: callbackEventOf(transaction), payload: refundRecord(transaction) })
    : paymentBody(transaction)

const paymentBody = (transaction: Transaction): string =>
  JSON.stringify({ event: callbackEventOf(transaction), payload: transactionRecord(transaction) })
