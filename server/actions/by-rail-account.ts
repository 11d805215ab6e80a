import type { InParts, Operator, Part } from './ports/operator-parts.ts'
import type { Rail } from './ports/rail.ts'
import type { Transaction } from '../domain/transaction.ts'

interface OfTransaction {
  readonly transaction: Transaction
}

/**
 * Splits orders by rail account. Each part commits on its own, so that one operator's reply is recorded at once and
 * does not wait for another operator, which may take most of a lease.
 */
export const byRailAccount = <Order extends OfTransaction>(
  rail: Rail,
  orders: readonly Order[],
  run: (orders: readonly Order[]) => Promise<void>,
): readonly Part[] =>
  [...Map.groupBy(orders, ({ transaction }) => transaction.railAccount)].map(([railAccount, own]) => ({
    ...(railAccount !== undefined && { operator: operatorOf(rail, railAccount, own) }),
    run: () => run(own),
  }))

function operatorOf(rail: Rail, railAccount: string, orders: readonly OfTransaction[]): Operator {
  const providers = new Set(orders.map(({ transaction }) => transaction.providerCode))
  // A provider may have moved to another rail account since: its next orders have nothing to wait for.
  return { railAccount, providers: [...providers].filter((code) => rail.railAccountOf?.(code) === railAccount) }
}

/** For callers that wait for all parts and run nothing else in the meantime. */
export const allAtOnce: InParts = (parts) => allEnded(parts.map(({ run }) => run()))

/**
 * Waits for all parts, also after a failure: no part is retried while another one still runs. @throws the first fault
 */
export async function allEnded(parts: readonly Promise<void>[]): Promise<void> {
  const fault = (await Promise.allSettled(parts)).find(({ status }) => status === 'rejected')
  if (fault?.status === 'rejected') throw fault.reason
}
