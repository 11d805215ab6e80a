import type { CallbackEvent, NextStep } from './callback.ts'

/** An attempt to deliver a callback, and the next step that this attempt alone would cause. */
interface Delivery {
  readonly callback: {
    readonly id: bigint
    readonly transactionId: bigint
    readonly event: CallbackEvent
    readonly resends: number
  }
  readonly attempt: { readonly httpStatus?: number; readonly error?: string }
  readonly next: NextStep
}

/** The stored, locked state of a callback. */
export interface CallbackState {
  readonly attempts: number
  readonly resends: number
}

export type NumberedDelivery<Of extends Delivery> = Of & {
  readonly number: number
  /** Whether this attempt decides the next step: at most one attempt per callback does. */
  readonly decides: boolean
}

/**
 * Numbers every attempt in the order in which it is stored, since each of them was made, whoever holds its job now.
 * Only the holder of the job decides the next step. An acknowledgement ends the delivery even after the lease was
 * lost, because the merchant has the callback, unless staff has resent it since.
 */
export function numberDeliveries<Of extends Delivery>(
  deliveries: readonly Of[],
  isHeld: (delivery: Of) => boolean,
  stored: ReadonlyMap<bigint, CallbackState>,
): NumberedDelivery<Of>[] {
  const deciding = new Map<bigint, Of>()
  for (const delivery of deliveries) {
    const { callback, next } = delivery
    const isAcknowledged = next.step === 'delivered' && callback.resends === stored.get(callback.id)?.resends
    if (isAcknowledged || (isHeld(delivery) && !deciding.has(callback.id))) deciding.set(callback.id, delivery)
  }
  const numbers = new Map([...stored].map(([id, { attempts }]) => [id, attempts]))
  return deliveries.map((delivery) => {
    const { id } = delivery.callback
    const number = (numbers.get(id) ?? 0) + 1
    numbers.set(id, number)
    return { ...delivery, number, decides: deciding.get(id) === delivery }
  })
}

/** The history's event of an attempt. */
export function deliveryEvent({ callback, attempt, next, number, decides }: NumberedDelivery<Delivery>): {
  readonly transactionId: bigint
  readonly kind: string
  readonly detail: string
} {
  const answer = attempt.httpStatus === undefined ? (attempt.error ?? 'no reply') : `HTTP ${attempt.httpStatus}`
  return {
    transactionId: callback.transactionId,
    kind: `callback_${next.step}`,
    detail: `${callback.event}, attempt ${number}: ${answer}; ${thenText(next, decides)}`,
  }
}

function thenText(next: NextStep, decides: boolean): string {
  if (!decides) return 'another attempt is under way'
  if (next.step === 'delivered') return 'acknowledged'
  return next.step === 'stopped' ? next.why : `next attempt in ${Math.round(next.afterMs / 1000)} s`
}
