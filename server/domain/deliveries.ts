import type { CallbackEvent, NextStep } from './callback.ts'

/** An attempt to deliver a callback, and what would follow from it alone. */
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

/** What is stored of a callback, locked. */
export interface CallbackState {
  readonly attempts: number
  readonly resends: number
}

export type Numbered<Of extends Delivery> = Of & {
  readonly number: number
  /** Whether what comes next follows from this attempt: of those of one callback it is one at most. */
  readonly decides: boolean
}

/**
 * Every attempt was made, whoever holds its work now: it is numbered as it is stored. What comes next is for the holder
 * of the work to say. An acknowledgement ends the delivery even after its lease was lost, because the merchant has it;
 * unless an operator has sent it again since.
 */
export function numberDeliveries<Of extends Delivery>(
  deliveries: readonly Of[],
  isHeld: (delivery: Of) => boolean,
  stored: ReadonlyMap<bigint, CallbackState>,
): Numbered<Of>[] {
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

/** What the history says of it. */
export function deliveryEvent({ callback, attempt, next, number, decides }: Numbered<Delivery>): {
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
