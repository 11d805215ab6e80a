import type { LimitWrites, AccountUsageWrites } from '../../../actions/ports/limits.ts'
import {
  exceededLimit,
  addDailyUse,
  dailyUseOf,
  dailyWindowStart,
  limitKey,
  accountLocks,
  type DailyUses,
  type LimitSubject,
} from '../../../domain/amount-limits.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'
import { promptDecline, tallyUses, type AccountTally, type AccountUse } from '../../../domain/account-bounds.ts'
import type { AccountUseRow } from './world.ts'
import { duplicate } from './violation.ts'

const usageKey = (transaction: Transaction): string => `${limitKey(transaction)}#${transaction.id}`

/** Needs the locks. Includes the unit's own changes. */
export function sumUsage(unit: MemoryUnitOfWork, subjects: readonly LimitSubject[], now: Date): DailyUses {
  const uses: DailyUses = new Map()
  for (const [limit, [subject]] of Map.groupBy(subjects, limitKey))
    for (const row of unit.usage.values(unit.tables.usageOf(limit)))
      if (subject && row.limit === limit && row.createdAt > dailyWindowStart(now))
        addDailyUse(uses, { ...subject, merchantId: row.merchantId }, row.amountMinor)
  return uses
}

/** As storage/limits.ts. */
export const limitStatements = (unit: MemoryUnitOfWork): LimitWrites => ({
  claimDailyLimit: (transaction, limit, now) =>
    unit.statement('lock', 'claimDailyLimit', async () => {
      await unit.limits.lockAll(accountLocks([transaction.account]))
      const used = dailyUseOf(sumUsage(unit, [transaction], now), transaction)
      const exceeded = exceededLimit(limit, used, transaction.amount.amountMinor)
      if (exceeded !== undefined) return exceeded
      await count(unit, { ...transaction, createdAt: now })
      return undefined
    }),

  releaseDailyLimit: (transactions) =>
    unit.writeEach('releaseDailyLimit', transactions.map(usageKey), async (key) => {
      if (unit.usage.get(key)) await unit.usage.write(key, undefined)
    }),

  countTowardDailyLimit: (transactions) =>
    unit.writeEach('countTowardDailyLimit', transactions, (transaction) => count(unit, transaction)),
})

/** Does nothing when it is already counted. */
export async function count(unit: MemoryUnitOfWork, transaction: Transaction): Promise<void> {
  const key = usageKey(transaction)
  for (let holder = unit.usage.holder(key); holder; holder = unit.usage.holder(key)) await unit.waitFor(holder)
  if (unit.usage.get(key)) return
  const { id: transactionId, merchantId, createdAt, amount } = transaction
  const used = { merchantId, transactionId, createdAt, amountMinor: amount.amountMinor }
  await unit.usage.write(key, { limit: limitKey(transaction), ...used })
}

const keyOf = ({ account, kind, transactionId, number }: AccountUseRow): string =>
  `${account}#${kind}#${transactionId}#${number}`

/** Current usage of the account number. Its key is already locked. */
export const countAccountUsage = (unit: MemoryUnitOfWork, account: string, now: Date): readonly AccountTally[] =>
  tallyUses(usesOf(unit, account), now)

const usesOf = (unit: MemoryUnitOfWork, account: string): AccountUseRow[] =>
  unit.accountUsage.values(unit.tables.usesOf(account)).filter((row) => row.account === account)

/** As storage/limits.ts. */
export async function insertAccountUsage(
  unit: MemoryUnitOfWork,
  { id, account, merchantId }: Pick<Transaction, 'id' | 'account' | 'merchantId'>,
  uses: readonly AccountUse[],
): Promise<void> {
  for (const { kind, number, countsUntil } of uses) {
    const row: AccountUseRow = { account, merchantId, kind, transactionId: id, number, countsUntil }
    if (!(await unit.accountUsage.claim(keyOf(row), row))) throw duplicate(`use ${keyOf(row)}`)
  }
}

/** As storage/limits.ts. */
export const accountUsageStatements = (unit: MemoryUnitOfWork): AccountUsageWrites => ({
  lockAccountUsage: (account, now) =>
    unit.statement('lock', 'lockAccountUsage', async () => {
      await unit.limits.lockAll(accountLocks([account]))
      return countAccountUsage(unit, account, now)
    }),

  addAccountUsage: (transaction, uses) =>
    unit.about(uses, undefined, 'write', 'addAccountUsage', () => insertAccountUsage(unit, transaction, uses)),

  // Not locked: capacity for one more page does not harm a concurrent count.
  endPageUsage: ({ id, account }) =>
    unit.statement('write', 'endPageUsage', async () => {
      for (const row of usesOf(unit, account))
        if (row.kind === 'open_page' && row.transactionId === id) await unit.accountUsage.write(keyOf(row), undefined)
    }),

  addPromptDeclines: (transactions, now) =>
    unit.statement('write', 'addPromptDeclines', async () => {
      for (const transaction of transactions) await insertAccountUsage(unit, transaction, [promptDecline(now)])
    }),

  endPromptDeclines: (accounts) =>
    unit.statement('write', 'endPromptDeclines', async () => {
      const declines = accounts.flatMap((account) =>
        usesOf(unit, account).filter(({ kind }) => kind === 'prompt_decline'),
      )
      for (const key of declines.map(keyOf))
        if (!unit.accountUsage.holder(key)) await unit.accountUsage.write(key, undefined)
    }),
})
