import type { UnitOfWork } from '../../../actions/ports/unit-of-work.ts'
import { promptDecline, tallyUses, type AccountTally, type AccountUse } from '../../../domain/account-bounds.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import type { Step } from './step.ts'
import { accountKey, lockLimits } from './limits.ts'
import type { AccountUseRow } from './rows.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'
import { duplicate } from './violation.ts'

const LOCK: Step = { what: 'lockAccountUsage', kind: 'lock' }
const ADD: Step = { what: 'addAccountUsage', kind: 'write' }
const END_PAGE: Step = { what: 'endPageUsage', kind: 'write' }
const DECLINES: Step = { what: 'addPromptDeclines', kind: 'write' }
const END_DECLINES: Step = { what: 'endPromptDeclines', kind: 'write' }

const keyOf = ({ account, kind, transactionId, number }: AccountUseRow): string =>
  `${account}#${kind}#${transactionId}#${number}`

/** Current usage of the account number. Its key is already locked. */
export const countAccountUsage = (unit: MemoryUnitOfWork, account: string, now: Date): AccountTally[] =>
  tallyUses(usesOf(unit, account), now)

/** The committed rows, with the unit's own changes. */
function usesOf(unit: MemoryUnitOfWork, account: string): AccountUseRow[] {
  const own = unit.accountUsage.own()
  const committed = [...unit.tables.usesOf(account)].filter(([key]) => !own.has(key)).map(([, row]) => row)
  return [
    ...committed,
    ...[...own.values()].filter((row) => row !== undefined).filter((row) => row.account === account),
  ]
}

/** As storage/account-usage.ts. */
export async function insertAccountUsage(
  unit: MemoryUnitOfWork,
  { id, account, merchantId }: Pick<Transaction, 'id' | 'account' | 'merchantId'>,
  uses: readonly AccountUse[],
): Promise<void> {
  for (const { kind, number, countsUntil } of uses) {
    const row: AccountUseRow = { account, merchantId, kind, transactionId: id, number, countsUntil }
    await unit.accountUsage.lock(keyOf(row))
    if (unit.accountUsage.get(keyOf(row))) throw duplicate(`use ${keyOf(row)}`)
    unit.accountUsage.put(keyOf(row), row)
  }
}

/** As storage/account-usage.ts. */
export const accountUsageStatements = (
  unit: MemoryUnitOfWork,
): Pick<
  UnitOfWork,
  'lockAccountUsage' | 'addAccountUsage' | 'endPageUsage' | 'addPromptDeclines' | 'endPromptDeclines'
> => ({
  lockAccountUsage: (account, now) =>
    unit.statement(LOCK, async () => {
      await lockLimits(unit, [accountKey(account)])
      return countAccountUsage(unit, account, now)
    }),

  async addAccountUsage(transaction, uses) {
    if (uses.length === 0) return
    await unit.statement(ADD, () => insertAccountUsage(unit, transaction, uses))
  },

  // Not locked: capacity for one more page does not harm a concurrent count.
  endPageUsage: ({ id, account }) =>
    unit.statement(END_PAGE, async () => {
      for (const row of usesOf(unit, account).filter(
        ({ kind, transactionId }) => kind === 'open_page' && transactionId === id,
      )) {
        await unit.accountUsage.lock(keyOf(row))
        unit.accountUsage.put(keyOf(row), undefined)
      }
    }),

  addPromptDeclines: (transactions, now) =>
    unit.statement(DECLINES, async () => {
      for (const transaction of transactions) await insertAccountUsage(unit, transaction, [promptDecline(now)])
    }),

  endPromptDeclines: (accounts) =>
    unit.statement(END_DECLINES, async () => {
      const declines = accounts.flatMap((account) =>
        usesOf(unit, account).filter(({ kind }) => kind === 'prompt_decline'),
      )
      for (const key of declines.map(keyOf)) {
        if (unit.accountUsage.holder(key)) continue
        await unit.accountUsage.lock(key)
        unit.accountUsage.put(key, undefined)
      }
    }),
})
