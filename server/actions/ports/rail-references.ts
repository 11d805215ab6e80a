import type { RailReferences } from './rail.ts'

/** An id of an order at a rail account: ours (`OUR_REFERENCE`), a receipt, a request id. */
export interface RailReference {
  readonly transactionId: bigint
  readonly railAccount: string
  readonly name: string
  readonly reference: string
  /** Absent: stored by an older version without origins. */
  readonly origin?: ReferenceOrigin
}

/**
 * Origin of a reference. `own`: from us. `call`: from the operator's reply to a call of ours. `statement`: from its
 * statement. `message`: from a message, which anybody can forge who knows the order's address.
 */
export type ReferenceOrigin = 'own' | 'call' | 'statement' | 'message'

/** The name of our order id among the references of an order. */
export const OUR_REFERENCE = 'order'
/** The name of the operator's ids of our queries about the order, where it answers them by callback. */
export const QUESTION_REFERENCE = 'question'
/** How many query ids are kept per order, the latest ones: an order without a result is queried for weeks. */
export const QUESTIONS_MAX = 50

/**
 * The name of the reference that the payer reads, among the external ids of an order: M-PESA's term. The merchant
 * chooses its text, so it identifies an order only together with amount, number and time.
 */
export const PAYER_REFERENCE = 'AccountReference'

/** A payer's reference for one order, and until when no other order of its scope may have it. */
export interface PayerReferenceReservation {
  readonly transactionId: bigint
  readonly scope: string
  readonly reference: string
  readonly reservedUntil: Date
}

/** The ids of an order, and when ours was committed. */
export interface OrderNames {
  /** When our latest order id was committed. */
  readonly orderedAt?: Date
  /** The operator's ids. Of several with one name: the latest from a call, otherwise the latest. */
  readonly externalIds: RailReferences
  /** The origin of each external id by name, as far as it is known. */
  readonly origins?: Readonly<Record<string, ReferenceOrigin>>
  /** The operator's ids of our queries about the order, if it answers them by callback. */
  readonly questions?: readonly string[]
}

/** The ids of orders, ours and the external ones. */
export interface RailReferenceWrites {
  /**
   * References that are stored already stay as they are, but one that a call or a statement confirms no longer has the
   * origin `message`. The latest queries of an order are kept (`QUESTIONS_MAX`).
   */
  addRailReferences(references: readonly RailReference[], now: Date): Promise<void>
  /** The ids of these transactions' orders. */
  railReferences(transactionIds: readonly bigint[]): Promise<ReadonlyMap<bigint, OrderNames>>
}

/** The references that payers read. */
export interface PayerReferenceWrites {
  /**
   * Reserves each reference that is free: never reserved, expired, or this transaction's own, which is extended. Case
   * is ignored. If several transactions want the same reference, one gets it.
   * @returns the transactions that got theirs
   */
  reservePayerReferences(reservations: readonly PayerReferenceReservation[], now: Date): Promise<ReadonlySet<bigint>>
}
