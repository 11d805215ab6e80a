import { minorOf } from '../../driver/money.ts'
import { oddAmount } from './charges.ts'
import type { Bank } from '../../driver/provider-options.ts'
import type { PaidOption } from './lists.ts'

/** The outcome of a payment by its test number (docs, page "The sandbox"); the rules compare its message and code. */
interface Outcome {
  readonly ending: string
  readonly status: 'COMPLETED' | 'FAILED'
}

/** A payment from request to callback, and its expected outcome. */
export interface PaymentCase {
  readonly option: PaidOption
  readonly what: string
  readonly currency: string
  readonly amountMinor: bigint
  /** In the provider's currency; undefined when the rate is unknown. */
  readonly transactionMinor: bigint | undefined
  readonly chargeCustomer: boolean
  readonly outcome: Outcome
  readonly bank?: Bank
}

const DONE: Outcome = { ending: '001', status: 'COMPLETED' }
export const EXPIRED: Outcome = { ending: '003', status: 'FAILED' }
const FAILURES: readonly Outcome[] = [{ ending: '002', status: 'FAILED' }, EXPIRED, { ending: '004', status: 'FAILED' }]

/** Where the sandbox runs the real rails, this operator moves no cents (docs, page "Money"). */
const WHOLE_UNITS: readonly string[] = ['mpesa_ke']

/** An amount whose charge has to be rounded, where the currency and the operator allow one. */
export function oddAmountOf({ code, currency, minMinor, charge }: PaidOption): bigint {
  const unitMinor = WHOLE_UNITS.includes(code) ? (minorOf(1, currency) ?? 1n) : 1n
  return charge ? oddAmount(minMinor + unitMinor, charge, unitMinor) : minMinor + unitMinor
}

/** Payments of one option: the smallest and the largest amount, one whose charge is rounded, and one that fails. */
export function paymentsOf(option: PaidOption, index: number): readonly PaymentCase[] {
  const { type, currency, minMinor, maxMinor, method, banks } = option
  const odd = oddAmountOf(option)
  const failure = FAILURES[index % FAILURES.length] ?? EXPIRED
  const pays = (what: string, minor: bigint, more: CaseOptions = {}): PaymentCase =>
    paymentCase(option, currency, minor, minor, what, more)
  return [
    pays('of the smallest amount', minMinor),
    pays('of the largest amount', maxMinor, { chargeCustomer: true }),
    pays('with a charge that is rounded', odd, { chargeCustomer: index % 2 === 0 }),
    pays('that fails', odd, { outcome: failure, chargeCustomer: index % 2 === 1 }),
    // To every bank; the payments above use one of them.
    ...(type === 'PAYOUT' && method === 'BANK' ? banks.filter(({ isActive }) => isActive) : []).map((bank) =>
      pays(`to ${bank.code}`, minMinor, { bank }),
    ),
  ]
}

export interface CaseOptions {
  /** Absent: it completes. */
  readonly outcome?: Outcome
  /** Of a collection; a payout has no such field. */
  readonly chargeCustomer?: boolean
  /** Of a payout to a bank; absent: the first active one. */
  readonly bank?: Bank | undefined
}

/** @param currency of the request; transactionMinor is in the provider's, or undefined when the rate is unknown */
export const paymentCase = (
  option: PaidOption,
  currency: string,
  amountMinor: bigint,
  transactionMinor: bigint | undefined,
  what: string,
  { outcome = DONE, chargeCustomer = false, bank = option.banks.find(({ isActive }) => isActive) }: CaseOptions = {},
): PaymentCase => ({
  option,
  what,
  currency,
  amountMinor,
  transactionMinor,
  chargeCustomer: chargeCustomer && option.type === 'COLLECTION',
  outcome,
  ...(option.type === 'PAYOUT' && option.method === 'BANK' && bank && { bank }),
})
