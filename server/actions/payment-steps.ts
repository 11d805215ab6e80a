import { boundReached, openPage, otpSend, prompt, wrongOtp, type AccountBounds } from '../domain/account-bounds.ts'
import type { MerchantShare } from '../domain/amount-limits.ts'
import type { Failure } from '../domain/failure-code.ts'
import { merchantSuspended } from '../domain/merchant.ts'
import {
  CANCELLED,
  nextOtpAt,
  nextSend,
  OTP_EXHAUSTED,
  OTP_TRIES_MAX,
  PAGE_EXPIRED,
  tryOtp,
  unsentOtp,
  withOtp,
  withoutSteps,
  type PaymentSession,
} from '../domain/payment-session.ts'
import { present } from '../domain/present.ts'
import { newInternalReference } from '../domain/references.ts'
import { Refusal } from '../domain/refusal.ts'
import { isSameBytes } from '../domain/same-bytes.ts'
import {
  endPending,
  handToRail,
  isUnsent,
  promptsPhone,
  STATUS_MESSAGES,
  type Transaction,
} from '../domain/transaction.ts'
import { claimDailyLimit, claimRoom } from './claim-limits.ts'
import { endUnsentAttempt, lastFailure } from './conclude-attempts.ts'
import { endWithin, type SettleDeps } from './settle-results.ts'
import type { OneTimePasswords } from './ports/one-time-passwords.ts'
import type { UnitOfWork } from './ports/store.ts'
import type { TransactionWrites, SessionWrites } from './ports/transactions.ts'
import type { JobWrites } from './ports/jobs.ts'
import type { AccountUsageWrites } from './ports/limits.ts'
import type { MerchantRowReads } from './ports/merchant-rows.ts'
import type { IdempotencyWrites } from './ports/idempotency.ts'

// The customer's steps in a collection that is not with its rail, on the payment page or through the merchant's own form. Each step locks
// the transaction, checks its current state, and commits its effect together with the next job: a double click finds
// the step already done.

export interface PaymentStepDeps extends SettleDeps {
  readonly otps: OneTimePasswords
  readonly accountRequiresOtp: (account: string) => boolean
  readonly accountBounds: AccountBounds
  readonly dailyLimitShare: MerchantShare
}

/** A locked collection with its customer's session. */
interface OpenPayment {
  readonly transaction: Transaction
  readonly session: PaymentSession
}

/** Result of a step; `gone` when the collection is no longer at this step (a second tab, the back button, too late). */
type StepResult = 'done' | 'gone'

/** The customer's input on the page of a bank payment. */
export interface BankChoice {
  readonly bankCode: string
  /** The customer's account number at that bank, digits only. */
  readonly accountNumber: string
}

const ACCOUNT_NUMBER = /^[0-9]{6,20}$/

/**
 * The customer confirms on the payment page: the collection goes to the rail, or waits for an OTP first.
 * @param choice bank collections only
 * @throws Refusal `invalid_bank`, `invalid_account_number`, `daily_limit_exceeded`, `too_many_otps`,
 *   `too_many_open_pages`, `too_many_prompts`: the page stays as it was
 */
export async function confirmPayment(
  deps: PaymentStepDeps,
  internalReference: string,
  choice?: BankChoice,
): Promise<StepResult> {
  return deps.store.transaction(async (unit): Promise<StepResult> => {
    const open = await openPayment(unit, deps, internalReference, 'confirmation')
    if (!open) return 'gone'
    const byBank = open.transaction.method === 'BANK'
    const transaction = byBank ? chooseBank(deps, open.transaction, choice) : open.transaction
    await payWith(unit, deps, { transaction, session: open.session }, 'The customer confirmed')
    return 'done'
  })
}

/**
 * The customer tries again after a failure, with the same number or another one, or with another provider: the next
 * attempt of the same collection. Only what has certainly failed is tried again, because `retry` follows a verdict.
 * @param choose the collection with what its customer chose now
 * @throws Refusal like `confirmPayment`, and those of `choose`
 */
export async function retryPayment(
  deps: PaymentStepDeps,
  internalReference: string,
  choose: (collection: Transaction) => Transaction,
): Promise<StepResult> {
  return deps.store.transaction(async (unit): Promise<StepResult> => {
    const open = await openPayment(unit, deps, internalReference, 'retry')
    if (!open) return 'gone'
    await payWith(unit, deps, { ...open, transaction: choose(open.transaction) }, 'The customer tries again')
    return 'done'
  })
}

