/** What became of what was acknowledged, counted on both sides. */
export interface Tally {
  /** Acknowledged, and not in the database. */
  readonly lost: readonly string[]
  /** Acknowledged once, and more than once in the database. */
  readonly doubled: readonly string[]
  /** The merchant was told of an end that the database knows nothing of. */
  readonly forgotten: readonly string[]
}

/** A payment as the database has it. */
export interface Stored {
  readonly merchant_reference: string
  readonly status: string
}

export interface Sides {
  readonly acknowledged: Iterable<string>
  /** By merchant reference: the final states that the merchant was told. */
  readonly told: Iterable<readonly [string, ReadonlyMap<string, unknown>]>
  readonly stored: readonly Stored[]
}

const OPEN = ['PENDING', 'PROCESSING']

/** @param sides the merchant's first: what happens in between is in the database alone */
export function tally({ acknowledged, told, stored }: Sides): Tally {
  const found = Map.groupBy(stored, ({ merchant_reference }) => merchant_reference)
  const timesOf = (reference: string) => found.get(reference)?.length ?? 0
  const references = [...acknowledged]
  const isForgotten = (reference: string) => found.get(reference)?.every(({ status }) => OPEN.includes(status)) ?? true
  return {
    lost: references.filter((reference) => timesOf(reference) === 0),
    doubled: references.filter((reference) => timesOf(reference) > 1),
    forgotten: [...told].filter(([reference]) => isForgotten(reference)).map(([reference]) => reference),
  }
}

/** The longest time without an acceptance. @param accepted when, in order, as `from` and `to` in milliseconds */
export function longestSilenceMs(accepted: readonly number[], from: number, to: number): number {
  const moments = [from, ...accepted.filter((at) => at > from && at < to), to]
  return Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? at)))
}
