/**
 * Why money did not move, in words that programs may branch on; the text beside it is for people. One list for all
 * operators: each rail maps its own codes onto it, and what it cannot map has no code.
 */
export const FAILURE_CODES = {
  insufficient_funds: 'who pays does not have the money: the customer, or the wallet of a payout',
  declined: 'the customer said no, or failed to prove who they are',
  expired: 'nobody answered in time',
  cancelled: 'the customer left the payment page by its cancel button',
  limit_reached: 'a limit of the operator on amounts, sums or the balance of the account',
  account_not_found: 'the operator knows no such account',
  account_blocked: 'the account exists and cannot pay or be paid now',
  not_allowed: 'the operator or the merchant does not allow this transaction',
  operator_error: 'something failed at the operator, which confirms that nothing moved',
} as const

export type FailureCode = keyof typeof FAILURE_CODES
