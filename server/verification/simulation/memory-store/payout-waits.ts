import type { PayoutWaitWrites } from '../../../actions/ports/payout-waits.ts'
import { isWaitMessage } from '../../../domain/payout-waits.ts'
import { ascending } from './table.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

function take(unit: MemoryUnitOfWork, name: string, minor: bigint): void {
  const { floatMinor, handedMinor, ...row } = unit.floats.existing(name)
  unit.floats.put(name, { ...row, floatMinor: floatMinor - minor, handedMinor: handedMinor + minor })
}

/** Undefined: no balance was read lately. */
function knownMinor(unit: MemoryUnitOfWork, name: string, readSince: Date): bigint | undefined {
  const { floatMinor, readAt } = unit.floats.existing(name)
  return readAt && readAt > readSince ? floatMinor : undefined
}

/** As storage/payout-waits.ts. */
export const payoutWaitStatements = (unit: MemoryUnitOfWork): PayoutWaitWrites => ({
  handOver: (wantedMinor, readSince) =>
    unit.about([...wantedMinor], new Set(), 'write', 'handOver', async () => {
      const there = [...wantedMinor.keys()].filter((name) => unit.floats.get(name) !== undefined)
      await unit.floats.lockAll(there.sort(ascending))
      const wanted = (name: string) => wantedMinor.get(name) ?? 0n
      const isCovered = (name: string) => wanted(name) <= (knownMinor(unit, name, readSince) ?? wanted(name))
      const waitsAt = new Set(unit.payoutWaits.values().map(({ railAccount }) => railAccount))
      const free = there.filter((name) => isCovered(name) && !waitsAt.has(name))
      for (const name of free) take(unit, name, wanted(name))
      return new Set(free)
    }),

  lockFloats: (railAccounts, readSince) =>
    unit.about(railAccounts, new Map(), 'lock', 'lockFloats', async () => {
      const there = railAccounts.filter((name) => unit.floats.get(name) !== undefined)
      await unit.floats.lockAll([...there].sort(ascending))
      return new Map(there.map((name) => [name, knownMinor(unit, name, readSince)]))
    }),

  takeFloats: (takenMinor) => unit.writeEach('takeFloats', [...takenMinor], ([name, minor]) => take(unit, name, minor)),

  payoutWaits: (railAccounts, ids) =>
    unit.about([...railAccounts, ...ids], [], 'read', 'payoutWaits', () =>
      unit.payoutWaits
        .values()
        .filter(({ transactionId, railAccount }) => railAccounts.includes(railAccount) || ids.includes(transactionId))
        .filter(({ transactionId: id }) => isWaitMessage(unit.transactions.existing(id).transaction.statusMessage))
        .toSorted(
          (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || ascending(a.transactionId, b.transactionId),
        ),
    ),

  savePayoutWaits: (waits) =>
    unit.writeEach(
      'savePayoutWaits',
      waits.toSorted((a, b) => ascending(a.transactionId, b.transactionId)),
      (wait) => unit.payoutWaits.write(wait.transactionId, wait),
    ),

  endPayoutWaits: (ids) =>
    unit.writeEach('endPayoutWaits', [...ids].sort(ascending), (id) => unit.payoutWaits.write(id, undefined)),
})
