/**
 * The longest time without an acceptance.
 * @param accepted the times of acceptance, in order, in milliseconds like `from` and `to`
 */
export function longestSilenceMs(accepted: readonly number[], from: number, to: number): number {
  const moments = [from, ...accepted.filter((at) => at > from && at < to), to]
  return Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? at)))
}
