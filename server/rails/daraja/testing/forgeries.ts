import type { CallbackText } from '../../../../openapi/operators/simulator/operator.ts'
import type { Order } from '../../../../openapi/operators/simulator/world/order.ts'

const FORGED_RECEIPT = 'SIMFORGED9'
const FORGED_CONVERSATION = 'AG_FORGED'

/** What failures carry instead of a receipt: the same for all of them. */
const PLACEHOLDER = 'OAK0000000'

interface ResultBody {
  readonly Result: Readonly<Record<string, unknown>>
}

/** A payout's result that reports a failure, with ids that nobody issued. */
export function forgedFailure({ body, ...own }: CallbackText): CallbackText {
  const { ResultParameters: _paid, ConversationID: _own, ...result } = (body as ResultBody).Result
  return {
    ...own,
    body: {
      Result: {
        ...result,
        ResultCode: 1,
        ResultDesc: 'forged',
        ConversationID: FORGED_CONVERSATION,
        TransactionID: FORGED_RECEIPT,
      },
    },
  }
}

/** Replies to queries about a payout that nobody sent: a receipt alone, a failure, a success. */
export const forgedStatuses = (own: CallbackText, order: Order): readonly CallbackText[] =>
  [
    {},
    { TransactionStatus: 'Failed', OriginatorConversationID: order.id },
    { TransactionStatus: 'Completed', OriginatorConversationID: order.id, Amount: Number(order.amount) },
  ].map((parameters) => ({
    operations: { POST: 'transactionStatusResult' },
    url: own.url.replace(/\/result$/, '/status'),
    body: {
      Result: {
        ResultType: 0,
        ResultCode: 0,
        ResultDesc: 'forged',
        OriginatorConversationID: 'forged',
        ConversationID: FORGED_CONVERSATION,
        ResultParameters: {
          ResultParameter: Object.entries({ ...parameters, ReceiptNo: FORGED_RECEIPT }).map(([Key, Value]) => ({
            Key,
            Value,
          })),
        },
      },
    },
  }))

/** @returns a payout's failure as some of M-PESA's systems write it; every other message unchanged */
export function withPlaceholder(body: object): object {
  const { Result: result } = body as Partial<ResultBody>
  if (!result || result['ResultParameters'] !== undefined || result['TransactionID'] !== undefined) return body
  return { Result: { ...result, TransactionID: PLACEHOLDER } }
}
