import { refundCollection } from '../../actions/refund-collection.ts'
import { refundedBy } from '../../domain/refund.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { SimulatedGateway } from './gateway.ts'
import type { Send, SentRequest } from './requests.ts'
import { MINUTE, SECOND } from './spans.ts'
import type { Stage } from './stage.ts'

const REFUNDS_MAX = 3

/**
 * A merchant refunds a collection in parts, all at once or one after the other, and asks for more than there is.
 * @param send sends one refund until its outcome is known
 */
export async function refunds(
  stage: Stage,
  { merchantId, reference }: SentRequest,
  amount: number,
  send: (sent: SentRequest, refund: Send) => Promise<void>,
): Promise<void> {
  const { choices, gateway } = stage
  const merchant = gateway.reference.merchant(merchantId)
  const pauseMs = choices.of(0, 2 * SECOND, 12 * MINUTE, 73 * 60 * MINUTE)
  const count = 1 + choices.among(REFUNDS_MAX)
  await gateway.scheduler.sleep(choices.of(3 * SECOND, SECOND, 40 * SECOND, 30 * MINUTE))
  const sending: Promise<void>[] = []
  for (let n = 0; n < count; n += 1) {
    const part = choices.of(0, amount / 2, amount / 3, amount, 1)
    const request = {
      merchantReference: `${reference}-R${n}`,
      collectionReference: reference,
      ...(part > 0 && { amount: Math.floor(part) }),
      reason: 'returned',
    }
    const sent: SentRequest = { merchantId, reference: request.merchantReference, outcome: 'unknown' }
    sending.push(send(sent, (deps, claim) => refundCollection(deps, merchant, request, claim)))
    if (pauseMs > 0) await gateway.scheduler.sleep(pauseMs)
  }
  await Promise.all(sending)
}

/** What was refunded of a collection is never more than it, in its own currency and in the provider's. */
export function refunded({ world }: SimulatedGateway, collection: Transaction): string[] {
  if (collection.type !== 'COLLECTION') return []
  const of = [...world.transactions.values()]
    .map(({ transaction }) => transaction)
    .filter(({ refund }) => refund?.collection.internalReference === collection.internalReference)
  if (of.length === 0) return []
  const name = `${collection.merchantReference} (${collection.status})`
  const { requestMinor, amountMinor, chargeMinor } = refundedBy(of.map(({ railPaidAt: _open, ...refund }) => refund))
  const isWhole = requestMinor === collection.request.amountMinor
  return [
    ...(collection.status === 'COMPLETED' ? [] : [`${name} has refunds`]),
    ...(requestMinor > collection.request.amountMinor || amountMinor > collection.amount.amountMinor
      ? [`${name} of ${collection.amount.amountMinor} has refunds of ${amountMinor}`]
      : []),
    ...(isWhole && amountMinor !== collection.amount.amountMinor
      ? [`${name} of ${collection.amount.amountMinor} is refunded, and its refunds are ${amountMinor}`]
      : []),
    ...(chargeMinor > collection.chargeMinor ? [`${name} has given back a charge of ${chargeMinor}`] : []),
    ...of
      .filter(({ account }) => account !== collection.account)
      .map(({ merchantReference }) => `${merchantReference} went to another account than ${name} came from`),
  ]
}
