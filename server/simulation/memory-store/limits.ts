import type { Unit } from '../../actions/ports/unit.ts'
import { DAILY_WINDOW_MS } from '../../domain/amount-limits.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { Step } from './step.ts'
import type { UnitOfWork } from './unit-of-work.ts'

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

/** What the bounds of an account number are locked by: it is one, whichever provider and direction. */
export const accountKey = (account: string): string => `account:${account}`

/** Until commit, in one order: all that one commit needs at once. */
export async function lockLimits(unit: UnitOfWork, keys: readonly string[]): Promise<void> {
  const distinct = [...new Set(keys)].sort()
  for (const limit of distinct) await unit.limits.lock(limit)
}

/** Locked before. @returns what each limit has used in the last 24 hours, by limitKey */
export function sumUsage(unit: UnitOfWork, limits: readonly string[], now: Date): Map<string, bigint> {
  const distinct = [...new Set(limits)]
  return new Map(distinct.map((limit) => [limit, usedMinor(unit, limit, now)]))
}

function usedMinor(unit: UnitOfWork, limit: string, now: Date): bigint {
  const since = now.getTime() - DAILY_WINDOW_MS
  const own = unit.usage.own()
  let sum = 0n
  for (const [key, row] of unit.tables.usageOf(limit))
    if (!own.has(key) && row.createdAt.getTime() > since) sum += row.amountMinor
  for (const row of own.values()) if (row?.limit === limit && row.createdAt.getTime() > since) sum += row.amountMinor
  return sum
}

/** As storage/limits.ts. */
export const limitStatements = (
  unit: UnitOfWork,
): Pick<Unit, 'claimDailyLimit' | 'releaseDailyLimit' | 'countTowardDailyLimit'> => ({
  claimDailyLimit: (transaction, limitMinor, now) =>
    unit.statement(CLAIM, async () => {
      const limit = limitKey(transaction)
      // The account number's own bounds may be asked about next, in the same commit.
      await lockLimits(unit, [limit, accountKey(transaction.account)])
      const used = usedMinor(unit, limit, now)
      if (used + transaction.amount.amountMinor > limitMinor) return false
      await count(unit, { ...transaction, createdAt: now })
      return true
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

/** Does nothing when it is counted already. */
export async function count(unit: UnitOfWork, transaction: Transaction): Promise<void> {
  const key = usageKey(transaction)
  for (let holder = unit.usage.holder(key); holder; holder = unit.usage.holder(key)) await unit.waitFor(holder)
  if (unit.usage.get(key)) return
  await unit.usage.lock(key)
  const { id, createdAt, amount } = transaction
  unit.usage.put(key, { limit: limitKey(transaction), transactionId: id, createdAt, amountMinor: amount.amountMinor })
}
