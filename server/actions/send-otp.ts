import { unsentOtp, withOtpSent, type Otp } from '../domain/payment-session.ts'
import { isUnsent, unreachableRetryMs, type Transaction } from '../domain/transaction.ts'
import { isWorthReporting } from './rail-order.ts'
import type { PaymentStepDeps } from './payment-steps.ts'
import type { Job, JobWrites } from './ports/jobs.ts'
import type { TransactionWrites, SessionWrites } from './ports/transactions.ts'

type OtpWrites = TransactionWrites & JobWrites & SessionWrites

interface PendingOtp {
  readonly transaction: Transaction
  readonly otp: Otp
}

/**
 * Sends the OTP of a collection that waits for one. It retries with backoff until the message service has taken it or
 * the page has expired. Without a reply it is unknown whether the service took it: it is sent again, with the same
 * OTP, so either message works.
 */
export async function sendOtp(deps: PaymentStepDeps, item: Job): Promise<void> {
  const unsent = await deps.store.transaction((unit) => lockUnsent(unit, deps, item))
  if (!unsent) return
  const {
    transaction: { account, internalReference },
    otp,
  } = unsent
  const failure = await deps.otps.send(account, deps.otps.issue(internalReference, otp.sends)).then(
    () => undefined,
    (error: unknown) => describe(error),
  )
  await deps.store.transaction((unit) => record(unit, deps, item, otp.sends, failure))
}

/** The collection with its OTP, if that is still to be sent; the job of any other one is finished. */
async function lockUnsent(unit: OtpWrites, { clock }: PaymentStepDeps, item: Job): Promise<PendingOtp | undefined> {
  const [transaction] = await unit.lockTransactions({ ids: [item.subjectId] })
  const held = await unit.holdJobs([item])
  if (held.length === 0) return undefined
  const session = transaction && isUnsent(transaction) ? await unit.loadSession(transaction.id) : undefined
  const otp = session && unsentOtp(session, clock.now())
  if (otp && transaction) return { transaction, otp }
  await unit.finishJobs(held)
  return undefined
}

async function record(
  unit: OtpWrites,
  { clock }: PaymentStepDeps,
  item: Job,
  send: number,
  failure: string | undefined,
): Promise<void> {
  const [transaction] = await unit.lockTransactions({ ids: [item.subjectId] })
  const held = await unit.holdJobs([item])
  if (!transaction || held.length === 0) return
  const now = clock.now()
  const report = (kind: string, detail: string) =>
    unit.addEvents([{ transactionId: transaction.id, kind, detail }], now)
  if (failure !== undefined) {
    await unit.replaceJobs(held, 'sendOtp', new Date(now.getTime() + unreachableRetryMs(item.attempt)))
    if (isWorthReporting(item.attempt))
      await report('otp_not_sent', `The one-time password was not sent, it will be tried again: ${failure}`)
    return
  }
  const session = await unit.loadSession(transaction.id)
  // The customer may have entered it already: then nothing waits for it.
  if (session?.awaits === 'otp' && session.otp?.sends === send)
    await unit.saveSession(withOtpSent(session, session.otp, now))
  await unit.finishJobs(held)
  await report('otp_sent', send === 1 ? 'A one-time password was sent' : 'Another one-time password was sent')
}

const WORDS_MAX = 200

/**
 * The error of a message service may repeat the request: numbers that could be an account or an OTP are removed,
 * however they are grouped.
 */
const describe = (error: unknown): string =>
  (error instanceof Error ? error.message : 'no reason given')
    .replaceAll(/\d(?:[\s.()-]*\d){3,}/g, '…')
    .slice(0, WORDS_MAX)
