import type { BoundedUse, BoundReached } from '../../domain/account-bounds.ts'
import type { DailyLimit } from '../../domain/amount-limits.ts'
import type { PaymentSession } from '../../domain/payment-session.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { IdempotencyClaim } from './idempotency.ts'
import type { NewWork, WorkKind } from './work.ts'

/** All that one commit stores when a request is accepted. */
export interface NewTransaction extends Omit<Transaction, 'id'> {
  readonly description: string
  readonly customerEmail?: string
  readonly redirectUrl?: string
  /** Absent when it does not count toward the daily limit yet: a payment page claims it when its customer confirms. */
  readonly dailyLimit?: DailyLimit
  /** What it takes of its account number's bounds, if there is room. */
  readonly uses?: readonly BoundedUse[]
  /** The first thing to do after acceptance, and when; it commits together with the transaction. */
  readonly firstWork: Omit<NewWork, 'subjectId'>
  /** What there is to do besides. */
  readonly furtherWork?: { readonly kind: WorkKind; readonly dueAt: Date }
  /** Absent when the customer has nothing to do but approve on the phone. */
  readonly session?: Omit<PaymentSession, 'transactionId'>
  readonly idempotency?: IdempotencyClaim
}

/** Anything but `accepted`: nothing was stored. */
export type AcceptResult = 'accepted' | 'duplicate_reference' | 'idempotency_key_taken' | LimitExceeded | BoundReached

/** The daily limit that it would exceed: the provider's, or the merchant's share of it. */
export interface LimitExceeded {
  readonly exceededMinor: bigint
}

/** The one way in for new transactions. */
export interface Acceptance {
  /**
   * Commits the transaction with its first work, or says why not. Many at once share one commit; none disturbs another.
   */
  accept(transaction: NewTransaction): Promise<AcceptResult>
}
