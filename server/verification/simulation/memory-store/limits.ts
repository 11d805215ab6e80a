import type { UnitOfWork } from '../../../actions/ports/unit-of-work.ts'
import { DAILY_WINDOW_MS, exceededLimit, type DailyUse } from '../../../domain/amount-limits.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import type { UsageRow } from './rows.ts'
import type { Step } from './step.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

const CLAIM: Step = { what: 'claimDailyLimit', kind: 'lock' }
const RELEASE: Step = { what: 'releaseDailyLimit', kind: 'write' }
const COUNT: Step = { what: 'countTowardDailyLimit', kind: 'write' }

/** As storage/limits.ts. */
export const limitKey = ({
  providerCode,
  type,
  account,
}: Pick<Transaction, 'providerCode' | 'type' | 'account'>): string => `${providerCode}:${type}:${account}`

const usageKey = (transaction: Transaction): string => `${limitKey(transaction)}#${transaction.id}`

/** The lock key of an account number's bounds: one key for all providers and directions. */
export const accountKey = (account: string): string => `account:${account}`

/** Locks everything that one commit needs, in one order, until commit. */
export async function lockLimits(unit: MemoryUnitOfWork, keys: readonly string[]): Promise<void> {
  const distinct = [...new Set(keys)].sort()
  for (const limit of distinct) await unit.limits.lock(limit)
}

/**
 * Needs the lock.
 * @returns what the transaction's limit has used in the last 24 hours
 */
export function sumUsage(
  unit: MemoryUnitOfWork,
  transaction: Pick<Transaction, 'providerCode' | 'type' | 'account' | 'merchantId'>,
  now: Date,
): DailyUse {
  const limit = limitKey(transaction)
  const since = now.getTime() - DAILY_WINDOW_MS
  const own = unit.usage.own()
  let [usedMinor, merchantUsedMinor] = [0n, 0n]
  const add = (row: UsageRow): void => {
    if (row.createdAt.getTime() <= since) return
    usedMinor += row.amountMinor
    if (row.merchantId === transaction.merchantId) merchantUsedMinor += row.amountMinor
  }
  for (const [key, row] of unit.tables.usageOf(limit)) if (!own.has(key)) add(row)
  for (const row of own.values()) if (row?.limit === limit) add(row)
  return { usedMinor, merchantUsedMinor }
}

/** As storage/limits.ts. */
export const limitStatements = (
  unit: MemoryUnitOfWork,
): Pick<UnitOfWork, 'claimDailyLimit' | 'releaseDailyLimit' | 'countTowardDailyLimit'> => ({
  claimDailyLimit: (transaction, limit, now) =>
    unit.statement(CLAIM, async () => {
      // The same commit may check the account number's own bounds next.
      await lockLimits(unit, [limitKey(transaction), accountKey(transaction.account)])
      const exceeded = exceededLimit(limit, sumUsage(unit, transaction, now), transaction.amount.amountMinor)
      if (exceeded !== undefined) return exceeded
      await count(unit, { ...transaction, createdAt: now })
      return undefined
    }),

  async releaseDailyLimit(transactions) {
    if (transactions.length === 0) return
    await unit.statement(RELEASE, async () => {
      for (const key of transactions.map(usageKey)) {
        if (!unit.usage.get(key)) continue
        await unit.usage.lock(key)
        unit.usage.put(key, undefined)
      }
    })
  },

  async countTowardDailyLimit(transactions) {
    if (transactions.length === 0) return
    await unit.statement(COUNT, async () => {
      for (const transaction of transactions) await count(unit, transaction)
    })
  },
})

/** Does nothing when it is already counted. */
export async function count(unit: MemoryUnitOfWork, transaction: Transaction): Promise<void> {
  const key = usageKey(transaction)
  for (let holder = unit.usage.holder(key); holder; holder = unit.usage.holder(key)) await unit.waitFor(holder)
  if (unit.usage.get(key)) return
  await unit.usage.lock(key)
  const { id, merchantId, createdAt, amount } = transaction
  unit.usage.put(key, {
    limit: limitKey(transaction),
    merchantId,
    transactionId: id,
    createdAt,
    amountMinor: amount.amountMinor,
  })
}
