import type { Merchant } from '../domain/merchant.ts'
import { Refusal } from '../domain/refusal.ts'
import { isUnsent, MERCHANT_CANCELLED } from '../domain/transaction.ts'
import { IdempotencyKeyTaken, once, type IdempotentAcceptance } from './idempotency.ts'
import type { IdempotencyClaim, IdempotencyStore } from './ports/idempotency.ts'
import type { Lookups } from './ports/lookups.ts'
import { endUnsent } from './resolve-transaction.ts'
import type { SettleDeps } from './settle-results.ts'

export type CancelPayoutDeps = Omit<SettleDeps, 'notices'> & {
  readonly lookups: Pick<Lookups, 'transactionByMerchantReference'>
  readonly idempotency: IdempotencyStore
}

/**
 * Cancels a payout that waits. The state is decided under the lock under which the order gets its id before it is sent:
 * whichever commits first stands, so a payout is paid or cancelled and never both.
 * @throws Refusal `unknown_reference` (also for another merchant's, and for a collection), `payout_handed_over`
 */
export const cancelPayout = (
  deps: CancelPayoutDeps,
  merchant: Pick<Merchant, 'id'>,
  merchantReference: string,
  claim?: IdempotencyClaim,
): Promise<IdempotentAcceptance> =>
  once(deps, claim, async () => {
    const found = await deps.lookups.transactionByMerchantReference(merchant.id, merchantReference)
    if (found?.type !== 'PAYOUT') throw new Refusal('unknown_reference', `Payout (${merchantReference}) was not found`)
    const cancelled = { internalReference: found.internalReference, merchantReference, onPaymentPage: false }
    await deps.store.transaction(async (unit) => {
      const [payout = found] = await unit.lockTransactions({ ids: [found.id] })
      if (claim && !(await unit.rememberOutcome(claim, { result: 'accepted', accepted: cancelled }, deps.clock.now())))
        throw new IdempotencyKeyTaken()
      if (!isUnsent(payout))
        throw new Refusal(
          'payout_handed_over',
          `Payout (${merchantReference}) is ${payout.status}: it cannot be cancelled any more`,
        )
      await endUnsent(unit, deps, payout, MERCHANT_CANCELLED)
    })
    return cancelled
  })
