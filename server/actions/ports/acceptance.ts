import type { AcceptResult } from '../../domain/acceptance.ts'
import type { Party } from '../../domain/approvals.ts'
import type { BoundedUse } from '../../domain/account-bounds.ts'
import type { DailyLimit } from '../../domain/amount-limits.ts'
import type { ExpectedPayment } from '../../domain/expected-payment.ts'
import type { Money } from '../../domain/money.ts'
import type { PaymentSession } from '../../domain/payment-session.ts'
import type { RefundRequest } from '../../domain/refund.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { IdempotencyClaim } from './idempotency.ts'
import type { NewJob, JobKind } from './jobs.ts'

/** Everything that one commit stores when a request is accepted. */
export interface NewTransaction extends Omit<Transaction, 'id'> {
  readonly description: string
  readonly customerEmail?: string
  readonly redirectUrl?: string
  /**
   * Absent when it does not count toward the daily limit yet: with a payment page, the limit is claimed when the
   * customer confirms.
   */
  readonly dailyLimit?: DailyLimit
  /** What it uses of the limits of its account number, if they are not reached. */
  readonly uses?: readonly BoundedUse[]
  /** The first job after acceptance and when it is due; it commits together with the transaction. */
  readonly firstJob: Omit<NewJob, 'subjectId'>
  /** Another job. */
  readonly furtherJob?: { readonly kind: JobKind; readonly dueAt: Date }
  /** Absent when the customer only has to approve on the phone. */
  readonly session?: Omit<PaymentSession, 'transactionId'>
  readonly idempotency?: IdempotencyClaim
  /** Of a batch: the sum that rules for approvals count. */
  readonly approvedAs?: Money
  /** Who made it. Absent: whoever has the API key. */
  readonly maker?: Party
  /** For a refund: its amounts are decided with its acceptance, whatever they are here. */
  readonly refunds?: RefundRequest
  /** Its customer starts it. */
  readonly expects?: ExpectedPayment
}

/** The only way to store new transactions. */
export interface Acceptance {
  /**
   * Commits the transaction with its first job, or returns why not. Concurrent ones share one commit; none affects
   * another.
   */
  accept(transaction: NewTransaction): Promise<AcceptResult>
}
