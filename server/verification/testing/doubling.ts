/** A linear cost doubles with its input, a quadratic one quadruples; page faults and caches add to both. */
export const DOUBLED_COST_MAX = 3

/** From this cost on a ratio is meaningful. */
const MEASURABLE_MS = 10
const START_CHARACTERS = 64
const MEASUREMENTS = 4
/** Other load can make one comparison wrong, and hardly all of them. */
const ATTEMPTS = 6

/**
 * How many times more processor time an input of twice the length takes. The length is doubled until the cost can be
 * measured; a cost that cannot be measured at `max` characters counts as linear, because a quadratic one takes seconds.
 */
export function doubledCost(
  run: (text: string) => unknown,
  textOf: (characters: number) => string,
  max: number,
): number {
  for (let characters = START_CHARACTERS; characters <= max; characters *= 2) {
    const whole = textOf(characters)
    if (costOf(run, whole) < MEASURABLE_MS) continue
    let ratio = Infinity
    // One good attempt is enough.
    for (let attempt = 0; attempt < ATTEMPTS && ratio > DOUBLED_COST_MAX; attempt += 1)
      ratio = Math.min(ratio, ratioOf(run, textOf(characters / 2), whole))
    if (ratio > DOUBLED_COST_MAX) return ratio
  }
  return 1
}

/** Caches and the garbage collector only ever add cost: the minimum of several measurements is closest to the truth. */
function ratioOf(run: (text: string) => unknown, half: string, whole: string): number {
  let [leastHalf, leastWhole] = [Infinity, Infinity]
  for (let measurement = 0; measurement < MEASUREMENTS; measurement += 1) {
    leastHalf = Math.min(leastHalf, costOf(run, half))
    leastWhole = Math.min(leastWhole, costOf(run, whole))
  }
  return leastWhole < MEASURABLE_MS ? 1 : leastWhole / leastHalf
}

/** In milliseconds of this thread's processor time: other load on the machine does not count. */
export function costOf(run: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage()
  run(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
