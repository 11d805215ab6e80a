import { dailyLimitRefusal } from '../domain/amount-limits.ts'
import { money } from '../domain/money.ts'
import { CANCELLED_REASON, nextOtpAt, OTP_EXHAUSTED_REASON, PAGE_EXPIRED_REASON, tryOtp, withOtp, withoutSteps, type PaymentSession } from '../domain/payment-session.ts'
import { Refusal } from '../domain/refusal.ts'
import { endPending, type Transaction } from '../domain/transaction.ts'
import { concludeWithin, type SettleDeps } from './settle-results.ts'
import type { OneTimePasswords, Unit } from './ports.ts'

// What a customer does for a PENDING collection, on the payment page or through the merchant's own form. Each step locks the transaction,
// looks at where it stands now, and commits its effect together with the work that follows: a double click finds the step already done.

export interface PaymentStepDeps extends SettleDeps {
  readonly otps: OneTimePasswords
  readonly accountAsksForOtp: (account: string) => boolean
}

/** A collection with what its customer has to do, locked. */
interface Open {
  readonly transaction: Transaction
  readonly session: PaymentSession
}

/** What a step came to; `gone` when the collection is no longer where the step belongs (a second tab, the back button, too late). */
export type StepResult = 'done' | 'gone'

export interface BankChoice {
  readonly bankCode: string
  /** Digits of the customer's account at that bank. */
  readonly accountNumber: string
}

const ACCOUNT_NUMBER = /^[0-9]{6,20}$/

/**
 * The customer confirms on the payment page: from here the collection goes to the rail, or waits for a one-time password first.
 * @param choice bank collections only
 * @throws Refusal `invalid_bank`, `invalid_account_number`, `daily_limit_exceeded`, with a text for the customer
 */
export async function confirmPayment(deps: PaymentStepDeps, internalReference: string, choice?: BankChoice): Promise<StepResult> {
  const otp = deps.otps.issue()
  const result = await deps.store.transaction(async (unit) => {
    const open = await openPayment(unit, deps, internalReference, 'confirmation')
    if (!open) return undefined
    const transaction = open.transaction.method === 'BANK' ? await chooseBank(unit, deps, open.transaction, choice) : open.transaction
    const asksForOtp = deps.reference.option(transaction.providerCode, 'COLLECTION')?.asksForOtp === true || deps.accountAsksForOtp(transaction.account)
    if (asksForOtp) {
      await unit.saveSession(withOtp(open.session, deps.otps.digest(internalReference, otp), deps.clock.now()))
      await unit.addEvents([{ transactionId: transaction.id, kind: 'otp_sent', detail: 'The customer confirmed; a one-time password was sent' }], deps.clock.now())
    } else {
      await toRail(unit, deps, transaction, open.session, 'The customer confirmed on the payment page')
    }
    return { account: transaction.account, asksForOtp }
  })
  if (!result) return 'gone'
  if (result.asksForOtp) await deps.otps.send(result.account, otp)
  else deps.wake.wake('submitToRail')
  return 'done'
}

async function chooseBank(unit: Unit, { reference, clock }: PaymentStepDeps, transaction: Transaction, choice?: BankChoice): Promise<Transaction> {
  const bank = reference.banks(transaction.providerCode).find(({ bankCode, isActive }) => isActive && bankCode === choice?.bankCode)
  if (!bank) throw new Refusal('invalid_bank', 'Choose your bank')
  const account = choice?.accountNumber ?? ''
  if (!ACCOUNT_NUMBER.test(account)) throw new Refusal('invalid_account_number', 'Enter your account number: 6 to 20 digits')
  const chosen = { ...transaction, account, institutionName: bank.bankName }
  const { maxDailyAmountMinor, currency } = reference.option(transaction.providerCode, 'COLLECTION')!
  // The account is known only now, so only now can its daily limit be held.
  if (!(await unit.claimDailyLimit(chosen, maxDailyAmountMinor, clock.now()))) throw dailyLimitRefusal(money(maxDailyAmountMinor, currency))
  await unit.saveAccount(chosen)
  return chosen
}

export type OtpResult = StepResult | 'wrong' | 'exhausted'

/**
 * One try at the one-time password. The fifth wrong one fails the collection.
 * @param whenTried commits together with what the try came to; what it throws takes the try back
 */
export async function submitOtp(deps: PaymentStepDeps, internalReference: string, otp: number, whenTried?: (unit: Unit, wasRight: boolean) => Promise<void>): Promise<OtpResult> {
  const { result, callbacks } = await deps.store.transaction(async (unit): Promise<{ result: OtpResult; callbacks: number }> => {
    const open = await openPayment(unit, deps, internalReference, 'otp')
    if (!open) return { result: 'gone', callbacks: 0 }
    const { result, session } = tryOtp(open.session, sameBytes(open.session.otp?.digest, deps.otps.digest(internalReference, otp)), deps.clock.now())
    await whenTried?.(unit, result === 'right')
    if (result === 'right') {
      await toRail(unit, deps, open.transaction, session, 'The one-time password was right')
      return { result: 'done', callbacks: 0 }
    }
    await unit.saveSession(session)
    await unit.addEvents([{ transactionId: open.transaction.id, kind: 'otp_wrong', detail: `Wrong or expired one-time password, ${session.otpTriesLeft} tries left` }], deps.clock.now())
    return { result, callbacks: result === 'exhausted' ? await end(unit, deps, open, 'FAILED', OTP_EXHAUSTED_REASON) : 0 }
  })
  if (result === 'done') deps.wake.wake('submitToRail')
  if (callbacks > 0) deps.wake.wake('deliverCallback')
  return result
}

