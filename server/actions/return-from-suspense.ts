import type { Party } from '../domain/approvals.ts'
import { refuseDirectionControls } from '../domain/readable-text.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Transaction } from '../domain/transaction.ts'
import { newRefund, waysOf, type RefundDeps } from './refund-collection.ts'

interface Return {
  /** Made by us: no merchant has asked for it. */
  readonly merchantReference: string
  readonly reason: string
  readonly maker: Party
}

/**
 * Gives back what an attempt has paid and its collection had no use for: all of it, to the account that paid, by the
 * refund of its rail or else by a payout. Whether it still lies on suspense is decided in the commit, under the lock of
 * the attempt. No wallet pays, no charge is taken, and its merchant hears nothing: the collection stays as it is.
 * @returns the internal reference of the return
 * @throws Refusal `not_refundable`
 */
export async function returnFromSuspense(
  deps: Omit<RefundDeps, 'idempotency'>,
  attempt: Transaction,
  request: Return,
): Promise<string> {
  refuseDirectionControls({ reason: request.reason })
  const externalIds = await deps.lookups.externalIds(attempt.id)
  const { refund, ...order } = newRefund(deps, attempt, request, externalIds)
  const result = await deps.acceptance.accept({
    ...order,
    refund: { ...refund, fromSuspense: true },
    firstJob: { kind: 'submitRefund', dueAt: order.createdAt },
    refunds: { collectionId: attempt.id, ways: waysOf(deps, attempt, externalIds, true), givesChargeBack: true },
  })
  if (result === 'accepted') return order.internalReference
  const { internalReference } = attempt
  const fault = typeof result === 'object' && 'refundFault' in result ? result.refundFault : undefined
  if (fault === 'nothing_left')
    throw new Refusal('not_refundable', `${internalReference} is given back, or on its way back`)
  if (fault === 'no_way')
    throw new Refusal(
      'not_refundable',
      `${internalReference} cannot be given back by its operator, which has neither refunds nor payouts here`,
    )
  if (fault === 'not_completed') throw new Refusal('not_refundable', `nothing of ${internalReference} is on suspense`)
  throw new Error(`a return was not accepted: ${JSON.stringify(result)}`)
}
