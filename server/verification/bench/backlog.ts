/** How many payments were accepted and not yet finished, at one moment of a run. */
export interface BacklogSample {
  readonly atMs: number
  readonly accepted: number
  readonly finished: number
}

/** What a backlog may grow by before it counts, in seconds of the offered load: a hiccup of the machine is not growth. */
const GROWTH_SECONDS_MAX = 0.4

/**
 * Whether more payments are accepted than finished. Compares medians of the thirds of a run, which a short pause of the
 * machine does not move: the backlog grows when each third has more than the one before, and the last much more than
 * the first.
 */
export function backlogGrows(samples: readonly BacklogSample[], offeredPerSecond: number): boolean {
  const third = Math.floor(samples.length / 3)
  if (third === 0) return false
  const [first, second, last] = [0, 1, 2].map((index) =>
    middleOf(samples.slice(index * third, (index + 1) * third).map(({ accepted, finished }) => accepted - finished)),
  ) as [number, number, number]
  return first < second && second < last && last - first > GROWTH_SECONDS_MAX * offeredPerSecond
}

/** @returns how many were finished per second between the first sample and the last */
export function finishedPerSecond(samples: readonly BacklogSample[]): number {
  const [first, last] = [samples[0], samples.at(-1)]
  return first && last ? ((last.finished - first.finished) * 1000) / (last.atMs - first.atMs) : Number.NaN
}

const middleOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
