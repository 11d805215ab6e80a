import type { FailureCode } from '../../domain/failure-code.ts'
import type { TransactionType } from '../../domain/provider.ts'

/**
 * The meaning of MTN's codes (`x-error-codes` of its contract) for the money, and our text for each. A code comes in
 * two places: as the refusal of a submission, and as the reason of a FAILED. FAILED is final whatever its reason; a
 * refusal is final only where MTN documents it as one.
 */
interface CodeMeaning {
  /**
   * The code in a refused submission. `refused`: nothing was started. `arrived`: an earlier attempt was accepted.
   * `unknown`: it says nothing about money.
   */
  readonly submitted: 'refused' | 'arrived' | 'unknown'
  /** The evidence for `submitted`. */
  readonly because: string
  readonly collection: Cause
  /** Also for refunds: there, too, we are the payer. */
  readonly payout: Cause
}

/** Why no money moved, in our own words: merchants and customers read them. */
export interface Cause {
  readonly reason: string
  readonly code?: FailureCode
}

const REFUSED_IN_SANDBOX = 'documented: test numbers of the sandbox are refused with it when they are submitted'
const MET_AS_A_REASON =
  'not documented: others have met it as the reason of a transaction that failed; as a refusal it says nothing'
const OF_A_TRANSACTION = 'documented for a transaction that was started; as a refusal it is not, so it says nothing'

const NOT_COMPLETED: Cause = { reason: 'Mobile money did not complete the transaction', code: 'operator_error' }
const SETUP: Cause = { reason: 'Mobile money does not take this transaction now', code: 'operator_error' }
const NOT_ALLOWED: Cause = { reason: 'Mobile money does not allow this transaction', code: 'not_allowed' }
const NO_ACCOUNT: Cause = { reason: 'The number has no mobile money account', code: 'account_not_found' }
const LIMIT: Cause = { reason: 'A limit of mobile money is reached', code: 'limit_reached' }
const DECLINED: Cause = { reason: 'The customer did not approve the payment', code: 'declined' }
const NOT_APPROVED: Cause = { reason: 'The payment was not approved', code: 'declined' }
const EXPIRED: Cause = { reason: 'Nobody approved the payment in time', code: 'expired' }
const NO_MONEY: Cause = { reason: 'The account does not hold enough money', code: 'insufficient_funds' }
const INACTIVE: Cause = { reason: 'The account is not active', code: 'account_blocked' }
/** Our own account pays: a merchant who read "insufficient_funds" would top up a wallet. */
const OUR_ACCOUNT: Cause = { reason: 'Mobile money cannot pay this out now', code: 'operator_error' }
// MTN does not say who cancelled it.
const CANCELLED: Cause = { reason: 'The transaction was cancelled at mobile money' }

