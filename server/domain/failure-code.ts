/**
 * Why no money moved, as a code that programs may branch on; the text beside it is for people. One list for all
 * operators: each rail maps its own codes onto it, and what it cannot map has no code. The contract's `FailureCode`
 * has the same list, and the docs' table of failures says what a merchant may do (a test compares them). Codes may be
 * added and never removed: transactions keep theirs.
 */
export const FAILURE_CODES = {
  insufficient_funds: 'who pays does not have the money: the customer, or the wallet of a payout',
  declined: 'the customer or recipient declined, or the customer failed to prove who they are',
  expired: 'nobody answered in time',
  cancelled: 'the customer left the payment page by its cancel button',
  limit_reached: 'a limit of the operator on amounts, sums or the balance of the account',
  account_not_found: 'the operator knows no such account',
  account_blocked: 'the account exists and cannot pay or be paid now',
  not_allowed: 'the operator or the merchant does not allow this transaction',
  // The merchant's own server failed: neither a decision, as `not_allowed` is, nor a fault of the operator.
  handshake_unanswered: "the merchant's verification URL gave no answer about a payout",
  // Four eyes: a person of the merchant decided, or nobody did.
  approval_refused: "the merchant's approver refused the payout",
  approval_expired: 'no approver of the merchant decided about the payout in time',
  merchant_cancelled: 'the merchant cancelled the payout before it was handed over',
  // Nothing was handed over: the same payout may be sent again under another reference.
  no_float: 'the operator held too little for the payout, for as long as it waited',
  operator_unreachable: 'the operator did not answer for as long as the payout waited',
  operator_error: 'something failed at the operator, which confirms that nothing moved',
} as const

export type FailureCode = keyof typeof FAILURE_CODES

/** The reason of a failure: text for people, and a code for programs if it is known. */
export interface Failure {
  /** 1 to 200 characters; merchants and customers read it as `status_message`. */
  readonly reason: string
  readonly code?: FailureCode
}
