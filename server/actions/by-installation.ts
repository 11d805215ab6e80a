import type { InParts, Operator, Part } from './ports/operator-parts.ts'
import type { Rail } from './ports/rail.ts'
import type { Transaction } from '../domain/transaction.ts'

interface OfTransaction {
  readonly transaction: Transaction
}

/**
 * What goes to one operator is a part of its own: what one answers is recorded when it is there, and waits for no other
 * one, which may take most of a lease.
 */
export const byInstallation = <Order extends OfTransaction>(
  rail: Rail,
  orders: readonly Order[],
  run: (orders: readonly Order[]) => Promise<void>,
): readonly Part[] =>
  [...Map.groupBy(orders, ({ transaction }) => transaction.railInstallation)].map(([installation, own]) => ({
    ...(installation !== undefined && { operator: operatorOf(rail, installation, own) }),
    run: () => run(own),
  }))

function operatorOf(rail: Rail, installation: string, orders: readonly OfTransaction[]): Operator {
  const providers = new Set(orders.map(({ transaction }) => transaction.providerCode))
  // A provider may have been led elsewhere since: its next orders have nothing to wait for.
  return { installation, providers: [...providers].filter((code) => rail.installationOf?.(code) === installation) }
}

/** Where nobody else's work is to go on meanwhile. */
export const allAtOnce: InParts = (parts) => allEnded(parts.map(({ run }) => run()))

/** Nobody runs any of it again while a part is still under way. @throws the first fault */
export async function allEnded(parts: readonly Promise<void>[]): Promise<void> {
  const fault = (await Promise.allSettled(parts)).find(({ status }) => status === 'rejected')
  if (fault?.status === 'rejected') throw fault.reason
}