export const MEANINGS: Readonly<Record<string, CodeMeaning>> = {
  PAYEE_NOT_FOUND: {
    submitted: 'refused',
    because: REFUSED_IN_SANDBOX,
    collection: SETUP,
    payout: NO_ACCOUNT,
  },
  PAYER_NOT_FOUND: {
    submitted: 'refused',
    because: REFUSED_IN_SANDBOX,
    collection: NO_ACCOUNT,
    payout: SETUP,
  },
  NOT_ALLOWED: { submitted: 'refused', because: REFUSED_IN_SANDBOX, collection: NOT_ALLOWED, payout: NOT_ALLOWED },
  NOT_ALLOWED_TARGET_ENVIRONMENT: {
    submitted: 'refused',
    because: REFUSED_IN_SANDBOX,
    collection: SETUP,
    payout: SETUP,
  },
  INVALID_CALLBACK_URL_HOST: { submitted: 'refused', because: REFUSED_IN_SANDBOX, collection: SETUP, payout: SETUP },
  INVALID_CURRENCY: { submitted: 'refused', because: REFUSED_IN_SANDBOX, collection: SETUP, payout: SETUP },
  SERVICE_UNAVAILABLE: {
    submitted: 'unknown',
    because: 'documented as an MTN that cannot answer now: whether it took the order it does not say',
    collection: NOT_COMPLETED,
    payout: NOT_COMPLETED,
  },
  INTERNAL_PROCESSING_ERROR: {
    submitted: 'unknown',
    because: 'documented for "anything else"; as an HTTP 500 it says nothing (unverified, so the safe reading holds)',
    // Documented as "mostly", which is too vague to branch on.
    collection: {
      reason: 'Mobile money did not complete the payment, mostly because the account does not hold enough',
      code: 'operator_error',
    },
    payout: NOT_COMPLETED,
  },
  NOT_ENOUGH_FUNDS: {
    submitted: 'refused',
    because: REFUSED_IN_SANDBOX,
    collection: NO_MONEY,
    payout: OUR_ACCOUNT,
  },
  PAYER_LIMIT_REACHED: { submitted: 'refused', because: REFUSED_IN_SANDBOX, collection: LIMIT, payout: LIMIT },
  PAYEE_NOT_ALLOWED_TO_RECEIVE: {
    submitted: 'refused',
    because: REFUSED_IN_SANDBOX,
    collection: NOT_ALLOWED,
    payout: { reason: 'The account cannot receive money now', code: 'account_blocked' },
  },
  PAYMENT_NOT_APPROVED: {
    submitted: 'unknown',
    because: OF_A_TRANSACTION,
    collection: DECLINED,
    payout: NOT_APPROVED,
  },
  RESOURCE_NOT_FOUND: {
    submitted: 'unknown',
    because: 'documented for questions; of a submission it says nothing',
    collection: NOT_COMPLETED,
    payout: NOT_COMPLETED,
  },
  APPROVAL_REJECTED: { submitted: 'unknown', because: OF_A_TRANSACTION, collection: DECLINED, payout: NOT_APPROVED },
  EXPIRED: { submitted: 'unknown', because: OF_A_TRANSACTION, collection: EXPIRED, payout: EXPIRED },
  TRANSACTION_CANCELED: {
    submitted: 'unknown',
    because: OF_A_TRANSACTION,
    collection: CANCELLED,
    payout: CANCELLED,
  },
  RESOURCE_ALREADY_EXIST: {
    submitted: 'arrived',
    because: 'documented: the id was used before, and the id is ours alone',
    collection: NOT_COMPLETED,
    payout: NOT_COMPLETED,
  },
  // The sandbox refuses a number with it, but it means a customer who was prompted and did not answer: no documentation
  // says that a request refused with it started nothing.
  COULD_NOT_PERFORM_TRANSACTION: {
    submitted: 'unknown',
    because: OF_A_TRANSACTION,
    collection: EXPIRED,
    payout: EXPIRED,
  },
  // In one country this code means a payer without enough money.
  LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED: {
    submitted: 'unknown',
    because: MET_AS_A_REASON,
    collection: {
      reason: 'The account does not hold enough money, or the payment is not allowed',
      code: 'insufficient_funds',
    },
    payout: OUR_ACCOUNT,
  },
  SENDER_ACCOUNT_NOT_ACTIVE: {
    submitted: 'unknown',
    because: MET_AS_A_REASON,
    collection: INACTIVE,
    payout: OUR_ACCOUNT,
  },
  AUTHORIZATION_SENDER_ACCOUNT_NOT_ACTIVE: {
    submitted: 'unknown',
    because: MET_AS_A_REASON,
    collection: INACTIVE,
    payout: OUR_ACCOUNT,
  },
  PAYEE_LIMIT_REACHED: { submitted: 'unknown', because: MET_AS_A_REASON, collection: LIMIT, payout: LIMIT },
  TARGET_AUTHORIZATION_ERROR: {
    submitted: 'unknown',
    because: MET_AS_A_REASON,
    collection: NO_MONEY,
    payout: OUR_ACCOUNT,
  },
  ACCOUNTHOLDER_WITH_FRI_NOT_FOUND: {
    submitted: 'unknown',
    because: MET_AS_A_REASON,
    collection: NO_ACCOUNT,
    payout: NO_ACCOUNT,
  },
  TRANSACTION_NOT_FOUND: {
    submitted: 'unknown',
    because: MET_AS_A_REASON,
    collection: NOT_COMPLETED,
    payout: NOT_COMPLETED,
  },
  VALIDATION_ERROR: { submitted: 'unknown', because: MET_AS_A_REASON, collection: SETUP, payout: SETUP },
  // As a refusal it would mean that the order has arrived. That is not documented, and unknown ends the same way.
  REFERENCE_ID_ALREADY_IN_USE: {
    submitted: 'unknown',
    because: MET_AS_A_REASON,
    collection: NOT_COMPLETED,
    payout: NOT_COMPLETED,
  },
}

/** A malformed request (HTTP 400, documented); that nothing was started then is assumed. */
export const MALFORMED: Cause = SETUP

/**
 * @param code as MTN writes it
 * @returns undefined for a code that MTN does not document
 */
export const meaningOf = (code: string | undefined): CodeMeaning | undefined =>
  code !== undefined && Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined

/** Why a FAILED failed. With an undocumented reason, or none at all, only the failure itself is known. */
export function causeOf(code: string | undefined, type: TransactionType): Cause {
  const meaning = meaningOf(code)
  if (!meaning) return { reason: NOT_COMPLETED.reason }
  return type === 'COLLECTION' ? meaning.collection : meaning.payout
}
