/** Beyond this distance, the typed word was not meant to be the other. */
const DISTANCE_MAX = 3

/** ` Did you mean "listen"?`, or nothing when no candidate is close. */
export function didYouMean(given: string, candidates: readonly string[]): string {
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(given.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= nearTo(candidate))
    .toSorted((one, other) => one.distance - other.distance)
  return best ? ` Did you mean "${best.candidate}"?` : ''
}

/** A short word allows fewer typing errors. */
const nearTo = ({ length }: string): number => Math.min(DISTANCE_MAX, Math.max(1, Math.floor((length - 1) / 3)))

/**
 * How many letters must be inserted, deleted, substituted or transposed with the next (optimal string alignment),
 * computed row by row of the table.
 */
function distanceOf(one: string, other: string): number {
  let before: number[] = []
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 0; row < one.length; row++) {
    const line = [row + 1]
    for (let at = 0; at < other.length; at++) {
      const changed = (above[at] ?? 0) + (one[row] === other[at] ? 0 : 1)
      const isSwap = at > 0 && one[row] === other[at - 1] && one[row - 1] === other[at]
      const swapped = isSwap ? (before[at - 1] ?? 0) + 1 : Infinity
      line.push(Math.min(changed, swapped, (above[at + 1] ?? 0) + 1, (line[at] ?? 0) + 1))
    }
    before = above
    above = line
  }
  return above.at(-1) ?? 0
}
