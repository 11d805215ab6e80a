import type { RailOutcome, Transaction } from '../domain/transaction.ts'
import type { RailReferences } from './ports/rail.ts'
import {
  OUR_REFERENCE,
  QUESTION_REFERENCE,
  type OrderNames,
  type RailReference,
  type ReferenceOrigin,
  type RailReferenceWrites,
} from './ports/rail-references.ts'

/** The references of one transaction for storage; none if no rail account has it. */
export const referencesOf = (
  { id, railAccount }: Transaction,
  names: RailReferences = {},
  origin: ReferenceOrigin = 'call',
): readonly RailReference[] =>
  railAccount === undefined
    ? []
    : Object.entries(names).map(([name, reference]) => ({
        transactionId: id,
        railAccount: railAccount,
        name,
        reference,
        origin,
      }))

/** The ids in a reply, a message or a report about an order. */
interface ReferenceSource {
  readonly outcome?: RailOutcome
  readonly externalIds?: RailReferences
  readonly receipts?: RailReferences
}

/**
 * The external ids that bind. Receipts count with a success only, because failures carry placeholders that many orders
 * share. References that only we assign are removed.
 */
export function externalIdsIn({ outcome, externalIds, receipts }: ReferenceSource): RailReferences {
  const {
    [OUR_REFERENCE]: _ours,
    [QUESTION_REFERENCE]: _question,
    ...ids
  } = { ...externalIds, ...(outcome?.status === 'COMPLETED' && receipts) }
  return ids
}

/**
 * The references in the reply to a call of ours: external ids, and the id of a query whose answer comes by callback.
 */
export const referencesInAnswer = (
  transaction: Transaction,
  answer: ReferenceSource & { readonly question?: string },
): readonly RailReference[] =>
  referencesOf(transaction, {
    ...externalIdsIn(answer),
    ...(answer.question !== undefined && { [QUESTION_REFERENCE]: answer.question }),
  })

/** The ids of these transactions' orders, by transaction. */
export const namesOf = (
  unit: Pick<RailReferenceWrites, 'railReferences'>,
  transactions: readonly Transaction[],
): Promise<ReadonlyMap<bigint, OrderNames>> =>
  unit.railReferences(transactions.filter(({ railAccount }) => railAccount !== undefined).map(({ id }) => id))
