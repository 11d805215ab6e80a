import type { Transaction } from '../domain/transaction.ts'

/**
 * What goes to one operator is a part of its own: what one answers is recorded when it is there, and waits for no other
 * one, which may take most of a lease.
 */
export const byInstallation = <Order extends { readonly transaction: Transaction }>(
  orders: readonly Order[],
): readonly (readonly Order[])[] => [...Map.groupBy(orders, ({ transaction }) => transaction.railInstallation).values()]

/** Nobody runs any of it again while a part is still under way. @throws the first fault */
export async function allEnded(parts: readonly Promise<void>[]): Promise<void> {
  const fault = (await Promise.allSettled(parts)).find(({ status }) => status === 'rejected')
  if (fault?.status === 'rejected') throw fault.reason
}
