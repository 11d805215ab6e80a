import type { Transaction } from '../domain/transaction.ts'
import type { RailReferences } from './ports/rail.ts'
import type { OrderNames, RailReference, Unit } from './ports/unit.ts'

/** The references of one transaction as they are stored; none where no installation has it. */
export const referencesOf = (
  { id, railInstallation }: Transaction,
  names: RailReferences = {},
): readonly RailReference[] =>
  railInstallation === undefined
    ? []
    : Object.entries(names).map(([name, reference]) => ({
        transactionId: id,
        installation: railInstallation,
        name,
        reference,
      }))

/** What is known of the orders of these transactions, by transaction. */
export const namesOf = (unit: Unit, transactions: readonly Transaction[]): Promise<ReadonlyMap<bigint, OrderNames>> =>
  unit.railReferences(transactions.filter(({ railInstallation }) => railInstallation !== undefined).map(({ id }) => id))
