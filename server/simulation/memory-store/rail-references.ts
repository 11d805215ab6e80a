import type { RailReferences } from '../../actions/ports/rail.ts'
import type { RailReference, Unit } from '../../actions/ports/unit.ts'
import type { Step } from './step.ts'
import type { UnitOfWork } from './unit-of-work.ts'

const ADD: Step = { what: 'addRailReferences', kind: 'write' }
const READ: Step = { what: 'railReferences', kind: 'read' }

const keyOf = ({ transactionId, name, reference }: RailReference): string => `${transactionId}:${name}:${reference}`

/** As storage/rail-references.ts. */
export const railReferenceStatements = (
  unit: UnitOfWork,
): Pick<Unit, 'addRailReferences' | 'railReferences' | 'endRailCallback'> => ({
  async addRailReferences(references) {
    if (references.length === 0) return
    await unit.statement(ADD, async () => {
      for (const reference of references) {
        const key = keyOf(reference)
        await unit.railReferences.lock(key)
        if (!unit.railReferences.get(key)) unit.railReferences.put(key, reference)
      }
    })
  },

  // Simulated operators call by themselves only through their reports.
  endRailCallback: () => Promise.reject(new Error('no operator of the simulation sends messages')),

  async railReferences(transactionIds) {
    if (transactionIds.length === 0) return new Map()
    return unit.statement(READ, () => {
      const own = [...unit.railReferences.own().values()].filter((row) => row !== undefined)
      const all = [...unit.tables.railReferences.rows.values(), ...own]
      return new Map(
        transactionIds.flatMap((id): [bigint, RailReferences][] => {
          const names = all.filter(({ transactionId }) => transactionId === id).map((row) => [row.name, row.reference])
          return names.length > 0 ? [[id, Object.fromEntries(names) as RailReferences]] : []
        }),
      )
    })
  },
})
