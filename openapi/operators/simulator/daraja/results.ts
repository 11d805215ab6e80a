import type { ResultCallback } from './contract.ts'

/** The fields of every result that is posted to a ResultURL. */
export interface ResultOf {
  readonly code: string
  readonly text: string
  readonly originatorConversationId: string
  readonly conversationId: string
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

/** The message to a QueueTimeOutURL. It says nothing about the money. */
export const timeOutBody = (ids: Pick<ResultOf, 'originatorConversationId' | 'conversationId'>): ResultCallback =>
  resultBody({ ...ids, code: '1', text: 'Timed out in the queue' })
