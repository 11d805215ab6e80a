import type { TransactionWrites } from '../../../actions/ports/transactions.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

/** As storage/transactions.ts. */
export const eventStatements = (unit: MemoryUnitOfWork): Pick<TransactionWrites, 'addEvents' | 'eventDetails'> => ({
  addEvents: (events, now) =>
    unit.writeEach('addEvents', events, ({ transactionId, kind, detail }) => {
      unit.events.push({ transactionId, at: now, kind, detail })
    }),

  eventDetails: (kind, transactionIds) =>
    unit.about(transactionIds, new Map(), 'read', 'eventDetails', () => {
      const found = [...unit.tables.events, ...unit.events].filter(
        (event) => event.kind === kind && transactionIds.includes(event.transactionId),
      )
      const details = ([id, events]: readonly [bigint, typeof found]) =>
        [id, events.map(({ detail }) => detail)] as const
      return new Map([...Map.groupBy(found, ({ transactionId }) => transactionId)].map(details))
    }),
})
