import type { PayoutWaitWrites } from '../../../actions/ports/payout-waits.ts'
import { isWaitMessage } from '../../../domain/payout-waits.ts'
import { ascending } from './table.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

/** As storage/payout-waits.ts. */
export const payoutWaitStatements = (unit: MemoryUnitOfWork): PayoutWaitWrites => ({
  async lockFloats(railAccounts, readSince) {
    if (railAccounts.length === 0) return new Map()
    return unit.statement('lock', 'lockFloats', async () => {
      const known = railAccounts.filter((name) => (unit.floats.get(name)?.readAt ?? readSince) > readSince)
      await unit.floats.lockAll([...known].sort(ascending))
      return new Map(known.map((name) => [name, unit.floats.existing(name).floatMinor]))
    })
  },

  async takeFloats(takenMinor) {
    if (takenMinor.size === 0) return
    await unit.statement('write', 'takeFloats', () => {
      for (const [name, minor] of takenMinor) {
        const { floatMinor, handedMinor, readAt } = unit.floats.existing(name)
        unit.floats.put(name, { floatMinor: floatMinor - minor, handedMinor: handedMinor + minor, readAt })
      }
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
