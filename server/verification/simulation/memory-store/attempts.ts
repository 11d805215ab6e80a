import type { AttemptWrites, Tried } from '../../../actions/ports/attempts.ts'
import { STATUS_MESSAGES, type Transaction } from '../../../domain/transaction.ts'
import { ascending } from './table.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

/** As storage/attempts.ts. */
export const attemptStatements = (unit: MemoryUnitOfWork): AttemptWrites => ({
  addAttempt: (collection, internalReference, now) =>
    unit.statement('write', 'addAttempt', async () => {
      const id = unit.tables.nextId()
      const attempt: Transaction = {
        ...collection,
        id,
        internalReference,
        isAttempt: true,
        allowFinalStatusChange: true,
        status: 'PENDING',
        statusMessage: STATUS_MESSAGES.pending,
        createdAt: now,
      }
      for (const table of [unit.transactions, unit.triedCollections]) await table.lock(id)
      await unit.internalReferences.lock(internalReference)
      await unit.attempts.lock(collection.id)
      unit.transactions.put(id, { ...unit.transactions.existing(collection.id), transaction: attempt })
      unit.internalReferences.put(internalReference, id)
      unit.triedCollections.put(id, collection.id)
      unit.attempts.put(collection.id, [...idsOf(unit, collection.id), id])
      return attempt
    }),

  moveAttempt: (attemptId, collectionId) =>
    unit.statement('write', 'moveAttempt', async () => {
      const before = unit.triedCollections.existing(attemptId)
      if (before === collectionId) return
      for (const id of [before, collectionId]) await unit.attempts.lock(id)
      await unit.triedCollections.write(attemptId, collectionId)
      unit.attempts.put(
        before,
        idsOf(unit, before).filter((id) => id !== attemptId),
      )
      unit.attempts.put(collectionId, [...idsOf(unit, collectionId), attemptId])
    }),

  attemptsOf: (collectionId) =>
    unit.statement('read', 'attemptsOf', () =>
      idsOf(unit, collectionId).map((id) => unit.transactions.existing(id).transaction),
    ),

  lockCollectionsOf: (attemptIds) =>
    unit.statement('lock', 'lockCollectionsOf', async () => {
      const tried = new Map<bigint, Tried>()
      const collections = new Set(attemptIds.map((id) => unit.triedCollections.get(id)))
      for (const id of [...collections].filter((one) => one !== undefined).sort(ascending)) {
        await unit.transactions.lock(id)
        const { transaction: collection } = unit.transactions.existing(id)
        const session = unit.sessions.existing(id)
        for (const [index, attempt] of idsOf(unit, id).entries())
          if (attemptIds.includes(attempt)) tried.set(attempt, { number: index + 1, collection, session })
      }
      return tried
    }),
})

const idsOf = (unit: MemoryUnitOfWork, collectionId: bigint): readonly bigint[] => unit.attempts.get(collectionId) ?? []
