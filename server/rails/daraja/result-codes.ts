import type { FailureCode } from '../../domain/failure-code.ts'
import type { RailOutcome } from '../../domain/transaction.ts'
import { withOwnCode } from '../failure-codes.ts'

interface Failure {
  readonly result: 'failed'
  /** For the merchant, and for the customer on the payment page. */
  readonly reason: string
  readonly code: FailureCode
}
/** What a result code says about the money. A code without a row says nothing: the order is queried again. */
type ResultMeaning = { readonly result: 'paid' } | { readonly result: 'in_flight' } | Failure

type ResultTable = Readonly<Record<string, ResultMeaning>>

const failed = (code: FailureCode, reason: string): Failure => ({ result: 'failed', reason, code })

/** `ResultCode` of an STK push, in its callback and in the query: the rows of `x-result-codes` in the contract. */
export const RESULTS_OF_PROMPTS: ResultTable = {
  '0': { result: 'paid' },
  '1': failed('insufficient_funds', 'The customer does not have enough money'),
  '2': failed('limit_reached', 'The amount is below the smallest that M-PESA takes'),
  '3': failed('limit_reached', 'The amount is above the largest that M-PESA takes'),
  '4': failed('limit_reached', "The customer's daily limit is reached"),
  '8': failed('limit_reached', 'The account that receives would hold too much'),
  '17': failed('not_allowed', 'M-PESA takes the same amount from a customer only once in two minutes'),
  '1001': failed('account_blocked', 'Another transaction of the customer is still open'),
  '1019': failed('expired', 'The customer did not answer in time'),
  '1025': failed('operator_error', 'The prompt could not be sent'),
  '9999': failed('operator_error', 'The prompt could not be sent'),
  '1032': failed('declined', 'The customer cancelled'),
  '1037': failed('expired', 'The phone was not reached, or nobody answered'),
  '2001': failed('declined', 'The PIN was wrong'),
  '2028': failed('not_allowed', 'M-PESA does not allow this transaction'),
  '8006': failed('account_blocked', "The customer's PIN is locked"),
  SFC_IC0003: failed('account_not_found', 'M-PESA has no account of that number'),
  '4999': { result: 'in_flight' },
}

/**
 * `ResultCode` of a B2C payment: the rows of `x-payout-result-codes` in the contract. The setting `payout_failed_codes` lists the others that a rail account trusts. The texts do not reveal that our own float is short or that our credentials are wrong: the merchant's wallet has enough.
 */
export const RESULTS_OF_PAYOUTS: ResultTable = {
  '0': { result: 'paid' },
  '1': failed('operator_error', 'M-PESA could not pay it now'),
  '2': failed('limit_reached', 'The amount is below the smallest that M-PESA pays out'),
  '3': failed('limit_reached', 'The amount is above the largest that M-PESA pays out'),
  '4': failed('limit_reached', 'A daily limit of M-PESA is reached'),
  '8': failed('limit_reached', "The recipient's account would hold too much"),
  '11': failed('operator_error', 'M-PESA could not pay from this account'),
  '21': failed('operator_error', 'M-PESA did not take the payout'),
  '2001': failed('operator_error', 'M-PESA did not take the payout'),
  '2006': failed('not_allowed', 'A rule of the account does not allow this payout'),
  '2028': failed('not_allowed', 'M-PESA does not allow this payout'),
  '2040': failed('account_not_found', 'The recipient is not registered with M-PESA'),
  '8006': failed('operator_error', 'M-PESA did not take the payout'),
  SFC_IC0003: failed('account_not_found', 'M-PESA has no account of that number'),
}

/** `ResultCode` of a payment to a bank (B2B): the rows of `x-business-result-codes` in the contract. */
export const RESULTS_OF_BANK_PAYOUTS: ResultTable = {
  '0': { result: 'paid' },
  '2001': failed('operator_error', 'M-PESA did not take the payout'),
}

/**
 * `ResultCode` of a reversal: the rows of `x-reversal-result-codes` in the contract that are final. `R000001`, reversed
 * before, is none: it may be the answer to a second request of ours, or somebody reversed the payment in the portal.
 */
export const RESULTS_OF_REVERSALS: ResultTable = {
  '0': { result: 'paid' },
  R000002: failed('not_allowed', 'M-PESA cannot give this payment back'),
  '1': failed('operator_error', 'M-PESA could not give it back now'),
  '11': failed('account_blocked', 'M-PESA could not give it back to this account'),
  '21': failed('operator_error', 'M-PESA did not take the refund'),
  '2001': failed('operator_error', 'M-PESA did not take the refund'),
  '2006': failed('not_allowed', 'A rule of the account does not allow this refund'),
  '2028': failed('not_allowed', 'M-PESA does not allow this refund'),
  '8006': failed('operator_error', 'M-PESA did not take the refund'),
}

const BELIEVED = failed('operator_error', 'M-PESA did not pay it')

/** `TransactionStatus` of a payout, in lower case: the rows of `x-transaction-statuses` in the contract. */
export const STATUSES_OF_PAYOUTS: ResultTable = {
  initiated: { result: 'in_flight' },
  authorized: { result: 'in_flight' },
  completed: { result: 'paid' },
  declined: failed('operator_error', 'M-PESA declined the payout'),
  cancelled: failed('operator_error', 'M-PESA cancelled the payout'),
  expired: failed('operator_error', 'M-PESA did not pay it in time'),
  failed: BELIEVED,
}

export interface ResultReading {
  /** Absent: the code decides nothing. */
  readonly outcome?: RailOutcome
  /** Whether a table defines the code. */
  readonly isKnown: boolean
}

type OwnCodes = ReadonlyMap<string, FailureCode>

/** @param code of an STK push @param own the rail account's own names of failures */
export const resultOfPrompt = (code: string, own: OwnCodes): ResultReading =>
  readingOf(rowOf(RESULTS_OF_PROMPTS, code), code, own)

/**
 * @param table of payouts to phones or to banks
 * @param believed additional codes, besides the documented ones, that mean that nothing was paid
 */
export const resultOfPayout = (
  table: ResultTable,
  code: string,
  believed: ReadonlySet<string>,
  own: OwnCodes,
): ResultReading => readingOf(rowOf(table, code) ?? (believed.has(code) ? BELIEVED : undefined), code, own)

/** @param code of a reversal */
export const resultOfReversal = (code: string): ResultReading => readingOf(rowOf(RESULTS_OF_REVERSALS, code))

/** @param status in lower case */
export const payoutStatus = (status: string): ResultReading => readingOf(rowOf(STATUSES_OF_PAYOUTS, status))

const rowOf = (table: ResultTable, name: string): ResultMeaning | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

function readingOf(meaning: ResultMeaning | undefined, code = '', own: OwnCodes = new Map()): ResultReading {
  if (!meaning) return { isKnown: false }
  if (meaning.result === 'in_flight') return { isKnown: true }
  if (meaning.result === 'paid') return { isKnown: true, outcome: { status: 'COMPLETED' } }
  const { reason, code: usual } = meaning
  return { isKnown: true, outcome: { status: 'FAILED', ...withOwnCode({ reason, code: usual }, code, own) } }
}
