import type { TriedCollection } from '../../domain/attempts.ts'
import type { Transaction } from '../../domain/transaction.ts'

/** The attempts of collections that may be tried more than once (domain/attempts.ts). */
export interface AttemptWrites {
  /** Stores the next attempt of a locked collection, PENDING: with its own ids, and the amounts of the collection. */
  addAttempt(collection: Transaction, internalReference: string, now: Date): Promise<Transaction>
  /** A locked attempt becomes the last one of a locked collection. */
  moveAttempt(attemptId: bigint, collectionId: bigint): Promise<void>
  /** Not locked, oldest first. */
  attemptsOf(collectionId: bigint): Promise<readonly Transaction[]>
  /** Locks the collections of these attempts, by attempt. Lock order: after the attempts, and before jobs of theirs. */
  lockCollectionsOf(attemptIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Tried>>
}

/** The collection of an attempt. */
export interface Tried extends TriedCollection {
  /** The number of the attempt. */
  readonly number: number
}