/**
 * Sends another one-time password.
 * @throws Refusal `otp_too_soon` within 30 seconds of the last one, or when there are no more
 */
export async function sendNewOtp(deps: PaymentStepDeps, internalReference: string): Promise<StepResult> {
  const otp = deps.otps.issue()
  const account = await deps.store.transaction(async (unit) => {
    const open = await openPayment(unit, deps, internalReference, 'otp')
    if (!open) return undefined
    const now = deps.clock.now()
    const at = nextOtpAt(open.session)
    if (!at) throw new Refusal('otp_too_soon', 'No more passwords can be sent for this payment')
    if (now < at) throw new Refusal('otp_too_soon', `Wait ${Math.ceil((at.getTime() - now.getTime()) / 1000)} seconds before you ask for another password`)
    await unit.saveSession(withOtp(open.session, deps.otps.digest(internalReference, otp), now))
    await unit.addEvents([{ transactionId: open.transaction.id, kind: 'otp_sent', detail: 'Another one-time password was sent' }], now)
    return open.transaction.account
  })
  if (account === undefined) return 'gone'
  await deps.otps.send(account, otp)
  return 'done'
}

/** The customer cancels, as long as nothing has gone to the rail. */
export const cancelPayment = (deps: PaymentStepDeps, internalReference: string): Promise<StepResult> =>
  endOpen(deps, internalReference, 'CANCELLED', CANCELLED_REASON)

/** The page has lived its thirty minutes. Does nothing to a collection whose customer has finished. */
export const expirePayment = (deps: PaymentStepDeps, internalReference: string): Promise<StepResult> =>
  endOpen(deps, internalReference, 'FAILED', PAGE_EXPIRED_REASON, true)

async function endOpen(deps: PaymentStepDeps, internalReference: string, status: 'FAILED' | 'CANCELLED', reason: string, expired = false): Promise<StepResult> {
  const callbacks = await deps.store.transaction(async (unit) => {
    const open = await lockOpen(unit, internalReference)
    if (!open || isExpired(open.session, deps) !== expired) return undefined
    return end(unit, deps, open, status, reason)
  })
  if (callbacks === undefined) return 'gone'
  if (callbacks > 0) deps.wake.wake('deliverCallback')
  return 'done'
}

async function end(unit: Unit, deps: PaymentStepDeps, { transaction, session }: Open, status: 'FAILED' | 'CANCELLED', reason: string): Promise<number> {
  const ended = endPending(transaction, status, reason, deps.clock.now())
  await unit.saveSession(withoutSteps(session))
  return concludeWithin(unit, deps, { steps: [{ from: 'PENDING', to: ended }], events: [{ transactionId: ended.id, kind: 'settled', detail: `${status}: ${reason}` }] })
}

async function toRail(unit: Unit, { clock }: PaymentStepDeps, { id }: Transaction, session: PaymentSession, detail: string): Promise<void> {
  await unit.saveSession(withoutSteps(session))
  await unit.finishPaymentWork([id])
  await unit.addWork([{ kind: 'submitToRail', subjectId: id, dueAt: clock.now() }])
  await unit.addEvents([{ transactionId: id, kind: 'confirmed', detail }], clock.now())
}

/** The collection, locked, if it waits for just this step and its page still lives. */
async function openPayment(unit: Unit, deps: PaymentStepDeps, internalReference: string, awaits: PaymentSession['awaits']): Promise<Open | undefined> {
  const open = await lockOpen(unit, internalReference)
  return open?.session.awaits === awaits && !isExpired(open.session, deps) ? open : undefined
}

async function lockOpen(unit: Unit, internalReference: string): Promise<Open | undefined> {
  const [transaction] = await unit.lockTransactions({ internalReferences: [internalReference] })
  if (transaction?.status !== 'PENDING') return undefined
  const session = await unit.loadSession(transaction.id)
  return session && session.awaits !== 'nothing' ? { transaction, session } : undefined
}

const isExpired = ({ expiresAt }: PaymentSession, { clock }: PaymentStepDeps): boolean => clock.now() >= expiresAt

/** Without an early end: the time tells nothing about how much of the digest was right. */
const sameBytes = (a: Uint8Array | undefined, b: Uint8Array): boolean =>
  a !== undefined && a.length === b.length && a.reduce((difference, byte, index) => difference | (byte ^ b[index]!), 0) === 0
