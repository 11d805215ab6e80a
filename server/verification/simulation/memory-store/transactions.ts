import type { TransactionWrites } from '../../../actions/ports/transactions.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import { ascending } from './table.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

/** As storage/transactions.ts. */
export const transactionStatements = (unit: MemoryUnitOfWork): TransactionWrites => ({
  ...eventStatements(unit),

  lockTransactions: (by) =>
    unit.about('ids' in by ? by.ids : by.internalReferences, [], 'lock', 'lockTransactions', async () => {
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
    }),

  saveStates: (transactions) =>
    unit.writeEach('saveStates', transactions, ({ id, ...state }) => {
      const { status, statusMessage, failureCode, finalAt, railPaidAt, railOrderId, railAccount } = state
      return change(unit, id, (before) => ({
        ...withoutState(before),
        status,
        statusMessage,
        ...(failureCode && { failureCode }),
        ...(finalAt && { finalAt }),
        ...(railPaidAt && { railPaidAt }),
        ...(railOrderId && { railOrderId }),
        ...(railAccount && { railAccount }),
      }))
    }),

  refundsOf: (collectionIds) =>
    unit.about(
      collectionIds,
      new Map(),
      'read',
      'refundsOf',
      () => new Map(collectionIds.map((id) => [id, refundsOf(unit, id)])),
    ),

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

const eventStatements = (unit: MemoryUnitOfWork): Pick<TransactionWrites, 'addEvents' | 'eventDetails'> => ({
  addEvents: (events, now) =>
    unit.writeEach('addEvents', events, ({ transactionId, kind, detail }) => {
      unit.events.push({ transactionId, at: now, kind, detail })
    }),

  eventDetails: (kind, transactionIds) =>
    unit.about(transactionIds, new Map(), 'read', 'eventDetails', () => {
      const found = [...unit.tables.events, ...unit.events].filter(
        (event) => event.kind === kind && transactionIds.includes(event.transactionId),
      )
      const details = ([id, events]: readonly [bigint, typeof found]) =>
        [id, events.map(({ detail }) => detail)] as const
      return new Map([...Map.groupBy(found, ({ transactionId }) => transactionId)].map(details))
    }),
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
  if (unit.transactions.get(id))
    await unit.transactions.change(id, (row) => ({ ...row, transaction: to(row.transaction) }))
}

/** The refunds of a collection, oldest first. */
export const refundsOf = (unit: MemoryUnitOfWork, collectionId: bigint): readonly Transaction[] =>
  [...(unit.refunds.get(collectionId) ?? [])].sort(ascending).map((id) => unit.transactions.existing(id).transaction)

/** Its collection is locked. */
export async function addRefund(unit: MemoryUnitOfWork, collectionId: bigint, id: bigint): Promise<void> {
  await unit.refunds.lock(collectionId)
  unit.refunds.put(collectionId, [...(unit.refunds.get(collectionId) ?? []), id])
}