/** The limit is claimed by what goes to the rail: where the customer may try again, that is an attempt. */
async function payWith(
  unit: UnitOfWork,
  deps: PaymentStepDeps,
  { transaction, session }: OpenPayment,
  detail: string,
): Promise<void> {
  const { clock, random } = deps
  const order = session.retries
    ? await unit.addAttempt(transaction, newInternalReference(random, clock.now()), clock.now())
    : transaction
  await claimDailyLimit(unit, deps, order)
  const isFirst = session.awaits === 'confirmation'
  const byBank = transaction.method === 'BANK'
  if (byBank || !isFirst) await unit.saveAccount(transaction)
  const requiresOtp =
    deps.reference.option(transaction.providerCode, 'COLLECTION')?.requiresOtp === true ||
    deps.accountRequiresOtp(transaction.account)
  if (!requiresOtp) return toRail(unit, deps, { transaction, session }, order, `${detail} on the payment page`)
  // Only now is the account number known that the open page counts for.
  if (byBank && isFirst) await claimRoom(unit, deps, transaction, openPage(session, deps.accountBounds))
  await unit.addEvents(
    [{ transactionId: transaction.id, kind: 'confirmed', detail: `${detail}; an OTP is requested` }],
    clock.now(),
  )
  await requestOtp(unit, deps, { transaction, session })
}

/** @throws Refusal `too_many_otps`, `too_many_prompts` */
async function requestOtp(
  unit: AccountUsageWrites & SessionWrites & TransactionWrites & JobWrites,
  deps: PaymentStepDeps,
  { transaction, session }: OpenPayment,
): Promise<void> {
  const { otps, accountBounds, clock } = deps
  const send = nextSend(session)
  await claimRoom(unit, deps, transaction, otpSend(send, accountBounds, clock.now()))
  await unit.saveSession(
    withOtp(session, otps.digest(transaction.internalReference, otps.issue(transaction.internalReference, send))),
  )
  await unit.saveStates([{ ...transaction, statusMessage: STATUS_MESSAGES.awaitingOtp }])
  await unit.addJobs([{ kind: 'sendOtp', subjectId: transaction.id, dueAt: clock.now() }])
}

/** @throws Refusal `invalid_bank`, `invalid_account_number` */
export function chooseBank(
  { reference }: Pick<PaymentStepDeps, 'reference'>,
  transaction: Transaction,
  choice?: BankChoice,
): Transaction {
  const bank = reference
    .banks(transaction.providerCode)
    .find(({ bankCode, isActive }) => isActive && bankCode === choice?.bankCode)
  if (!bank) throw new Refusal('invalid_bank', 'Choose your bank')
  const account = choice?.accountNumber ?? ''
  if (!ACCOUNT_NUMBER.test(account))
    throw new Refusal('invalid_account_number', 'Enter your account number: 6 to 20 digits')
  return { ...transaction, account, institutionName: bank.bankName }
}

/**
 * `blocked`: too many wrong OTPs were entered for the account number, so none is checked, not even the right one.
 * Otherwise guessing would go on.
 */
type OtpResult = StepResult | 'wrong' | 'exhausted' | 'blocked'

/**
 * Checks one OTP. The fifth wrong one fails the collection.
 * @param whenTried commits together with the result of the try; if it throws, the try is rolled back
 * @throws Refusal `too_many_prompts` when the OTP was right and no prompt may follow now: it does not count as a try
 */
export async function submitOtp(
  deps: PaymentStepDeps,
  internalReference: string,
  otp: number,
  whenTried?: (unit: IdempotencyWrites, wasRight: boolean) => Promise<void>,
): Promise<OtpResult> {
  return deps.store.transaction(async (unit): Promise<OtpResult> => {
    const open = await openPayment(unit, deps, internalReference, 'otp')
    if (!open) return 'gone'
    const { account, merchantId } = open.transaction
    const now = deps.clock.now()
    const wrong = wrongOtp(OTP_TRIES_MAX - open.session.otpTriesLeft + 1, deps.accountBounds, now)
    if (boundReached(wrong.bounds, merchantId, await unit.lockAccountUsage(account, now), now)) return 'blocked'
    const issued = open.session.otp
    const { result, session } = tryOtp(
      open.session,
      issued !== undefined && isSameBytes(issued.digest, deps.otps.digest(internalReference, otp)),
      deps.clock.now(),
    )
    await whenTried?.(unit, result === 'right')
    if (result === 'right') {
      const order = session.retries
        ? present((await unit.attemptsOf(open.transaction.id)).at(-1), 'the attempt that waits for its OTP')
        : open.transaction
      await toRail(unit, deps, { ...open, session }, order, 'The one-time password was right')
      return 'done'
    }
    await unit.addAccountUsage(open.transaction, [wrong])
    await unit.saveSession(session)
    await unit.addEvents(
      [
        {
          transactionId: open.transaction.id,
          kind: 'otp_wrong',
          detail: `Wrong or expired one-time password, ${session.otpTriesLeft} tries left`,
        },
      ],
      deps.clock.now(),
    )
    if (result === 'exhausted') await end(unit, deps, open, 'FAILED', OTP_EXHAUSTED)
    return result
  })
}

/**
 * Sends another OTP.
 * @throws Refusal `otp_too_soon` within 30 seconds of the last one, while that is on its way, or when there are no
 *   more for this payment; `too_many_otps`, `too_many_prompts` when there are no more for the account number
 */
