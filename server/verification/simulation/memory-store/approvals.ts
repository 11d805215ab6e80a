import type { ApprovalWrites } from '../../../actions/ports/approvals.ts'
import type { NewApproval } from '../../../domain/approvals.ts'
import { ascending } from './table.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

/** As storage/approvals.ts. */
export const approvalStatements = (unit: MemoryUnitOfWork): ApprovalWrites => ({
  decidedTogether: (transactionId) =>
    unit.statement('read', 'decidedTogether', () => {
      const currencyOf = (id: bigint) => unit.tables.transactions.existing(id).transaction.amount.currency
      const ids = [...unit.tables.batches.values()]
        .map(({ rows }) => rows.map((row) => row.transactionId))
        .find((batch) => batch.includes(transactionId))
      return ids?.filter((id) => currencyOf(id) === currencyOf(transactionId)).sort(ascending) ?? [transactionId]
    }),

  lockApprovals: (transactionIds) =>
    unit.about(transactionIds, [], 'lock', 'lockApprovals', async () => {
      const ids = [...new Set(transactionIds)].filter((id) => unit.approvals.get(id) !== undefined).sort(ascending)
      await unit.approvals.lockAll(ids)
      return ids.map((id) => unit.approvals.existing(id))
    }),

  lockStanding: (personId) =>
    unit.statement('lock', 'lockStanding', async () => {
      await unit.people.lock(personId)
      return unit.people.get(personId)
    }),

  endApprovals: (ends) =>
    unit.writeEach('endApprovals', ends, ({ id, state, at, by }) =>
      unit.approvals.change(id, (row) => ({ ...row, state, decidedAt: at, decider: by })),
    ),
})

/** The id of a request is that of its payout. */
export const insertApproval = (
  unit: MemoryUnitOfWork,
  { transactionId: id, ...approval }: NewApproval & { readonly transactionId: bigint },
): Promise<void> => unit.approvals.write(id, { ...approval, id, transactionId: id, state: 'waiting' })
