import type { Money } from '../../domain/money.ts'
import type { TransactionType } from '../../domain/provider.ts'
import type { RailOutcome } from '../../domain/transaction.ts'

/** What a rail is asked to do. The internal reference is its idempotency key: the same one twice moves money once. */
export interface RailOrder {
  readonly internalReference: string
  readonly type: TransactionType
  readonly providerCode: string
  readonly account: string
  readonly bankCode?: string
  /** What the customer pays or the recipient gets. */
  readonly amount: Money
}

/**
 * `accepted`: the result comes later. `refused`: it never will. `unreachable`: we do not know whether the rail got it.
 */
export type RailAnswer =
  | { readonly answer: 'accepted' }
  | { readonly answer: 'refused'; readonly reason: string }
  | { readonly answer: 'unreachable'; readonly error: string }

/** What a rail knows of an order. `nothing_moved`: it confirms that no such transfer exists or will. */
export type RailKnowledge =
  | { readonly knows: 'outcome'; readonly outcome: RailOutcome }
  | { readonly knows: 'in_progress' }
  | { readonly knows: 'nothing_moved' }
  | { readonly knows: 'unreachable'; readonly error: string }

/** What a rail says came of an order, of its own accord. */
export interface RailReport {
  readonly internalReference: string
  readonly outcome: RailOutcome
}

/**
 * The connection to an operator or bank. Answers come in the order of the questions; one failing order does not fail
 * the others.
 */
export interface Rail {
  submit(orders: readonly RailOrder[]): Promise<readonly RailAnswer[]>
  ask(orders: readonly RailOrder[]): Promise<readonly RailKnowledge[]>
}
