import type { TransactionWrites } from '../../../actions/ports/transactions.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import { refundsOf } from './refunds.ts'
import { ascending } from './table.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

/** As storage/transactions.ts. */
export const transactionStatements = (
  unit: MemoryUnitOfWork,
): Pick<TransactionWrites, 'lockTransactions' | 'saveStates' | 'saveAccount' | 'refundsOf'> => ({
  async lockTransactions(by) {
    if (('ids' in by ? by.ids : by.internalReferences).length === 0) return []
    return unit.statement('lock', 'lockTransactions', async () => {
      const wanted =
        'ids' in by ? by.ids : by.internalReferences.map((reference) => unit.internalReferences.get(reference))
      const there = [...new Set(wanted)].filter(
        (id) => id !== undefined && unit.transactions.get(id) !== undefined,
      ) as bigint[]
      const locked: Transaction[] = []
      for (const id of there.sort(ascending)) {
        await unit.transactions.lock(id)
        // Read again: it may have changed while this unit waited for its lock.
        locked.push(unit.transactions.existing(id).transaction)
      }
      return locked
    })
  },

  async saveStates(transactions) {
    if (transactions.length === 0) return
    await unit.statement('write', 'saveStates', async () => {
      for (const { id, ...state } of transactions) {
        const { status, statusMessage, failureCode, finalAt, railPaidAt, railOrderId, railAccount } = state
        await change(unit, id, (before) => ({
          ...withoutState(before),
          status,
          statusMessage,
          ...(failureCode && { failureCode }),
          ...(finalAt && { finalAt }),
          ...(railPaidAt && { railPaidAt }),
          ...(railOrderId && { railOrderId }),
          ...(railAccount && { railAccount }),
        }))
      }
    })
  },

  async refundsOf(collectionIds) {
    if (collectionIds.length === 0) return new Map()
    return unit.statement('read', 'refundsOf', () => new Map(collectionIds.map((id) => [id, refundsOf(unit, id)])))
  },

  saveAccount: ({ id, account, institutionName, providerCode, chargeMinor, totalMinor, request, amount }) =>
    unit.statement('write', 'saveAccount', () =>
      change(unit, id, ({ institutionName: _before, ...rest }) => ({
        ...rest,
        account,
        providerCode,
        chargeMinor,
        totalMinor,
        request,
        amount,
        ...(institutionName !== undefined && { institutionName }),
      })),
    ),
})

/** Without the fields that a change of state sets anew or removes. */
const withoutState = ({
  failureCode: _code,
  finalAt: _final,
  railPaidAt: _paid,
  railOrderId: _order,
  railAccount: _railAccount,
  ...rest
}: Transaction) => rest

async function change(
  unit: MemoryUnitOfWork,
  id: bigint,
  to: (transaction: Transaction) => Transaction,
): Promise<void> {
  if (!unit.transactions.get(id)) return
  await unit.transactions.lock(id)
  const row = unit.transactions.existing(id)
  unit.transactions.put(id, { ...row, transaction: to(row.transaction) })
}
