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
  handOver: (wantedMinor, readSince) => handOver(unit, wantedMinor, readSince),

  async lockFloats(railAccounts, readSince) {
    if (railAccounts.length === 0) return new Map()
    return unit.statement('lock', 'lockFloats', async () => {
      const there = railAccounts.filter((name) => unit.floats.get(name) !== undefined)
      await unit.floats.lockAll([...there].sort(ascending))
      return new Map(there.map((name) => [name, knownMinor(unit, name, readSince)]))
    })
  },

  async takeFloats(takenMinor) {
    if (takenMinor.size === 0) return
    await unit.statement('write', 'takeFloats', () => {
      for (const [name, minor] of takenMinor) take(unit, name, minor)
    })
  },

  async payoutWaits(railAccounts, ids) {
    if (railAccounts.length === 0 && ids.length === 0) return []
    return unit.statement('read', 'payoutWaits', () =>
      unit.payoutWaits
        .values()
        .filter(({ transactionId, railAccount }) => railAccounts.includes(railAccount) || ids.includes(transactionId))
        .filter(({ transactionId: id }) => isWaitMessage(unit.transactions.existing(id).transaction.statusMessage))
        .toSorted(
          (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || ascending(a.transactionId, b.transactionId),
        ),
    )
  },

  async savePayoutWaits(waits) {
    if (waits.length === 0) return
    await unit.statement('write', 'savePayoutWaits', async () => {
      for (const wait of waits.toSorted((a, b) => ascending(a.transactionId, b.transactionId))) {
        await unit.payoutWaits.lock(wait.transactionId)
        unit.payoutWaits.put(wait.transactionId, wait)
      }
    })
  },

  async endPayoutWaits(ids) {
    if (ids.length === 0) return
    await unit.statement('write', 'endPayoutWaits', async () => {
      for (const id of [...ids].sort(ascending)) {
        await unit.payoutWaits.lock(id)
        unit.payoutWaits.put(id, undefined)
      }
    })
  },
})

async function handOver(
  unit: MemoryUnitOfWork,
  wantedMinor: ReadonlyMap<string, bigint>,
  readSince: Date,
): Promise<ReadonlySet<string>> {
  if (wantedMinor.size === 0) return new Set()
  return unit.statement('write', 'handOver', async () => {
    const there = [...wantedMinor.keys()].filter((name) => unit.floats.get(name) !== undefined)
    await unit.floats.lockAll(there.sort(ascending))
    const wanted = (name: string) => wantedMinor.get(name) ?? 0n
    const isCovered = (name: string) => wanted(name) <= (knownMinor(unit, name, readSince) ?? wanted(name))
    const waitsAt = new Set(unit.payoutWaits.values().map(({ railAccount }) => railAccount))
    const free = there.filter((name) => isCovered(name) && !waitsAt.has(name))
    for (const name of free) take(unit, name, wanted(name))
    return new Set(free)
  })
}
