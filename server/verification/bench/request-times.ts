/**
 * Runs them one after the other.
 * @returns the duration of each, in milliseconds
 */
export async function timesOf(count: number, request: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n += 1) {
    const start = performance.now()
    await request()
    times.push(performance.now() - start)
  }
  return times
}

export interface Percentiles {
  readonly p50Ms: number
  readonly p99Ms: number
}

/** @returns the median and the 99th percentile */
export function percentilesOf(times: readonly number[]): Percentiles {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}
