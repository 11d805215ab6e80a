import type { MerchantRowReads } from '../../../actions/ports/merchant-rows.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

/** As storage/merchant-rows.ts. */
export const merchantRowStatements = (unit: MemoryUnitOfWork): MerchantRowReads => ({
  async suspensions(merchantIds) {
    if (merchantIds.length === 0) return new Map()
    return unit.statement('read', 'suspensions', () => {
      const wanted = new Set(merchantIds)
      return new Map([...unit.tables.suspensions].filter(([id]) => wanted.has(id)))
    })
  },

  /** No merchant of a schedule has limits of its own. */
  ownDailyLimit: async () => undefined,
})
