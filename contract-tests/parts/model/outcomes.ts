import { COMPLETED, failed, outcomesOf, TIMED_OUT, UNREACHABLE, type Outcome } from '../../driver/test-numbers.ts'
import { minorOf } from '../../driver/money.ts'
import { UNCOVERED } from '../../driver/payout-funds.ts'
import { DAY_MS, isWaiting, optionName, sumMinor, usedMinor, type ModelRun, type Payment } from './world.ts'

// What each step does to a payment, and how a payment may end.

export const OTP_TRIES_MAX = 5
const OTP_LIFETIME_MS = 5 * 60_000
const PAGE_LIFETIME_MS = 30 * 60_000

/** An OTP is entered. @returns whether it is accepted; undefined: none is expected */
export function enterOtp(payment: Payment, isRight: boolean, now: number): boolean | undefined {
  const { stage } = payment
  if (stage.at !== 'otp') return undefined
  if (isRight && (stage.sentAt === undefined || now < stage.sentAt + OTP_LIFETIME_MS)) {
    payment.stage = { at: 'rail' }
    return true
  }
  payment.triesLeft -= 1
  if (payment.triesLeft === 0) payment.stage = { at: 'ended', status: 'FAILED' }
  return false
}

/** The customer confirms on the page, where the daily limit allows it. */
export function confirm(run: ModelRun, payment: Payment): void {
  const account = payment.pageAccount
  const { dailyMinor } = run.limits.get(optionName(payment)) ?? { dailyMinor: 0n }
  if (payment.stage.at !== 'confirmation') return
  if (usedMinor(run, { ...payment, account }) + payment.amountMinor > dailyMinor) return
  payment.account = account
  payment.stage = payment.asksForOtp ? { at: 'otp' } : { at: 'rail' }
}

export function cancel(payment: Payment): void {
  if (isWaiting(payment)) payment.stage = { at: 'ended', status: 'CANCELLED' }
}

/** One wait on another server. */
const WAIT_MS = 400

/** Time passes and jobs run; on another server the model can only wait a little. */
export async function pass(run: ModelRun, ms: number): Promise<void> {
  if (!run.own) return new Promise((resolve) => setTimeout(resolve, Math.min(ms, WAIT_MS)))
  await run.own.advance(ms)
  run.now += ms
  for (const payment of run.payments) age(payment, run.now)
}

function age(payment: Payment, now: number): void {
  const { status, account, acceptedAt, stage } = payment
  const isUnsent = status === 'PENDING' || (status === 'PROCESSING' && account.endsWith(UNREACHABLE))
  if (isUnsent && now >= acceptedAt + DAY_MS) payment.mayTimeOut = true
  if (stage.at === 'otp') payment.stage = { at: 'otp', sentAt: stage.sentAt ?? now }
  if (isWaiting(payment) && now >= acceptedAt + PAGE_LIFETIME_MS) payment.stage = { at: 'ended', status: 'FAILED' }
}

/** Possible final states in order; none for a payment that stays PROCESSING. */
export function endsOf(run: ModelRun, payment: Payment): readonly Outcome[] {
  const { type, account, stage, reference } = payment
  if (stage.at === 'ended') return [{ status: stage.status }]
  if (run.rejected.has(reference)) return [failed("Payout rejected by the merchant's verification URL (HTTP 404)")]
  const ends = outcomesOf(type, account.slice(-3))
  return payment.mayTimeOut ? [...ends, TIMED_OUT] : ends
}

/** It failed because its wallet did not cover it, which is possible. */
export const isUncovered = (run: ModelRun, payment: Payment): boolean =>
  payment.type === 'PAYOUT' && payment.message === UNCOVERED && mayRunDry(run, payment)

/** More than a payout and its charge take. */
const AMOUNT_WITH_CHARGE = 3n

/** Whether all payouts of the run, with their charges, may be more than the wallet had. */
export function mayRunDry({ payments, funds }: ModelRun, { currency }: Payment): boolean {
  const all = payments.filter((payment) => payment.type === 'PAYOUT' && payment.currency === currency)
  return AMOUNT_WITH_CHARGE * sumMinor(all) > (minorOf(funds?.get(currency) ?? 0, currency) ?? 0n)
}

/** Whether nothing more is to come. */
export function hasEnded(run: ModelRun, payment: Payment): boolean {
  const { status, mayTurn, mayTimeOut, type } = payment
  // The clock of another server cannot be moved until its page or OTP expires.
  if (isWaiting(payment)) return !run.own && status === 'PENDING'
  if (isUncovered(run, payment) || (mayTimeOut && status === 'FAILED')) return true
  const ends = endsOf(run, payment)
  if (ends.length === 0) return status === 'PROCESSING'
  // A payout that succeeds after its failure takes what the wallet has then; the rest is left to staff.
  if (mayTurn && ends.includes(COMPLETED))
    return status === 'COMPLETED' || (type === 'PAYOUT' && status === 'FAILED' && mayRunDry(run, payment))
  return ends.some((end) => end.status === status)
}
