import type { Transaction } from '../domain/transaction.ts'
import { orderTypeOf } from './rail-order.ts'
import type { Rail } from './ports/rail.ts'
import {
  PAYER_REFERENCE,
  type OrderNames,
  type PayerReferenceReservation,
  type PayerReferenceWrites,
} from './ports/rail-references.ts'

/** The remaining candidates of one order. */
interface Search extends Omit<PayerReferenceReservation, 'reference'> {
  readonly candidates: readonly string[]
}

/**
 * Reserves the references that the payers of these orders will read: for each the best candidate that no other order
 * of its scope has. Each round is one statement, and one round is almost always enough. An order whose first try never
 * arrived keeps its reference.
 * @returns by transaction; none where the payer reads no reference of ours
 * @throws when all candidates of an order are taken: the next try has another order id, and so other candidates
 */
export async function reservePayerReferences(
  unit: PayerReferenceWrites,
  rail: Rail,
  transactions: readonly Transaction[],
  now: Date,
): Promise<ReadonlyMap<bigint, OrderNames>> {
  const reserved = new Map<bigint, OrderNames>()
  let open = transactions.flatMap((transaction) => searchFor(rail, transaction, now))
  while (open.length > 0) {
    const wanted = open.map(({ candidates: [reference], ...search }) => {
      if (reference === undefined) throw new Error('no reference for the payer is free')
      return { ...search, reference }
    })
    const isReserved = await unit.reservePayerReferences(wanted, now)
    for (const { transactionId, reference } of wanted)
      if (isReserved.has(transactionId)) reserved.set(transactionId, { externalIds: { [PAYER_REFERENCE]: reference } })
    open = open
      .filter(({ transactionId }) => !isReserved.has(transactionId))
      .map((search) => ({ ...search, candidates: search.candidates.slice(1) }))
  }
  return reserved
}

function searchFor(rail: Rail, transaction: Transaction, now: Date): Search[] {
  const { id, railOrderId, railAccount } = transaction
  const type = orderTypeOf(transaction)
  if (railOrderId === undefined || railAccount === undefined || type === 'REFUND') return []
  const { providerCode, internalReference, merchantReference } = transaction
  const order = { type, providerCode, railAccount, internalReference, merchantReference, orderId: railOrderId }
  const choice = rail.payerReference?.(order)
  if (!choice) return []
  const { candidates, scope, uniqueForMs } = choice
  return [{ transactionId: id, scope, candidates, reservedUntil: new Date(now.getTime() + uniqueForMs) }]
}
