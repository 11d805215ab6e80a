import { OUR_REFERENCE, type OrderNames, type RailReference, type Unit } from '../../actions/ports/unit.ts'
import type { NamedOrder } from './rows.ts'
import type { Step } from './step.ts'
import type { UnitOfWork } from './unit-of-work.ts'

const ADD: Step = { what: 'addRailReferences', kind: 'write' }
const READ: Step = { what: 'railReferences', kind: 'read' }

const keyOf = ({ transactionId, name, reference }: RailReference): string => `${transactionId}:${name}:${reference}`

/** As storage/rail-references.ts. */
export const railReferenceStatements = (unit: UnitOfWork): Pick<Unit, 'addRailReferences' | 'railReferences'> => ({
  async addRailReferences(references, now) {
    if (references.length === 0) return
    await unit.statement(ADD, async () => {
      for (const reference of references) {
        const key = keyOf(reference)
        await unit.railReferences.lock(key)
        if (!unit.railReferences.get(key)) unit.railReferences.put(key, { ...reference, recordedAt: now })
      }
    })
  },

  async railReferences(transactionIds) {
    if (transactionIds.length === 0) return new Map()
    return unit.statement(READ, () => {
      const own = [...unit.railReferences.own().values()].filter((row) => row !== undefined)
      const all = [...unit.tables.railReferences.rows.values(), ...own]
      return new Map(
        [...Map.groupBy(all, ({ transactionId }) => transactionId)]
          .filter(([id]) => transactionIds.includes(id))
          .map(([id, rows]) => [id, namesIn(rows)]),
      )
    })
  },
})

function namesIn(rows: readonly NamedOrder[]): OrderNames {
  const latest = rows.toSorted((a, b) => a.recordedAt.getTime() - b.recordedAt.getTime())
  const ours = latest.findLast(({ name }) => name === OUR_REFERENCE)
  const theirs = latest.filter(({ name }) => name !== OUR_REFERENCE).map(({ name, reference }) => [name, reference])
  return { theirs: Object.fromEntries(theirs) as OrderNames['theirs'], ...(ours && { orderedAt: ours.recordedAt }) }
}
