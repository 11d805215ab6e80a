import type { Unit } from '../../actions/ports/unit.ts'
import type { AccountUse, AccountUseKind } from '../../domain/account-bounds.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { Step } from './step.ts'
import { accountKey, lockLimits } from './limits.ts'
import type { AccountUseRow } from './rows.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import { duplicate } from './violation.ts'

const LOCK: Step = { what: 'lockAccountUsage', kind: 'lock' }
const ADD: Step = { what: 'addAccountUsage', kind: 'write' }
const END_PAGE: Step = { what: 'endPageUsage', kind: 'write' }
const KINDS: readonly AccountUseKind[] = ['otp_send', 'otp_wrong', 'open_page']

const keyOf = ({ account, kind, transactionId, number }: AccountUseRow): string =>
  `${account}#${kind}#${transactionId}#${number}`

/** How many of each kind count for the account number now. Its key is locked before. */
export function countAccountUsage(unit: UnitOfWork, account: string, now: Date): Map<AccountUseKind, number> {
  const counting = usesOf(unit, account).filter(({ countsUntil }) => countsUntil > now)
  return new Map(KINDS.map((kind) => [kind, counting.filter((row) => row.kind === kind).length]))
}

/** What is committed, with the unit's own changes. */
function usesOf(unit: UnitOfWork, account: string): AccountUseRow[] {
  const own = unit.accountUsage.own()
  const committed = [...unit.tables.usesOf(account)].filter(([key]) => !own.has(key)).map(([, row]) => row)
  return [
    ...committed,
    ...[...own.values()].filter((row) => row !== undefined).filter((row) => row.account === account),
  ]
}

/** As storage/account-usage.ts. */
export async function insertAccountUsage(
  unit: UnitOfWork,
  { id, account }: Pick<Transaction, 'id' | 'account'>,
  uses: readonly AccountUse[],
): Promise<void> {
  for (const { kind, number, countsUntil } of uses) {
    const row: AccountUseRow = { account, kind, transactionId: id, number, countsUntil }
    await unit.accountUsage.lock(keyOf(row))
    if (unit.accountUsage.get(keyOf(row))) throw duplicate(`use ${keyOf(row)}`)
    unit.accountUsage.put(keyOf(row), row)
  }
}

/** As storage/account-usage.ts. */
export const accountUsageStatements = (
  unit: UnitOfWork,
): Pick<Unit, 'lockAccountUsage' | 'addAccountUsage' | 'endPageUsage'> => ({
  lockAccountUsage: (account, now) =>
    unit.statement(LOCK, async () => {
      await lockLimits(unit, [accountKey(account)])
      return countAccountUsage(unit, account, now)
    }),

  async addAccountUsage(transaction, uses) {
    if (uses.length === 0) return
    await unit.statement(ADD, () => insertAccountUsage(unit, transaction, uses))
  },

  // Not locked: room for one more page is no harm to whoever counts at this moment.
  endPageUsage: ({ id, account }) =>
    unit.statement(END_PAGE, async () => {
      for (const row of usesOf(unit, account).filter(
        ({ kind, transactionId }) => kind === 'open_page' && transactionId === id,
      )) {
        await unit.accountUsage.lock(keyOf(row))
        unit.accountUsage.put(keyOf(row), undefined)
      }
    }),
})
