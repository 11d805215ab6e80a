import type { CallbackText, OperatorReply } from '../operator.ts'
import type { Order } from '../world/order.ts'
import type { ResultCallback } from './contract.ts'
import { isCodeText } from './quirks.ts'

export interface ConversationIds {
  readonly originatorConversationId: string
  readonly conversationId: string
}

/** The reply to what is queued: the result comes by message. */
export const queued = ({ originatorConversationId, conversationId }: ConversationIds): OperatorReply => ({
  status: 200,
  body: {
    ConversationID: conversationId,
    OriginatorConversationID: originatorConversationId,
    ResponseCode: '0',
    ResponseDescription: 'Accepted',
  },
})

/** The fields of every result that is posted to a ResultURL. */
export interface ResultOf extends ConversationIds {
  readonly code: string
  readonly text: string
  readonly transactionId?: string | undefined
  readonly parameters?: Readonly<Record<string, string | number>> | undefined
  /** One parameter comes as an object in the place of the list. */
  readonly isBare?: boolean
  /** Codes are numbers mostly; the contract also allows texts. */
  readonly isCodeText?: boolean
}

/** Accepts codes that a scenario made up as well. */
export const codeAs = (code: string, isText: boolean): string | number =>
  isText || !/^\d+$/.test(code) ? code : Number(code)

/** `[{ Key, Value }]`, as in results. */
function pairs(parameters: Readonly<Record<string, string | number>>, isBare = false) {
  const all = Object.entries(parameters).map(([Key, Value]) => ({ Key, Value }))
  return (isBare ? all[0] : undefined) ?? all
}

export function resultBody(result: ResultOf): ResultCallback {
  const { code, text, originatorConversationId, conversationId, transactionId, parameters } = result
  return {
    Result: {
      ResultType: 0,
      ResultCode: codeAs(code, result.isCodeText ?? false),
      ResultDesc: text,
      OriginatorConversationID: originatorConversationId,
      ConversationID: conversationId,
      ...(transactionId !== undefined && { TransactionID: transactionId }),
      ...(parameters && { ResultParameters: { ResultParameter: pairs(parameters, result.isBare) } }),
    },
  }
}

/** What the result of a queued order needs of its request. */
export type QueuedDetails = {
  readonly conversationId: string
  readonly resultUrl: string
}

/**
 * The result of a queued order.
 * @param meanings of result codes
 * @param result what differs by the kind of the order
 */
export function orderResult(
  operation: string,
  order: Order,
  meanings: Readonly<Record<string, string>>,
  result: Pick<ResultOf, 'originatorConversationId' | 'parameters' | 'isBare'>,
): CallbackText {
  const { conversationId, resultUrl } = order.details as QueuedDetails
  const code = order.code ?? '0'
  const body = resultBody({
    ...result,
    code,
    text: meanings[code] ?? `Result ${code}`,
    conversationId,
    transactionId: order.receipts[0],
    isCodeText: isCodeText(order),
  })
  return { operations: { POST: operation }, url: resultUrl, body }
}

/** How long what times out was in the queue. @param quirk the value of `queue_time_out` */
export const timedOutAfterMs = (quirk: string | number | boolean): number => (typeof quirk === 'number' ? quirk : 1_000)

/** The message to a QueueTimeOutURL. It says nothing about the money. */
export const timeOutText = (operation: string, url: string, ids: ConversationIds): CallbackText => ({
  operations: { POST: operation },
  url,
  body: resultBody({ ...ids, code: '1', text: 'Timed out in the queue' }),
})
