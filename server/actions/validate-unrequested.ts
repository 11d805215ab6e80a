import type { PaymentQuestion, PaymentRefusal } from './ports/rail.ts'
import type { Timers } from './ports/timers.ts'

/** Safaricom waits for about 8 seconds, and then takes the payment. */
export const VALIDATION_MS_MAX = 3_000

export interface ValidationDeps {
  readonly timers: Pick<Timers, 'after'>
  /** @returns why a payment is surely wrong. May reject, or take long */
  refusalOf(railAccount: string, payment: PaymentQuestion['payment']): Promise<PaymentRefusal | undefined>
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
