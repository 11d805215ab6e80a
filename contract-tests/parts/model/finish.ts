import { pass } from './commands/time.ts'
import { observe } from './observe.ts'
import { isFinal, prospectOf, type Payment } from './payment.ts'
import { isUncovered } from './record.ts'
import { checkCallbacks, checkRedirects } from './callbacks.ts'
import { expectedMinor, walletOf } from './wallets.ts'
import { isClockStopped, type PaymentModel, type SystemUnderTest } from './world.ts'

const SECOND = 1000
/** Enough for every test number (accepted, unreachable twice, late, after a minute) and for every page to expire. */
const TO_THE_END_MS = [SECOND, 2 * SECOND, 3 * SECOND, 61 * SECOND, 31 * 60 * SECOND]

/** After an aborted run: its payments must not end during the next one. */
export async function settleDown(model: PaymentModel, real: Pick<SystemUnderTest, 'target'>): Promise<void> {
  for (const ms of real.target.own ? TO_THE_END_MS : []) await pass(model, real, ms)
}

/** How often another server is polled, a moment apart, before a payment counts as stuck. */
const POLLS_MAX = 25

/** Every accepted payment ends as expected; then the merchant and customers agree. @throws Violation */
export async function finish(model: PaymentModel, real: SystemUnderTest): Promise<void> {
  model.story.push('time goes by until all has ended')
  for (const ms of isClockStopped(real) ? TO_THE_END_MS : []) await pass(model, real, ms)
  await observe(model, real)
  const isOver = () => model.payments.every((payment) => hasEnded(payment, model, real) && isReported(payment, real))
  for (let polls = 0; !isClockStopped(real) && polls < POLLS_MAX && !isOver(); polls += 1) {
    await pass(model, real, SECOND)
    await observe(model, real)
  }
  for (const payment of model.payments) {
    real.rules.hold(
      'every accepted request ends',
      hasEnded(payment, model, real),
      `${payment.reference} (account ${payment.account || 'not chosen'}) is ${payment.record.transaction_status}; expected ${prospectOf(payment).ends.at(-1)?.status ?? 'PROCESSING'}`,
    )
  }
  checkCallbacks(model, real)
  const { own } = real.target
  if (!own) return
  await checkRedirects(model, real)
  const faults = (await own.audit()).filter((fault) => !real.oldFaults.has(fault))
  real.rules.hold('the ledger balances', faults.length === 0, faults.join('; '))
}

function hasEnded(payment: Payment, model: PaymentModel, real: SystemUnderTest): boolean {
  const { record: reported, stage } = payment
  const { transaction_status: status, status_message: message } = reported
  // Another server's clock cannot be moved until its page or OTP expires.
  if (stage.at === 'confirmation' || stage.at === 'otp') return !isClockStopped(real) && status === 'PENDING'
  if (isUncovered(payment, message) || (payment.mayTimeOut && status === 'FAILED')) return true
  const { ends, mayTurn } = prospectOf(payment)
  if (ends.length === 0) return status === 'PROCESSING'
  if (mayTurn) return status === 'COMPLETED' || (status === 'FAILED' && couldNotPay(payment, model, real))
  return ends.some((end) => end.status === status)
}

/** A payout that succeeds after its failure takes what the wallet has then; the rest is left to staff. */
const couldNotPay = (payment: Payment, model: PaymentModel, real: SystemUnderTest): boolean =>
  payment.type === 'PAYOUT' && 2n * payment.draft.amountMinor > expectedMinor(model, real, walletOf(payment))

const isReported = ({ record: reported, reference }: Payment, { merchant }: SystemUnderTest): boolean =>
  !merchant ||
  !isFinal(reported.transaction_status) ||
  merchant.callbacksOf(reference).some(({ payload }) => payload.transaction_status === reported.transaction_status)
