import { present } from '../../../domain/present.ts'
import { seeded, type Random } from '../seeded.ts'

/** This many faults of the kinds in random order; no kind repeats before all kinds have come. */
export function drawFaults<Kind>(kinds: readonly Kind[], faults: number, seed: number): readonly Kind[] {
  const random = seeded(seed, 'order')
  const drawn: Kind[] = []
  while (drawn.length < faults && kinds.length > 0) drawn.push(...shuffled(kinds, random))
  return drawn.slice(0, faults)
}

function shuffled<Value>(values: readonly Value[], random: Random): readonly Value[] {
  const left = [...values]
  return values.map(() => present(left.splice(Math.floor(random() * left.length), 1)[0], 'one that is left'))
}
