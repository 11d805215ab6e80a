import type { MerchantRowReads } from '../../../actions/ports/merchant-rows.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

/** As storage/merchant-rows.ts. */
export const merchantRowStatements = (unit: MemoryUnitOfWork): MerchantRowReads => ({
  suspensions: (merchantIds) =>
    unit.about(merchantIds, new Map(), 'read', 'suspensions', () => {
      const wanted = new Set(merchantIds)
      return new Map([...unit.tables.suspensions].filter(([id]) => wanted.has(id)))
    }),

  /** No merchant of a schedule has limits of its own. */
  ownDailyLimit: async () => undefined,
})
