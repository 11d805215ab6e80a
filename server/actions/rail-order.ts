import { present } from '../domain/present.ts'
import { money } from '../domain/money.ts'
import type { Transaction } from '../domain/transaction.ts'
import type { Rail, RailOrder, RailTraits } from './ports/rail.ts'
import type { OrderNames } from './ports/rail-references.ts'

/**
 * The order for the rail: the customer of a collection pays the charge on top when they bear it.
 * @param merchant its name, for the text shown with the amount
 */
export const railOrder = (
  {
    internalReference,
    merchantReference,
    railOrderId,
    railAccount,
    type,
    providerCode,
    account,
    amount,
    chargeMinor,
    chargeCustomer,
    bankCode,
  }: Transaction,
  { externalIds, orderedAt }: OrderNames = NO_NAMES,
  merchant?: string,
): RailOrder => ({
  internalReference,
  orderId: present(railOrderId, 'the id of an order'),
  ...(orderedAt && { orderedAt }),
  type,
  providerCode,
  account,
  ...(bankCode !== undefined && { bankCode }),
  ...(railAccount !== undefined && { railAccount: railAccount }),
  amount: type === 'COLLECTION' && chargeCustomer ? money(amount.amountMinor + chargeMinor, amount.currency) : amount,
  ...(merchant !== undefined && { shown: { merchant, reference: merchantReference } }),
  externalIds,
})

/**
 * Records the first, second, fourth, eighth … attempt only: the history of an order without a result for months must
 * not grow without end.
 */
export const isWorthReporting = (attempt: number): boolean => (attempt & (attempt - 1)) === 0

const NO_NAMES: OrderNames = { externalIds: {} }

/** The rail's traits for the route of a transaction: the one it took, or the one it would take now. */
export function traitsOf(
  rail: Rail,
  { providerCode, type, railOrderId, railAccount: orderedAt }: Transaction,
): RailTraits {
  const railAccount = railOrderId === undefined ? rail.railAccountOf?.(providerCode) : orderedAt
  return rail.traitsOf({ providerCode, type, ...(railAccount !== undefined && { railAccount }) })
}
