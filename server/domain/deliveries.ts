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

/** `STOPPED`: no further attempt, until staff resends it. */
export type CallbackStatus = 'PENDING' | 'DELIVERED' | 'STOPPED'

/** The state of a callback after the attempt that decides it, and when the next attempt is due if there is one. */
export function deliveryState(
  { at, durationMs }: { readonly at: Date; readonly durationMs: number },
  next: NextStep,
): { readonly status: CallbackStatus; readonly nextAt?: Date } {
  if (next.step !== 'retry') return { status: next.step === 'delivered' ? 'DELIVERED' : 'STOPPED' }
  return { status: 'PENDING', nextAt: new Date(at.getTime() + durationMs + next.afterMs) }
}

/** The state of a callback whose merchant has no URL for it: no attempt is made, and it needs no job. */
export const WITHHELD_STATUS: CallbackStatus = 'STOPPED'

/** Every process learns of changes to a merchant within a second. */
const URL_KNOWN_AFTER_MS = 1_000

/** When a callback is due again whose merchant has a URL that this process has not loaded yet. */
export const urlKnownAt = (now: Date): Date => new Date(now.getTime() + URL_KNOWN_AFTER_MS)

/** A history event about a callback. */
interface CallbackHistoryEvent {
  readonly transactionId: bigint
  readonly kind: string
  readonly detail: string
}

/** Names a callback by what it reports. */
export type CallbackOfTransaction = Pick<Delivery['callback'], 'transactionId' | 'event'>

/** The history's event of a callback that is withheld. */
export const withheldEvent = ({ transactionId, event }: CallbackOfTransaction): CallbackHistoryEvent => ({
  transactionId,
  kind: 'callback_withheld',
  detail: `${event}: no ${event.startsWith('refund.') ? 'refund' : 'callback'} URL is set; it goes out when one is set and it is resent`,
})

/** The history's event of a callback that staff resend. */
export const resentEvent = ({ transactionId, event }: CallbackOfTransaction): CallbackHistoryEvent => ({
  transactionId,
  kind: 'callback_resent',
  detail: `${event}: an operator sends it again`,
})

/** The history's event of an attempt. */
export function deliveryEvent({
  callback,
  attempt,
  next,
  number,
  decides,
}: NumberedDelivery<Delivery>): CallbackHistoryEvent {
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
