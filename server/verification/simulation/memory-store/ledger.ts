import type { LedgerWrites } from '../../../actions/ports/ledger.ts'
import { accountName } from '../../../domain/ledger.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

// The replies do not include what this unit itself books: the commit books it.
/** As storage/ledger.ts. */
export const ledgerStatements = (unit: MemoryUnitOfWork): LedgerWrites => ({
  balances: (keys) =>
    unit.statement('read', 'balances', () => {
      const { accounts } = unit.tables
      const found = keys.map(accountName).flatMap((name) => {
        const account = accounts.get(name)
        return account ? [[name, account.balanceMinor] as const] : []
      })
      return new Map(found)
    }),

  bookedInto: (kind, transactionIds) =>
    unit.statement('read', 'bookedInto', () => {
      const booked = new Map<bigint, bigint>()
      for (const id of transactionIds) {
        const into = unit.tables.collections.get(id)?.entries.filter(({ account }) => account.kind === kind) ?? []
        if (into.length > 0)
          booked.set(
            id,
            into.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
          )
      }
      return booked
    }),

  book: async (transfers, now) => unit.booking.add(transfers, now),
  holdsAtMost: async (balances) => unit.booking.holdsAtMost(balances),
})
