import type { ExpectedWrites, StoredExpectation } from '../../../actions/ports/expected-payments.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

const keyOf = ({ paidTo, reference }: Pick<StoredExpectation, 'paidTo' | 'reference'>): string =>
  `${paidTo} ${reference}`

/** As storage/expected-payments.ts. @returns whether its reference was free */
export async function insertExpected(unit: MemoryUnitOfWork, expected: StoredExpectation): Promise<boolean> {
  const key = keyOf(expected)
  await unit.typedReferences.lock(key)
  const last = unit.typedReferences.get(key)
  if (last?.isOpen) return false
  await unit.expected.write(expected.transactionId, expected)
  unit.typedReferences.put(key, { id: expected.transactionId, isOpen: true })
  return true
}

export const expectedStatements = (unit: MemoryUnitOfWork): ExpectedWrites => ({
  expectedAt: (paidTo, reference) =>
    unit.statement('read', 'expectedAt', () => {
      const last = unit.typedReferences.get(keyOf({ paidTo, reference }))
      return last && unit.expected.existing(last.id)
    }),

  expectedOf: (transactionIds) =>
    unit.statement('read', 'expectedOf', () => transactionIds.flatMap((id) => unit.expected.get(id) ?? [])),

  endExpected: (transactionIds) =>
    unit.statement('write', 'endExpected', async () => {
      for (const id of transactionIds) {
        const key = keyOf(unit.expected.existing(id))
        await unit.typedReferences.lock(key)
        if (unit.typedReferences.get(key)?.id === id) unit.typedReferences.put(key, { id, isOpen: false })
      }
    }),

  takeReceipt: (railAccount, payment, transactionId) =>
    unit.statement('write', 'takeReceipt', async () => {
      const key = `${railAccount} ${payment.receipt}`
      await unit.unrequested.lock(key)
      const known = unit.unrequested.get(key)
      if (known?.isBooked || known?.transactionId !== undefined) return false
      unit.unrequested.put(key, { ...payment, railAccount, isBooked: false, transactionId })
      return true
    }),
})
