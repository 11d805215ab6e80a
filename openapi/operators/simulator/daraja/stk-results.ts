import type { CallbackText } from '../operator.ts'
import type { Order } from '../world/order.ts'
import { STK_RESULTS, type StkCallback } from './contract.ts'
import { compactTime } from './nairobi-time.ts'
import { isCodeText } from './quirks.ts'
import { codeAs } from './results.ts'

/** The kind of these orders. */
export const STK_PUSH = 'stkPush'

const PAID = '0'

/** The fields of an STK push's request that its result needs. */
export type StkDetails = {
  readonly merchantRequestId: string
  readonly callbackUrl: string
  readonly shortCode: string
  readonly description: string
}

/** @param order one of kind `stkPush`: only the handler of that call creates them */
export const stkDetails = (order: Order): StkDetails => order.details as StkDetails

export const resultCodeOf = ({ code = PAID }: Order): string => code

export const stkText = (code: string): string => STK_RESULTS[code] ?? `Result ${code}`

export const stkCallback = (order: Order): CallbackText => ({
  operations: { POST: 'stkPushCallback' },
  url: stkDetails(order).callbackUrl,
  body: stkCallbackBody(order),
})

/** It has no field of the merchant's, and only a payment has metadata. */
function stkCallbackBody(order: Order): StkCallback {
  const code = resultCodeOf(order)
  const [receipt] = order.receipts
  return {
    Body: {
      stkCallback: {
        MerchantRequestID: stkDetails(order).merchantRequestId,
        CheckoutRequestID: order.id,
        ResultCode: codeAs(code, isCodeText(order)),
        ResultDesc: stkText(code),
        ...(receipt !== undefined && { CallbackMetadata: { Item: metadata(order, receipt) } }),
      },
    },
  }
}

const metadata = (order: Order, receipt: string) => [
  { Name: 'Amount', Value: Number(order.amount) },
  { Name: 'MpesaReceiptNumber', Value: receipt },
  // Without a value, as on Safaricom's own pages.
  { Name: 'Balance' },
  { Name: 'TransactionDate', Value: Number(compactTime(order.settledAt ?? order.acceptedAt)) },
  { Name: 'PhoneNumber', Value: Number(order.msisdn) },
]
