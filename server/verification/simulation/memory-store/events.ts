import type { TransactionWrites } from '../../../actions/ports/transactions.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

/** As storage/transactions.ts. */
export const eventStatements = (unit: MemoryUnitOfWork): Pick<TransactionWrites, 'addEvents' | 'eventDetails'> => ({
  async addEvents(events, now) {
    if (events.length === 0) return
    await unit.statement('write', 'addEvents', () => {
      for (const { transactionId, kind, detail } of events) unit.events.push({ transactionId, at: now, kind, detail })
    })
  },

  async eventDetails(kind, transactionIds) {
    if (transactionIds.length === 0) return new Map()
    return unit.statement('read', 'eventDetails', () => {
      const found = [...unit.tables.events, ...unit.events].filter(
        (event) => event.kind === kind && transactionIds.includes(event.transactionId),
      )
      const details = ([id, events]: readonly [bigint, typeof found]) =>
        [id, events.map(({ detail }) => detail)] as const
      return new Map([...Map.groupBy(found, ({ transactionId }) => transactionId)].map(details))
    })
  },
})
