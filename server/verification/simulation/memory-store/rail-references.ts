import {
  OUR_REFERENCE,
  QUESTION_REFERENCE,
  QUESTIONS_MAX,
  type OrderNames,
  type RailReference,
  type RailReferenceWrites,
} from '../../../actions/ports/rail-references.ts'
import type { NamedOrder } from './world.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

const keyOf = ({ transactionId, name, reference }: RailReference): string => `${transactionId}:${name}:${reference}`
const isConfirmed = ({ origin = 'message' }: RailReference): boolean => origin !== 'message'

/** As storage/rail-references.ts. */
export const railReferenceStatements = (unit: MemoryUnitOfWork): RailReferenceWrites => ({
  addRailReferences: (references, now) =>
    unit.about(references, undefined, 'write', 'addRailReferences', async () => {
      for (const reference of references) {
        const key = keyOf(reference)
        await unit.railReferences.lock(key)
        const known = unit.railReferences.get(key)
        if (!known) unit.railReferences.put(key, { ...reference, recordedAt: now })
        else if (!isConfirmed(known) && isConfirmed(reference))
          unit.railReferences.put(key, { ...known, ...reference, recordedAt: known.recordedAt })
      }
      for (const { transactionId, name } of references)
        if (name === QUESTION_REFERENCE) await forgetOldQuestions(unit, transactionId)
    }),

  railReferences: (transactionIds) =>
    unit.about(transactionIds, new Map(), 'read', 'railReferences', () => {
      const named = unit.railReferences.values().filter(({ transactionId }) => transactionIds.includes(transactionId))
      const byOrder = Map.groupBy(named, ({ transactionId }) => transactionId)
      return new Map([...byOrder].map(([id, rows]) => [id, namesIn(rows)]))
    }),
})

async function forgetOldQuestions(unit: MemoryUnitOfWork, of: bigint): Promise<void> {
  const questions = unit.railReferences
    .values()
    .filter(({ transactionId, name }) => transactionId === of && name === QUESTION_REFERENCE)
  for (const old of byTime(questions).slice(0, -QUESTIONS_MAX)) await unit.railReferences.write(keyOf(old), undefined)
}

const byTime = (rows: readonly NamedOrder[]): readonly NamedOrder[] =>
  rows.toSorted((a, b) => a.recordedAt.getTime() - b.recordedAt.getTime())

function namesIn(rows: readonly NamedOrder[]): OrderNames {
  const latest = byTime(rows)
  const ours = latest.findLast(({ name }) => name === OUR_REFERENCE)
  const external = latest
    .filter(({ name }) => name !== OUR_REFERENCE && name !== QUESTION_REFERENCE)
    .toSorted((a, b) => Number(a.origin === 'call') - Number(b.origin === 'call'))
  const chosen = new Map(external.map((row) => [row.name, row]))
  const origins = [...chosen.values()].flatMap(({ name, origin }) => (origin ? [[name, origin] as const] : []))
  const questions = latest.filter(({ name }) => name === QUESTION_REFERENCE).map(({ reference }) => reference)
  return {
    externalIds: Object.fromEntries([...chosen].map(([name, { reference }]) => [name, reference])),
    ...(origins.length > 0 && { origins: Object.fromEntries(origins) }),
    ...(questions.length > 0 && { questions }),
    ...(ours && { orderedAt: ours.recordedAt }),
  }
}
