import { present } from '../../../domain/present.ts'
import type { PayerReferenceReservation, PayerReferenceWrites } from '../../../actions/ports/rail-references.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

const keyOf = ({ scope, reference }: PayerReferenceReservation): string => `${scope}:${reference.toUpperCase()}`

/** As storage/payer-references.ts. */
export const payerReferenceStatements = (unit: MemoryUnitOfWork): PayerReferenceWrites => ({
  reservePayerReferences: (reservations, now) =>
    unit.about(reservations, new Set(), 'write', 'reservePayerReferences', async () => {
      const reserved = new Set<bigint>()
      const first = new Map(reservations.toSorted(byTransaction).map((one) => [keyOf(one), one]))
      for (const key of [...first.keys()].sort()) {
        await unit.payerReferences.lock(key)
        const row = unit.payerReferences.get(key)
        const { transactionId, reservedUntil } = present(first.get(key), 'a reservation')
        if (row && row.transactionId !== transactionId && row.reservedUntil > now) continue
        unit.payerReferences.put(key, { transactionId, reservedUntil })
        reserved.add(transactionId)
      }
      return reserved
    }),
})

/** The last one of a key stays in the map, so the lowest id comes last. */
const byTransaction = (one: PayerReferenceReservation, other: PayerReferenceReservation): number =>
  one.transactionId < other.transactionId ? 1 : -1
