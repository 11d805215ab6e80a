import { operatorContract } from '../operator-contract.ts'
import type { CallbackReading, ReceivedCallback } from '../rail-kind.ts'
import { amountRead } from './amount.ts'
import { isOrderKind, ORDER_CALLS, type Result } from './orders.ts'
import { outcomeIn, theirsIn } from './results.ts'

/**
 * What a callback claims. None is signed, it was seen twice, and it does not name its order beside our external id: it is
 * a hint to ask now, and no more.
 * @returns undefined for what MTN's contract does not describe
 */
export function readCallback({ method, tail = '', body }: ReceivedCallback): CallbackReading | undefined {
  if (!isOrderKind(tail)) return undefined
  const { callback, type } = ORDER_CALLS[tail]
  const read = operatorContract('mtn-momo').readCallback(callback, { method, body })
  if ('fault' in read) return undefined
  // The contract has said that it is one.
  const result = read.value as Result
  const amount = amountRead(result.amount, result.currency)
  if (!amount) return undefined
  const outcome = outcomeIn(result, type)
  const account = accountIn(result)
  return {
    ...(outcome && { outcome }),
    mayAsk: true,
    orderId: result.externalId,
    amount,
    ...(account !== undefined && { account }),
    theirs: theirsIn(result),
  }
}

function accountIn(result: Result): string | undefined {
  if ('payer' in result) return result.payer?.partyId
  return 'payee' in result ? result.payee?.partyId : undefined
}
