import { refusalBefore, typedReference } from '../domain/expected-payment.ts'
import type { AccountMessageStore } from './ports/account-messages.ts'
import type { Clock } from './ports/clock.ts'
import type { PaymentQuestion, PaymentRefusal } from './ports/rail.ts'
import type { Timers } from './ports/timers.ts'

/** Safaricom waits for about 8 seconds, and then takes the payment. */
export const VALIDATION_MS_MAX = 3_000

export interface ValidationDeps {
  readonly timers: Pick<Timers, 'after'>
  /** @returns why a payment is surely wrong. May reject, or take long */
  refusalOf(railAccount: string, payment: PaymentQuestion['payment']): Promise<PaymentRefusal | undefined>
}

interface RefusalDeps {
  readonly accountMessages: Pick<AccountMessageStore, 'isAwaited'>
  readonly clock: Clock
  /** What is expected there under a reference as it is compared, or was last. */
  readonly expectedAt: (paidTo: string, reference: string) => Promise<Parameters<typeof refusalBefore>[0]>
}

/**
 * Why a payment is surely wrong. Operators ask about the customers of our own orders too, under the reference that
 * those see: nothing is wrong with theirs, whatever was once expected under the same one.
 */
export const createRefusals =
  ({ accountMessages, clock, expectedAt }: RefusalDeps): ValidationDeps['refusalOf'] =>
  async (railAccount, { amount, reference = '' }) => {
    const typed = typedReference(reference)
    if (typed === undefined || (await accountMessages.isAwaited(railAccount, reference))) return undefined
    return refusalBefore(await expectedAt(railAccount, typed), amount, clock.now())
  }

/**
 * Decides about a payment that nobody asked for, before it is made. It is refused only for what is surely wrong:
 * without an answer in time, or with the database away, it is accepted. What was paid by mistake can be given back, and
 * a customer who is turned away cannot pay.
 */
export function validateUnrequested(
  { timers, refusalOf }: ValidationDeps,
  railAccount: string,
  payment: PaymentQuestion['payment'],
): Promise<PaymentRefusal | undefined> {
  return new Promise((decide) => {
    const cancel = timers.after(VALIDATION_MS_MAX, () => decide(undefined))
    void refusalOf(railAccount, payment)
      .catch(() => undefined)
      .then((refusal) => {
        cancel()
        decide(refusal)
      })
  })
}
