import { boundReached, boundRefusal, type BoundedUse } from '../domain/account-bounds.ts'
import { dailyLimitOf, dailyLimitRefusal, type MerchantShare } from '../domain/amount-limits.ts'
import { money } from '../domain/money.ts'
import { present } from '../domain/present.ts'
import type { Transaction } from '../domain/transaction.ts'
import type { Clock } from './ports/clock.ts'
import type { AccountUsageWrites, LimitWrites } from './ports/limits.ts'
import type { MerchantRowReads } from './ports/merchant-rows.ts'
import type { ReferenceData } from './ports/reference-data.ts'

interface LimitDeps {
  readonly reference: Pick<ReferenceData, 'option'>
  readonly dailyLimitShare: MerchantShare
  readonly clock: Clock
}

/** @throws Refusal when the account number has reached its limit of this kind */
export async function claimRoom(
  unit: AccountUsageWrites,
  { clock }: Pick<LimitDeps, 'clock'>,
  transaction: Transaction,
  use: BoundedUse,
): Promise<void> {
  const now = clock.now()
  const tallies = await unit.lockAccountUsage(transaction.account, now)
  const reached = boundReached(use.bounds, transaction.merchantId, tallies, now)
  if (reached) throw boundRefusal(reached, now)
  await unit.addAccountUsage(transaction, [use])
}

/**
 * The daily limit is claimed only now: opening a page must not use up the limit of a number whose owner has not been
 * notified. Besides, the account of a bank payment is known only now.
 */
export async function claimDailyLimit(
  unit: LimitWrites & MerchantRowReads,
  { reference, dailyLimitShare, clock }: LimitDeps,
  transaction: Transaction,
): Promise<void> {
  const option = present(
    reference.option(transaction.providerCode, 'COLLECTION'),
    'the payment option of a transaction',
  )
  const ownDailyAmountMinor = await unit.ownDailyLimit(transaction)
  const limited = { ...option, ...(ownDailyAmountMinor !== undefined && { ownDailyAmountMinor }) }
  const limit = dailyLimitOf(limited, dailyLimitShare)
  const exceededMinor = await unit.claimDailyLimit(transaction, limit, clock.now())
  if (exceededMinor !== undefined) throw dailyLimitRefusal(money(exceededMinor, option.currency))
}
