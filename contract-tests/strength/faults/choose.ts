import { createHash } from 'node:crypto'
import type { Fault } from './fault.ts'

/** A seeded selection of the faults. */
export function seeded(faults: readonly Fault[], seed: number, count: number): readonly Fault[] {
  const rank = ({ name }: Fault): string => createHash('sha256').update(`${seed} ${name}`).digest('hex')
  return faults.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1)).slice(0, count)
}

/** At most so many faults, from all groups in turn; the same ones for the same seed. */
export function spread(faults: readonly Fault[], seed: number, count: number): readonly Fault[] {
  const groups = [...Map.groupBy(faults, ({ group }) => group).values()].map((each) => seeded(each, seed, count))
  return Array.from({ length: count }, (_, turn) => groups.flatMap((each) => each[turn] ?? []))
    .flat()
    .slice(0, count)
}
