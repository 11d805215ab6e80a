import { unsentOtp, withOtpSent, type Otp } from '../domain/payment-session.ts'
import { unreachableRetryMs, type Transaction } from '../domain/transaction.ts'
import { isWorthTelling } from './rail-order.ts'
import type { PaymentStepDeps } from './payment-steps.ts'
import type { Unit } from './ports/unit.ts'
import type { WorkItem } from './ports/work.ts'

interface Unsent {
  readonly transaction: Transaction
  readonly otp: Otp
}

/**
 * Sends the password of a collection that waits for one, and repeats it with growing pauses until the message service
 * has taken it or the page has expired. Whether the service took a send whose answer never came is unknown: it is sent
 * again, and it is the same password, so either message will do.
 */
export async function sendOtp(deps: PaymentStepDeps, item: WorkItem): Promise<void> {
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

/** The collection with its password, if that is still to be sent; work for any other one is finished. */
async function lockUnsent(unit: Unit, { clock }: PaymentStepDeps, item: WorkItem): Promise<Unsent | undefined> {
  const [transaction] = await unit.lockTransactions({ ids: [item.subjectId] })
  const held = await unit.holdWork([item])
  if (held.length === 0) return undefined
  const session = transaction?.status === 'PENDING' ? await unit.loadSession(transaction.id) : undefined
  const otp = session && unsentOtp(session, clock.now())
  if (otp && transaction) return { transaction, otp }
  await unit.finishWork(held)
  return undefined
}

async function record(
  unit: Unit,
  { clock }: PaymentStepDeps,
  item: WorkItem,
  send: number,
  failure: string | undefined,
): Promise<void> {
  const [transaction] = await unit.lockTransactions({ ids: [item.subjectId] })
  const held = await unit.holdWork([item])
  if (!transaction || held.length === 0) return
  const now = clock.now()
  const tell = (kind: string, detail: string) => unit.addEvents([{ transactionId: transaction.id, kind, detail }], now)
  if (failure !== undefined) {
    await unit.replaceWork(held, 'sendOtp', new Date(now.getTime() + unreachableRetryMs(item.attempt)))
    if (isWorthTelling(item.attempt))
      await tell('otp_not_sent', `The one-time password was not sent, it will be tried again: ${failure}`)
    return
  }
  const session = await unit.loadSession(transaction.id)
  // The customer may have entered it already: then nothing waits for it any more.
  if (session?.awaits === 'otp' && session.otp?.sends === send)
    await unit.saveSession(withOtpSent(session, session.otp, now))
  await unit.finishWork(held)
  await tell('otp_sent', send === 1 ? 'A one-time password was sent' : 'Another one-time password was sent')
}

const WORDS_MAX = 200

/**
 * A message service repeats what it was given: numbers that could be an account or a password are left out, however
 * they are grouped.
 */
const describe = (error: unknown): string =>
  (error instanceof Error ? error.message : 'no reason given')
    .replaceAll(/\d(?:[\s.()-]*\d){3,}/g, '…')
    .slice(0, WORDS_MAX)
