import type { CallbackText } from '../operator.ts'
import type { Order } from '../world/order.ts'
import { PAYOUT_RESULTS } from './contract.ts'
import { dottedTime } from './nairobi-time.ts'
import { orderResult } from './results.ts'

export const INITIATOR_UNKNOWN = '2001'

/** The kind of payouts to customers. */
export const PAY_OUT = 'payOut'
/** The kind of those that go to another business. */
export const PAY_BUSINESS = 'payBusiness'

export function payoutCallback(order: Order): CallbackText {
  const [receipt] = order.receipts
  return orderResult('payOutResult', order, PAYOUT_RESULTS, {
    originatorConversationId: order.id,
    parameters: receipt === undefined ? undefined : parametersOf(order, receipt),
  })
}

const parametersOf = (order: Order, receipt: string): Readonly<Record<string, string | number>> => ({
  TransactionAmount: Number(order.amount),
  TransactionReceipt: receipt,
  ReceiverPartyPublicName: `${order.msisdn} - Simulated Customer`,
  TransactionCompletedDateTime: dottedTime(order.settledAt ?? order.acceptedAt),
  B2CRecipientIsRegisteredCustomer: 'Y',
})
