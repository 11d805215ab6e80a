import { cancelPayout } from '../../actions/cancel-payout.ts'
import { MERCHANT_CANCELLED, type Transaction } from '../../domain/transaction.ts'
import type { SimulatedGateway } from './gateway.ts'
import type { SentRequest } from './requests.ts'
import { MINUTE, SECOND } from './spans.ts'
import { ignoreRefusal, type Stage } from './stage.ts'

/** A merchant cancels a payout: at once, while it waits or travels, or long after. */
export async function cancels(stage: Stage, { merchantId, reference }: SentRequest, told: Set<string>): Promise<void> {
  const { choices, gateway } = stage
  await gateway.scheduler.sleep(choices.of(SECOND, 0, 2 * SECOND, 7 * SECOND, MINUTE, 11 * MINUTE))
  const merchant = gateway.reference.merchant(merchantId)
  const claim =
    choices.rarely(0.5) === 1 ? { merchantId, key: `cancel ${reference}`, digest: new Uint8Array() } : undefined
  const once = () =>
    stage
      .insist((deps) => cancelPayout(deps, merchant, reference, claim))
      .then((cancelled) => cancelled && void told.add(cancelled.internalReference))
      .catch(ignoreRefusal)
  await Promise.all(choices.rarely(0.2) === 1 ? [once(), once()] : [once()])
}

/** What its merchant was told is cancelled stays that, and moves nothing. */
export function cancelled(
  { rail }: SimulatedGateway,
  told: ReadonlySet<string>,
  { internalReference, merchantReference, status, statusMessage }: Transaction,
): string[] {
  const isCancelled = statusMessage === MERCHANT_CANCELLED.reason
  if (!isCancelled)
    return told.has(internalReference) ? [`${merchantReference} was cancelled, and is ${status}: ${statusMessage}`] : []
  const transfers = rail.transfers(internalReference)
  return transfers === 0 ? [] : [`${merchantReference} was cancelled, and paid ${transfers} times`]
}
