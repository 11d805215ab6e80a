import { money, moneyFromWire, formatMoney } from '../domain/money.ts'
import { optionKey, type Merchant } from '../domain/merchant.ts'
import { refuseDirectionControls } from '../domain/readable-text.ts'
import { paidMinor, refundReference, refundRefusal, type RefundRequest } from '../domain/refund.ts'
import { newInternalReference, type Random } from '../domain/references.ts'
import { Refusal } from '../domain/refusal.ts'
import { STATUS_MESSAGES, type RefundDetails, type Transaction } from '../domain/transaction.ts'
import type { Party } from '../domain/approvals.ts'
import { IdempotencyKeyTaken, once, type IdempotentAcceptance } from './idempotency.ts'
import type { Acceptance, NewTransaction } from './ports/acceptance.ts'
import type { Clock } from './ports/clock.ts'
import type { Acknowledgement, IdempotencyClaim, IdempotencyStore } from './ports/idempotency.ts'
import type { Lookups } from './ports/lookups.ts'
import type { Rail } from './ports/rail.ts'
import type { ReferenceData } from './ports/reference-data.ts'

/** A merchant's request in domain terms. */
export interface RefundOfCollection {
  readonly merchantReference: string
  /** The collection's merchant reference or internal reference. */
  readonly collectionReference: string
  /** In major units, as it was on the wire, in the collection's request currency. Absent: all that is left. */
  readonly amount?: number | string
  readonly reason: string
  /** Who made it. Absent: whoever has the API key. */
  readonly maker?: Party
  readonly traceparent?: string | undefined
}

export interface RefundDeps {
  readonly reference: ReferenceData
  readonly acceptance: Acceptance
  readonly idempotency: IdempotencyStore
  readonly lookups: Pick<Lookups, 'transactionByMerchantReference' | 'payment' | 'externalIds'>
  readonly rail: Pick<Rail, 'traitsOf'>
  readonly clock: Clock
  readonly random: Random
}

/**
 * Accepts a refund of a completed collection, to the account that paid it. Its amounts are decided in the commit, under
 * the lock of the collection, so that all its refunds together never exceed it. Then the money is held in the
 * collection wallet, and the refund goes out as it was decided: by the rail, or by a payout.
 * @throws Refusal for every business rule it breaks. An empty wallet is not one of them: it fails the refund later
 */
export const refundCollection = (
  deps: RefundDeps,
  merchant: Merchant,
  request: RefundOfCollection,
  claim?: IdempotencyClaim,
): Promise<IdempotentAcceptance> => once(deps, claim, () => accept(deps, merchant, request, claim))

async function accept(
  deps: RefundDeps,
  merchant: Merchant,
  request: RefundOfCollection,
  claim?: IdempotencyClaim,
): Promise<Acknowledgement> {
  refuseDirectionControls({ reason: request.reason })
  const collection = await findCollection(deps, merchant, request.collectionReference)
  const requestedMinor =
    request.amount === undefined ? undefined : moneyFromWire(request.amount, collection.request.currency).amountMinor
  const externalIds = await deps.lookups.externalIds(collection.id)
  const refund = newRefund(deps, collection, request, externalIds)
  const option = deps.reference.option(collection.providerCode, 'COLLECTION')
  const refunds = {
    collectionId: collection.id,
    ...(requestedMinor !== undefined && { requestedMinor }),
    ways: waysOf(
      deps,
      collection,
      externalIds,
      merchant.refundsByPayout === true && merchant.enabledOptions.has(optionKey(collection.providerCode, 'PAYOUT')),
    ),
    givesChargeBack: option?.refundsCharge === true,
    amountStepMinor: option?.amountStepMinor,
  }
  const result = await deps.acceptance.accept({ ...refund, refunds, ...(claim && { idempotency: claim }) })
  if (result === 'idempotency_key_taken') throw new IdempotencyKeyTaken()
  if (result === 'duplicate_reference')
    throw new Refusal('duplicate_reference', `merchant_reference (${request.merchantReference}) has already been used`)
  if (result !== 'accepted') {
    if (!('refundFault' in result)) throw new Error('a refund has no limits')
    const { currency } = collection.request
    throw refundRefusal(result.refundFault, request.collectionReference, (minor) => formatMoney(money(minor, currency)))
  }
  const { internalReference, merchantReference } = refund
  return { internalReference, merchantReference, onPaymentPage: false }
}

