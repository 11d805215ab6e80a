import type { SuspensionReads } from '../../../actions/ports/suspension.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

/** As storage/suspension.ts. */
export const suspensionStatements = (unit: MemoryUnitOfWork): SuspensionReads => ({
  async suspensions(merchantIds) {
    if (merchantIds.length === 0) return new Map()
    return unit.statement('read', 'suspensions', () => {
      const wanted = new Set(merchantIds)
      return new Map([...unit.tables.suspensions].filter(([id]) => wanted.has(id)))
    })
  },
})
