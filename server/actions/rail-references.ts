import type { RailOutcome, Transaction } from '../domain/transaction.ts'
import type { RailReferences } from './ports/rail.ts'
import {
  OUR_REFERENCE,
  QUESTION_REFERENCE,
  type OrderNames,
  type RailReference,
  type ReferenceOrigin,
  type Unit,
} from './ports/unit.ts'

/** The references of one transaction as they are stored; none where no installation has it. */
export const referencesOf = (
  { id, railInstallation }: Transaction,
  names: RailReferences = {},
  origin: ReferenceOrigin = 'call',
): readonly RailReference[] =>
  railInstallation === undefined
    ? []
    : Object.entries(names).map(([name, reference]) => ({
        transactionId: id,
        installation: railInstallation,
        name,
        reference,
        origin,
      }))

/** What an answer, a message or a report says of an order, as far as it gives ids. */
interface Naming {
  readonly outcome?: RailOutcome
  readonly theirs?: RailReferences
  readonly receipts?: RailReferences
}

/**
 * The external ids that bind: receipts with a success only, because failures carry placeholders that many orders share.
 * Our own names are ours to give.
 */
export function externalIdsIn({ outcome, theirs, receipts }: Naming): RailReferences {
  const {
    [OUR_REFERENCE]: _ours,
    [QUESTION_REFERENCE]: _question,
    ...ids
  } = { ...theirs, ...(outcome?.status === 'COMPLETED' && receipts) }
  return ids
}

/** What the answer to a call of ours gives an order: external ids, and the id of a query whose answer comes by callback. */
export const referencesInAnswer = (
  transaction: Transaction,
  answer: Naming & { readonly question?: string },
): readonly RailReference[] =>
  referencesOf(transaction, {
    ...externalIdsIn(answer),
    ...(answer.question !== undefined && { [QUESTION_REFERENCE]: answer.question }),
  })

/** What is known of the orders of these transactions, by transaction. */
export const namesOf = (unit: Unit, transactions: readonly Transaction[]): Promise<ReadonlyMap<bigint, OrderNames>> =>
  unit.railReferences(transactions.filter(({ railInstallation }) => railInstallation !== undefined).map(({ id }) => id))
