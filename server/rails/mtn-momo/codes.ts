import type { Failure } from '../../domain/failure-code.ts'
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
  readonly collection: Failure
  /** Also for refunds: there, too, we are the payer. */
  readonly payout: Failure
}

type Row = (collection: Failure, payout?: Failure) => CodeMeaning
const rows =
  (submitted: CodeMeaning['submitted']): Row =>
  (collection, payout = collection) => ({ submitted, collection, payout })

/** Documented: test numbers of the sandbox are refused with it when they are submitted. */
const refused = rows('refused')
/** Documented for a transaction that was started; as a refusal it is not, so it says nothing. */
const ofStarted = rows('unknown')
/** Not documented: others have met it as the reason of a transaction that failed; as a refusal it says nothing. */
const metAsReason = rows('unknown')
/** Documented, and whether MTN took the order it does not say. */
const unclear = rows('unknown')

const NOT_COMPLETED: Failure = { reason: 'Mobile money did not complete the transaction', code: 'operator_error' }
const SETUP: Failure = { reason: 'Mobile money does not take this transaction now', code: 'operator_error' }
const NOT_ALLOWED: Failure = { reason: 'Mobile money does not allow this transaction', code: 'not_allowed' }
const NO_ACCOUNT: Failure = { reason: 'The number has no mobile money account', code: 'account_not_found' }
const LIMIT: Failure = { reason: 'A limit of mobile money is reached', code: 'limit_reached' }
const DECLINED: Failure = { reason: 'The customer did not approve the payment', code: 'declined' }
const NOT_APPROVED: Failure = { reason: 'The payment was not approved', code: 'declined' }
const EXPIRED: Failure = { reason: 'Nobody approved the payment in time', code: 'expired' }
const NO_MONEY: Failure = { reason: 'The account does not hold enough money', code: 'insufficient_funds' }
const INACTIVE: Failure = { reason: 'The account is not active', code: 'account_blocked' }
/** Our own account pays: a merchant who read "insufficient_funds" would top up a wallet. */
const OUR_ACCOUNT: Failure = { reason: 'Mobile money cannot pay this out now', code: 'operator_error' }
// MTN does not say who cancelled it.
const CANCELLED: Failure = { reason: 'The transaction was cancelled at mobile money' }

export const MEANINGS: Readonly<Record<string, CodeMeaning>> = {
  PAYEE_NOT_FOUND: refused(SETUP, NO_ACCOUNT),
  PAYER_NOT_FOUND: refused(NO_ACCOUNT, SETUP),
  NOT_ALLOWED: refused(NOT_ALLOWED),
  NOT_ALLOWED_TARGET_ENVIRONMENT: refused(SETUP),
  INVALID_CALLBACK_URL_HOST: refused(SETUP),
  INVALID_CURRENCY: refused(SETUP),
  // Documented as an MTN that cannot answer now.
  SERVICE_UNAVAILABLE: unclear(NOT_COMPLETED),
  // Documented for "anything else"; as an HTTP 500 it says nothing (unverified, so the safe reading holds). That the
  // payer has too little is documented as "mostly", which is too vague to branch on.
  INTERNAL_PROCESSING_ERROR: unclear(
    {
      reason: 'Mobile money did not complete the payment, mostly because the account does not hold enough',
      code: 'operator_error',
    },
    NOT_COMPLETED,
  ),
  NOT_ENOUGH_FUNDS: refused(NO_MONEY, OUR_ACCOUNT),
  PAYER_LIMIT_REACHED: refused(LIMIT),
  PAYEE_NOT_ALLOWED_TO_RECEIVE: refused(NOT_ALLOWED, {
    reason: 'The account cannot receive money now',
    code: 'account_blocked',
  }),
  PAYMENT_NOT_APPROVED: ofStarted(DECLINED, NOT_APPROVED),
  // Documented for questions; of a submission it says nothing.
  RESOURCE_NOT_FOUND: unclear(NOT_COMPLETED),
  APPROVAL_REJECTED: ofStarted(DECLINED, NOT_APPROVED),
  EXPIRED: ofStarted(EXPIRED),
  TRANSACTION_CANCELED: ofStarted(CANCELLED),
  // Documented: the id was used before, and the id is ours alone.
  RESOURCE_ALREADY_EXIST: rows('arrived')(NOT_COMPLETED),
  // The sandbox refuses a number with it, but it means a customer who was prompted and did not answer: no documentation
  // says that a request refused with it started nothing.
  COULD_NOT_PERFORM_TRANSACTION: ofStarted(EXPIRED),
  // In one country this code means a payer without enough money.
  LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED: metAsReason(
    { reason: 'The account does not hold enough money, or the payment is not allowed', code: 'insufficient_funds' },
    OUR_ACCOUNT,
  ),
  SENDER_ACCOUNT_NOT_ACTIVE: metAsReason(INACTIVE, OUR_ACCOUNT),
  AUTHORIZATION_SENDER_ACCOUNT_NOT_ACTIVE: metAsReason(INACTIVE, OUR_ACCOUNT),
  PAYEE_LIMIT_REACHED: metAsReason(LIMIT),
  TARGET_AUTHORIZATION_ERROR: metAsReason(NO_MONEY, OUR_ACCOUNT),
  ACCOUNTHOLDER_WITH_FRI_NOT_FOUND: metAsReason(NO_ACCOUNT),
  TRANSACTION_NOT_FOUND: metAsReason(NOT_COMPLETED),
  VALIDATION_ERROR: metAsReason(SETUP),
  // As a refusal it would mean that the order has arrived. That is not documented, and unknown ends the same way.
  REFERENCE_ID_ALREADY_IN_USE: metAsReason(NOT_COMPLETED),
}

/** A malformed request (HTTP 400, documented); that nothing was started then is assumed. */
export const MALFORMED: Failure = SETUP

/**
 * @param code as MTN writes it
 * @returns undefined for a code that MTN does not document
 */
export const meaningOf = (code: string | undefined): CodeMeaning | undefined =>
  code !== undefined && Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined

/** Why a FAILED failed. With an undocumented reason, or none at all, only the failure itself is known. */
export function causeOf(code: string | undefined, type: TransactionType): Failure {
  const meaning = meaningOf(code)
  if (!meaning) return { reason: NOT_COMPLETED.reason }
  return type === 'COLLECTION' ? meaning.collection : meaning.payout
}
