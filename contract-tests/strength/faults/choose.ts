import { createHash } from 'node:crypto'
import type { Fault } from './fault.ts'

/** Some of the faults, the same ones for the same seed. */
export function seeded(faults: readonly Fault[], seed: number, count: number): readonly Fault[] {
  const rank = ({ name }: Fault): string => createHash('sha256').update(`${seed} ${name}`).digest('hex')
  return faults.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1)).slice(0, count)
}

/** So many of all groups, in turn; the same ones for the same seed. */
export function spread(faults: readonly Fault[], seed: number, count: number): readonly Fault[] {
  const groups = [...Map.groupBy(faults, ({ group }) => group).values()].map((each) => seeded(each, seed, count))
  return Array.from({ length: count }, (_, turn) => groups.flatMap((each) => each[turn] ?? []))
    .flat()
    .slice(0, count)
}