export async function sendNewOtp(deps: PaymentStepDeps, internalReference: string): Promise<StepResult> {
  return deps.store.transaction(async (unit): Promise<StepResult> => {
    const open = await openPayment(unit, deps, internalReference, 'otp')
    if (!open) return 'gone'
    const now = deps.clock.now()
    // A new one would invalidate the one on its way.
    if (unsentOtp(open.session, now)) throw new Refusal('otp_too_soon', 'The last password is still on its way')
    const at = nextOtpAt(open.session)
    if (!at) throw new Refusal('otp_too_soon', 'No more passwords can be sent for this payment')
    if (now < at)
      throw new Refusal(
        'otp_too_soon',
        `Wait ${Math.ceil((at.getTime() - now.getTime()) / 1000)} seconds before you ask for another password`,
      )
    await requestOtp(unit, deps, open)
    return 'done'
  })
}

/** The customer cancels, as long as no order has gone to the rail. */
export async function cancelPayment(deps: PaymentStepDeps, internalReference: string): Promise<StepResult> {
  return deps.store.transaction(async (unit): Promise<StepResult> => {
    const open = await lockOpen(unit, internalReference)
    if (!open || isExpired(open.session, deps)) return 'gone'
    await end(unit, deps, open, 'CANCELLED', CANCELLED)
    return 'done'
  })
}

type Expiry = { readonly is: 'over' | 'expired' } | { readonly is: 'open'; readonly until: Date }

/**
 * Fails a collection whose payment page has passed its thirty minutes. The transaction is locked.
 * @returns `over` when its customer has no step left; `open` with the expiry time of its page, if that is in the
 *   future
 */
export async function expireWithin(unit: UnitOfWork, deps: PaymentStepDeps, transaction: Transaction): Promise<Expiry> {
  const open = await openOf(unit, transaction)
  if (!open) return { is: 'over' }
  if (!isExpired(open.session, deps)) return { is: 'open', until: open.session.expiresAt }
  await end(
    unit,
    deps,
    open,
    'FAILED',
    (open.session.retries && (await lastFailure(unit, transaction.id))) || PAGE_EXPIRED,
  )
  return { is: 'expired' }
}

async function end(
  unit: UnitOfWork,
  deps: PaymentStepDeps,
  { transaction, session }: OpenPayment,
  status: 'FAILED' | 'CANCELLED',
  failure: Failure,
): Promise<void> {
  const ended = endPending(transaction, status, failure, deps.clock.now())
  await unit.saveSession(withoutSteps(session))
  await unit.endPageUsage(transaction)
  if (session.retries) await endUnsentAttempt(unit, transaction.id, deps.clock.now())
  await endWithin(unit, deps, 'PENDING', [ended])
}

/** @param order what goes to the rail: the collection, or its newest attempt */
async function toRail(
  unit: AccountUsageWrites & SessionWrites & TransactionWrites & JobWrites,
  deps: PaymentStepDeps,
  { transaction, session }: OpenPayment,
  order: Transaction,
  detail: string,
): Promise<void> {
  const { clock } = deps
  const { id } = transaction
  if (promptsPhone(order)) await claimRoom(unit, deps, order, prompt(deps.accountBounds, clock.now()))
  await unit.saveSession(withoutSteps(session))
  await unit.endPageUsage(transaction)
  if (session.retries) await unit.saveStates([handToRail(transaction, undefined)])
  else if (session.otp) await unit.saveStates([{ ...transaction, statusMessage: STATUS_MESSAGES.pending }])
  await unit.finishPaymentJobs([id])
  await unit.addJobs([{ kind: 'submitToRail', subjectId: order.id, dueAt: clock.now() }])
  await unit.addEvents([{ transactionId: id, kind: 'confirmed', detail }], clock.now())
}

type SessionReads = Pick<TransactionWrites & SessionWrites, 'lockTransactions' | 'loadSession'>

/**
 * The locked collection, if it waits for exactly this step and its page has not expired.
 * @throws Refusal `merchant_suspended`: no step of its customer is taken meanwhile, but they may cancel
 */
async function openPayment(
  unit: SessionReads & MerchantRowReads,
  deps: PaymentStepDeps,
  internalReference: string,
  awaits: PaymentSession['awaits'],
): Promise<OpenPayment | undefined> {
  const open = await lockOpen(unit, internalReference)
  if (open?.session.awaits !== awaits || isExpired(open.session, deps)) return undefined
  const { merchantId } = open.transaction
  if ((await unit.suspensions([merchantId])).get(merchantId)?.suspendedAt) throw merchantSuspended()
  return open
}

async function lockOpen(unit: SessionReads, internalReference: string): Promise<OpenPayment | undefined> {
  const [transaction] = await unit.lockTransactions({ internalReferences: [internalReference] })
  return transaction && openOf(unit, transaction)
}

async function openOf(unit: SessionReads, transaction: Transaction): Promise<OpenPayment | undefined> {
  if (!isUnsent(transaction)) return undefined
  const session = await unit.loadSession(transaction.id)
  return session && session.awaits !== 'nothing' ? { transaction, session } : undefined
}

const isExpired = ({ expiresAt }: PaymentSession, { clock }: PaymentStepDeps): boolean => clock.now() >= expiresAt
