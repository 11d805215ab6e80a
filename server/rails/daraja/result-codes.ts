import type { FailureCode } from '../../domain/failure-code.ts'
import type { RailOutcome } from '../../domain/transaction.ts'

/** `documented`: Safaricom says so. `unverified`: nobody we know has checked; the installation's settings decide. */
type Evidence = 'documented' | 'unverified'

interface Failure {
  readonly result: 'failed'
  /** For the merchant, and for the customer on the payment page. */
  readonly reason: string
  readonly code: FailureCode
  readonly evidence: Evidence
}
/** What a result code says of the money. A code without a row says nothing: it is asked again. */
type ResultMeaning = { readonly result: 'paid' | 'in_flight'; readonly evidence: Evidence } | Failure

const documented = (code: FailureCode, reason: string): Failure => ({
  result: 'failed',
  reason,
  code,
  evidence: 'documented',
})
const unverified = (code: FailureCode, reason: string): Failure => ({
  result: 'failed',
  reason,
  code,
  evidence: 'unverified',
})

/** `ResultCode` of an STK push, in its callback and in the query: the rows of `x-result-codes` in the contract. */
export const RESULTS_OF_PROMPTS: Readonly<Record<string, ResultMeaning>> = {
  '0': { result: 'paid', evidence: 'documented' },
  '1': documented('insufficient_funds', 'The customer does not have enough money'),
  '2': documented('limit_reached', 'The amount is below the smallest that M-PESA takes'),
  '3': documented('limit_reached', 'The amount is above the largest that M-PESA takes'),
  '4': documented('limit_reached', "The customer's daily limit is reached"),
  '8': documented('limit_reached', 'The account that receives would hold too much'),
  '17': documented('not_allowed', 'M-PESA takes the same amount from a customer only once in two minutes'),
  '1001': documented('account_blocked', 'Another transaction of the customer is still open'),
  '1019': documented('expired', 'The customer did not answer in time'),
  '1025': documented('operator_error', 'The prompt could not be sent'),
  '9999': documented('operator_error', 'The prompt could not be sent'),
  '1032': documented('declined', 'The customer cancelled'),
  '1037': documented('expired', 'The phone was not reached, or nobody answered'),
  '2001': documented('declined', 'The PIN was wrong'),
  '2028': documented('not_allowed', 'M-PESA does not allow this transaction'),
  '8006': documented('account_blocked', "The customer's PIN is locked"),
  '4999': { result: 'in_flight', evidence: 'documented' },
}

/**
 * `ResultCode` of a B2C payment. Safaricom lists its codes for prompts only; for payouts 0 and 1 are certain, and of the
 * others the setting `payout_failed_codes` says which an installation believes. That we are short of money ourselves is
 * nobody's business: the merchant's wallet has enough.
 */
export const RESULTS_OF_PAYOUTS: Readonly<Record<string, ResultMeaning>> = {
  '0': { result: 'paid', evidence: 'documented' },
  '1': documented('operator_error', 'M-PESA could not pay it now'),
  '2': unverified('limit_reached', 'The amount is below the smallest that M-PESA pays out'),
  '3': unverified('limit_reached', 'The amount is above the largest that M-PESA pays out'),
  '4': unverified('limit_reached', 'A daily limit of M-PESA is reached'),
  '8': unverified('limit_reached', "The recipient's account would hold too much"),
  '2001': unverified('operator_error', 'M-PESA did not take the payout'),
  '2028': unverified('not_allowed', 'M-PESA does not allow this payout'),
}

/** @returns undefined for a code that has no row, or says that nothing is decided */
export function outcomeOfPrompt(code: string): RailOutcome | undefined {
  const meaning = Object.hasOwn(RESULTS_OF_PROMPTS, code) ? RESULTS_OF_PROMPTS[code] : undefined
  return meaning && outcomeOf(meaning)
}

/** @param believed codes beside the documented ones that mean that nothing was paid. @returns undefined for all others */
export function outcomeOfPayout(code: string, believed: ReadonlySet<string>): RailOutcome | undefined {
  const meaning = Object.hasOwn(RESULTS_OF_PAYOUTS, code) ? RESULTS_OF_PAYOUTS[code] : undefined
  if (meaning?.evidence === 'documented') return outcomeOf(meaning)
  if (!believed.has(code)) return undefined
  return outcomeOf(meaning ?? unverified('operator_error', 'M-PESA did not pay it'))
}

function outcomeOf(meaning: ResultMeaning): RailOutcome | undefined {
  if (meaning.result === 'failed') return { status: 'FAILED', reason: meaning.reason, code: meaning.code }
  return meaning.result === 'paid' ? { status: 'COMPLETED' } : undefined
}
