import { present } from '../domain/present.ts'
import { money } from '../domain/money.ts'
import type { Transaction } from '../domain/transaction.ts'
import type { RailOrder } from './ports/rail.ts'

/** What the rail is asked to move: the customer of a collection pays the charge on top when they bear it. */
export const railOrder = ({
  internalReference,
  railOrderId,
  type,
  providerCode,
  account,
  amount,
  chargeMinor,
  chargeCustomer,
  bankCode,
}: Transaction): RailOrder => ({
  internalReference,
  orderId: present(railOrderId, 'the id of an order'),
  type,
  providerCode,
  account,
  ...(bankCode !== undefined && { bankCode }),
  amount: type === 'COLLECTION' && chargeCustomer ? money(amount.amountMinor + chargeMinor, amount.currency) : amount,
  theirs: {},
})

/**
 * The history of what hangs for months must not grow without end: the first, second, fourth, eighth … attempt is told.
 */
export const isWorthTelling = (attempt: number): boolean => (attempt & (attempt - 1)) === 0
