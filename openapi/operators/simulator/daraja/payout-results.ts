import type { CallbackText } from '../operator.ts'
import type { Order } from '../world/order.ts'
import { PAYOUT_RESULTS } from './contract.ts'
import { dottedTime } from './nairobi-time.ts'
import { isCodeText } from './quirks.ts'
import { resultBody } from './results.ts'

export const INITIATOR_UNKNOWN = '2001'

/** The kind of payouts to customers. */
export const PAY_OUT = 'payOut'
/** The kind of those that go to another business. */
export const PAY_BUSINESS = 'payBusiness'

/** The fields of a payout's request that its result needs. */
export type PayoutDetails = {
  readonly conversationId: string
  readonly resultUrl: string
  readonly remarks: string
}

/** @param order one of kind `payOut`: only the handler of that call creates them */
const payoutDetails = (order: Order): PayoutDetails => order.details as PayoutDetails

export function payoutCallback(order: Order): CallbackText {
  const { conversationId, resultUrl } = payoutDetails(order)
  const code = order.code ?? '0'
  const [receipt] = order.receipts
  const body = resultBody({
    code,
    text: PAYOUT_RESULTS[code] ?? `Result ${code}`,
    originatorConversationId: order.id,
    conversationId,
    transactionId: receipt,
    parameters: receipt === undefined ? undefined : parametersOf(order, receipt),
    isCodeText: isCodeText(order),
  })
  return { operations: { POST: 'payOutResult' }, url: resultUrl, body }
}

const parametersOf = (order: Order, receipt: string): Readonly<Record<string, string | number>> => ({
  TransactionAmount: Number(order.amount),
  TransactionReceipt: receipt,
  ReceiverPartyPublicName: `${order.msisdn} - Simulated Customer`,
  TransactionCompletedDateTime: dottedTime(order.settledAt ?? order.acceptedAt),
  B2CRecipientIsRegisteredCustomer: 'Y',
})
