import type { Transaction } from '../domain/transaction.ts'
import type { RailReferences } from './ports/rail.ts'
import type { RailReference, Unit } from './ports/unit.ts'

/** What an order's own id is called among its references. */
export const OUR_REFERENCE = 'order'

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

/** What operators call the orders of these transactions so far, by transaction. */
export const theirReferences = (
  unit: Unit,
  transactions: readonly Transaction[],
): Promise<ReadonlyMap<bigint, RailReferences>> =>
  unit.railReferences(transactions.filter(({ railInstallation }) => railInstallation !== undefined).map(({ id }) => id))
