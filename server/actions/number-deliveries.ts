import type { DeliveryRecord, TransactionEvent, WorkItem } from './ports.ts'

/** What is stored of a callback, locked. */
export interface CallbackState {
  readonly attempts: number
  readonly resends: number
}

export type NumberedDelivery = DeliveryRecord & {
  readonly number: number
  /** Whether what comes next follows from this attempt: of those of one callback it is one at most. */
  readonly decides: boolean
}

/**
 * Every attempt was made, whoever holds its work now: it is numbered as it is stored. What comes next is for the holder of the work to say. An
 * acknowledgement ends the delivery even after its lease was lost, because the merchant has it; unless an operator has sent it again since.
 */
export function numberDeliveries(
  deliveries: readonly DeliveryRecord[], isHeld: (item: WorkItem) => boolean, stored: ReadonlyMap<bigint, CallbackState>,
): NumberedDelivery[] {
  const deciding = new Map<bigint, DeliveryRecord>()
  for (const delivery of deliveries) {
    const { callback: { id, resends }, item, next } = delivery
    const isAcknowledged = next.step === 'delivered' && resends === stored.get(id)?.resends
    if (isAcknowledged || (isHeld(item) && !deciding.has(id))) deciding.set(id, delivery)
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
export function deliveryEvent({ callback, attempt, next, number, decides }: NumberedDelivery): TransactionEvent {
  const answer = attempt.httpStatus === undefined ? attempt.error ?? 'no reply' : `HTTP ${attempt.httpStatus}`
  return { transactionId: callback.transactionId, kind: `callback_${next.step}`, detail: `${callback.event}, attempt ${number}: ${answer}; ${thenText(next, decides)}` }
}

function thenText(next: DeliveryRecord['next'], decides: boolean): string {
  if (!decides) return 'another attempt is under way'
  if (next.step === 'delivered') return 'acknowledged'
  return next.step === 'stopped' ? next.why : `next attempt in ${Math.round(next.afterMs / 1000)} s`
}
