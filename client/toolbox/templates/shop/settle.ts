import type { Transaction } from '@malipo/client'
import type { OrderBook } from './orders.ts'

/**
 * Books what Malipo reports about a transaction: the payload of a verified callback, or the reply of
 * `transactions.verify`. May be called any number of times, in any order.
 */
export function settle(orders: OrderBook, transaction: Transaction): void {
  const { merchant_reference: reference, transaction_status: status } = transaction
  if (transaction.transaction_type === 'PAYOUT') orders.settlePayout(reference, status)
  // The amount is compared with our own order: the public key alone can start a collection of any amount under any
  // reference.
  else if (status === 'COMPLETED') orders.pay(reference, transaction.request_amount, transaction.request_currency)
  else if (status === 'FAILED' || status === 'CANCELLED') orders.fail(reference)
}