/** By the merchant's own reference, or else by ours. */
async function findCollection({ lookups }: RefundDeps, { id }: Merchant, reference: string): Promise<Transaction> {
  const found =
    (await lookups.transactionByMerchantReference(id, reference)) ?? (await lookups.payment(reference))?.transaction
  if (found?.type !== 'COLLECTION' || found.isAttempt || found.merchantId !== id)
    throw new Refusal('unknown_reference', `Collection (${reference}) was not found`)
  return found
}

/**
 * How what a collection or an attempt has paid may go back. Where the rail lacks the id by which it gives it back, a
 * payout goes before waiting for that.
 * @param mayPayOut whether by a payout too
 */
export function waysOf(
  { rail, reference }: Pick<RefundDeps, 'rail' | 'reference'>,
  collection: Transaction,
  externalIds: RefundDetails['externalIds'],
  mayPayOut: boolean,
): RefundRequest['ways'] {
  const { providerCode, railOrderId, railAccount } = collection
  const traits =
    railOrderId === undefined
      ? undefined
      : rail.traitsOf({ type: 'COLLECTION', providerCode, ...(railAccount !== undefined && { railAccount }) }).refund
  const payouts = reference.option(providerCode, 'PAYOUT')
  // Some operators hide the number of who paid an expected payment.
  const mayReachPayer = collection.method === 'MOBILE_MONEY' && collection.account !== ''
  const payout = mayPayOut && mayReachPayer && payouts?.isActive === true && payouts.hasRail
  const lacksId = traits?.needsId !== undefined && externalIds[traits.needsId] === undefined
  return { ...(traits && !(payout && lacksId) && { refund: { partial: traits.partial } }), payout }
}

/** The refund of the whole collection: its amounts are those of its acceptance, when it is accepted. */
export function newRefund(
  { clock, random }: Pick<RefundDeps, 'clock' | 'random'>,
  collection: Transaction,
  request: Pick<RefundOfCollection, 'merchantReference' | 'reason' | 'maker' | 'traceparent'>,
  externalIds: RefundDetails['externalIds'],
): NewTransaction & { readonly refund: RefundDetails } {
  const { merchantReference, reason, maker, traceparent } = request
  const now = clock.now()
  const { merchantId, method, providerCode, account, amount, chargeCustomer, customerName } = collection
  return {
    merchantId,
    merchantReference,
    internalReference: newInternalReference(random, now),
    type: 'REFUND',
    method,
    providerCode,
    account,
    request: collection.request,
    amount,
    chargeMinor: 0n,
    totalMinor: amount.amountMinor,
    chargeCustomer,
    allowFinalStatusChange: false,
    ...(customerName !== undefined && { customerName }),
    description: reason,
    traceparent,
    refund: {
      way: 'refund',
      reason,
      collection: {
        internalReference: collection.internalReference,
        merchantReference: collection.merchantReference,
      },
      ...(collection.railOrderId !== undefined && { orderId: collection.railOrderId }),
      ...(collection.railAccount !== undefined && { railAccount: collection.railAccount }),
      paidMinor: String(paidMinor(collection)),
      collectionId: String(collection.id),
      externalIds,
    },
    status: 'PENDING',
    statusMessage: STATUS_MESSAGES.pending,
    createdAt: now,
    firstJob: { kind: 'holdRefund', dueAt: now },
    ...(maker && { maker }),
  }
}

/**
 * Finds the merchant's refund by the merchant's own reference.
 * @throws Refusal `unknown_reference`, the same for a reference of another merchant as for an unknown one
 */
export async function findRefund(
  { lookups }: Pick<RefundDeps, 'lookups'>,
  { id }: Merchant,
  merchantReference: string,
): Promise<Transaction> {
  const refund = await lookups.transactionByMerchantReference(id, refundReference(merchantReference))
  if (!refund) throw new Refusal('unknown_reference', `Refund (${merchantReference}) was not found`)
  return refund
}
