import type { CallbackText } from '../operator.ts'
import { isVerdictReported } from '../world/lifecycle.ts'
import type { Order } from '../world/order.ts'
import type { CollectionResult, PayoutResult } from './contract.ts'
import { refused } from './refusals.ts'
import { testNumber } from './test-numbers.ts'

/** The fields of the request that an order of MTN's keeps. */
export interface MtnDetails {
  readonly payerMessage?: string
  readonly payeeNote?: string
  readonly callbackUrl?: string
  /** Of a refund: the reference id of the collection. */
  readonly refundOf?: string
}

export type Kind = 'collection' | 'transfer' | 'deposit' | 'refund'

// Which of the two MTN sends is uncertain; scenarios choose the other.
const CALLBACKS: Readonly<Record<string, CallbackText['operations']>> = {
  collection: { PUT: 'requestToPayCallbackByPut', POST: 'requestToPayCallbackByPost' },
  transfer: { PUT: 'transferCallbackByPut', POST: 'transferCallbackByPost' },
  deposit: { POST: 'depositCallbackByPost', PUT: 'depositCallbackByPut' },
  refund: { PUT: 'refundCallbackByPut', POST: 'refundCallbackByPost' },
}

/**
 * The body of the status query, and of the callback.
 * @param isReported whether the verdict may be reported already
 * @param isObject the form of `reason`
 */
export function resultOf(order: Order, isReported: boolean, isObject: boolean): CollectionResult & PayoutResult {
  const { payerMessage, payeeNote } = order.details as MtnDetails
  const party = { partyIdType: 'MSISDN', partyId: order.msisdn } as const
  const [receipt] = order.receipts
  return {
    ...(isReported && receipt !== undefined && { financialTransactionId: receipt }),
    amount: order.amount,
    currency: order.currency,
    externalId: order.externalId,
    ...(order.kind === 'collection' && { payer: party }),
    ...((order.kind === 'transfer' || order.kind === 'deposit') && { payee: party }),
    ...(payerMessage !== undefined && { payerMessage }),
    ...(payeeNote !== undefined && { payeeNote }),
    status: statusOf(order, isReported),
    ...(isReported && order.code !== undefined && { reason: reasonOf(order.code, isObject) }),
  }
}

/** The status as queries return it. */
export const queriedResultOf = (order: Order, now: Date, isObject: boolean): CollectionResult & PayoutResult =>
  resultOf(order, isVerdictReported(order, now), isObject || hasQuirk(order, 'reason_object'))

export function callbacksOf(order: Order): readonly CallbackText[] {
  const { callbackUrl } = order.details as MtnDetails
  if (callbackUrl === undefined) return []
  const body = resultOf(order, true, hasQuirk(order, 'reason_object'))
  return [{ operations: CALLBACKS[order.kind] ?? {}, url: callbackUrl, body }]
}

export const hasQuirk = ({ effects }: Order, name: string): boolean =>
  effects.some((effect) => effect.do === 'quirk' && effect.name === name)

function statusOf(order: Order, isReported: boolean): CollectionResult['status'] {
  if (isReported && order.state === 'succeeded') return 'SUCCESSFUL'
  if (isReported && order.state === 'failed') return 'FAILED'
  const side = order.kind === 'collection' ? 'payer' : 'payee'
  return testNumber(side, order.msisdn)?.status === 'CREATED' ? 'CREATED' : 'PENDING'
}

const reasonOf = (code: string, isObject: boolean): NonNullable<CollectionResult['reason']> => {
  if (!isObject) return code
  const { message } = refused(code).body as { message: string }
  return { code, message }
}
