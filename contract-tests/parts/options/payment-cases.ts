import { minorOf } from '../../driver/money.ts'
import { oddAmount } from './charges.ts'
import type { Bank } from './lists.ts'
import type { Option } from './listed-options.ts'

/**
 * The outcome of a payment: by its test number (docs, page "The sandbox"), with the message of "Life of a
 * transaction".
 */
interface Outcome {
  readonly ending: string
  readonly status: 'COMPLETED' | 'FAILED'
  readonly message: string
  readonly code?: string
}

/** A payment from request to callback, and its expected outcome. */
export interface PaymentCase {
  readonly option: Option
  readonly what: string
  readonly currency: string
  readonly amountMinor: bigint
  /** In the provider's currency; undefined when the rate is unknown. */
  readonly transactionMinor: bigint | undefined
  readonly chargeCustomer: boolean
  readonly outcome: Outcome
  readonly bank?: Bank
}

const DONE: Outcome = { ending: '001', status: 'COMPLETED', message: 'Transaction Completed Successfully' }
const failed = (ending: string, message: string, code: string): Outcome => ({ ending, status: 'FAILED', message, code })
const EXPIRED = failed('003', 'The request timed out without a transfer', 'expired')
const FAILURES: Readonly<Record<Option['type'], readonly Outcome[]>> = {
  COLLECTION: [
    failed('002', 'Insufficient balance on the customer account', 'insufficient_funds'),
    EXPIRED,
    failed('004', 'The customer declined the request', 'declined'),
  ],
  PAYOUT: [
    failed('002', "The recipient's account cannot receive the amount", 'account_blocked'),
    EXPIRED,
    failed('004', 'The recipient declined the request', 'declined'),
  ],
}

/** Where the sandbox runs the real rails, this operator moves no cents (docs, page "Money"). */
const WHOLE_UNITS: readonly string[] = ['mpesa_ke']

/** An amount whose charge has to be rounded, where the currency and the operator allow one. */
export function oddAmountOf({ code, currency, minMinor, charge }: Option): bigint {
  const unitMinor = WHOLE_UNITS.includes(code) ? (minorOf(1, currency) ?? 1n) : 1n
  return charge ? oddAmount(minMinor + unitMinor, charge, unitMinor) : minMinor + unitMinor
}

/** Payments of one option: the smallest and the largest amount, one whose charge is rounded, and one that fails. */
export function paymentsOf(option: Option, banks: readonly Bank[], index: number): readonly PaymentCase[] {
  const { type, currency, minMinor, maxMinor, method } = option
  const odd = oddAmountOf(option)
  const own = banks.filter(({ provider, isActive }) => provider === option.code && isActive)
  const failures = FAILURES[type]
  const failure = failures[index % failures.length] ?? EXPIRED
  const bankAt = (at: number): { bank?: Bank } => {
    const bank = own[at % Math.max(own.length, 1)]
    return method === 'BANK' && type === 'PAYOUT' && bank ? { bank } : {}
  }
  const paymentCase = (
    what: string,
    amountMinor: bigint,
    outcome: Outcome,
    chargeCustomer: boolean,
    bank = bankAt(index),
  ): PaymentCase => ({
    option,
    what,
    currency,
    amountMinor,
    transactionMinor: amountMinor,
    chargeCustomer: chargeCustomer && type === 'COLLECTION',
    outcome,
    ...bank,
  })
  return [
    paymentCase('of the smallest amount', minMinor, DONE, false),
    paymentCase('of the largest amount', maxMinor, DONE, true),
    paymentCase('with a charge that is rounded', odd, DONE, index % 2 === 0),
    paymentCase('that fails', odd, failure, index % 2 === 1),
    // To every bank; the payments above use one of them.
    ...(type === 'PAYOUT' && method === 'BANK'
      ? own.map((bank) => paymentCase(`to ${bank.code}`, minMinor, DONE, false, { bank }))
      : []),
  ]
}

/** In another currency. */
export const inCurrency = (
  option: Option,
  currency: string,
  amountMinor: bigint,
  transactionMinor: bigint | undefined,
  more: { readonly what: string; readonly fails?: true; readonly chargeCustomer?: boolean; readonly bank?: Bank },
): PaymentCase => ({
  option,
  what: more.what,
  currency,
  amountMinor,
  transactionMinor,
  chargeCustomer: more.chargeCustomer === true && option.type === 'COLLECTION',
  outcome: more.fails ? EXPIRED : DONE,
  ...(more.bank && { bank: more.bank }),
})
