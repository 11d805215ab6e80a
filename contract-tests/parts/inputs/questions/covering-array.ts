/** A value for some factors: for each of them the index of one of its levels. */
type Tuple = readonly (readonly [factor: number, level: number])[]
/** One level for each factor; undefined where none is chosen yet. */
type PartialRow = readonly (number | undefined)[]

interface CoveringArrayOptions {
  /** The number of levels of each factor. */
  readonly levels: readonly number[]
  /** 2: every pair of levels of two factors stands in some row; 3: every triple. */
  readonly strength: 2 | 3
  /** From 0 to 1. */
  readonly random: () => number
  /** Whether these levels may stand together. Forbidden levels need an alternative in every row. */
  readonly isAllowed?: (row: PartialRow) => boolean
}

/**
 * A covering array by the greedy algorithm of AETG (Cohen et al., IEEE TSE 23/7, 1997): each row starts with a tuple
 * that no row has yet, and each further factor takes the level that covers most of the tuples left. The number of rows
 * grows with the logarithm of the number of factors, where all combinations would grow exponentially. covertable 2.5.2
 * leaves out allowed pairs where a level is forbidden: one of 15 in the test of it.
 */
export function coveringArray({
  levels,
  strength,
  random,
  isAllowed = () => true,
}: CoveringArrayOptions): readonly (readonly number[])[] {
  const size = Math.min(strength, levels.length)
  const open = new Map(
    subsets([...levels.keys()], size)
      .flatMap((factors) => tuplesOf(factors, levels))
      .filter((tuple) => isAllowed(rowOf(levels.length, tuple)))
      .map((tuple) => [keyOf(tuple), tuple]),
  )
  const rows: number[][] = []
  for (let [first] = open.values(); first !== undefined; [first] = open.values()) {
    const row = rowOf(levels.length, first)
    for (const factor of shuffled([...levels.keys()], random)) row[factor] ??= bestLevel(factor, row)
    const whole = row.map((level) => level ?? 0)
    for (const tuple of subsets([...whole.entries()], size)) open.delete(keyOf(tuple))
    rows.push(whole)
  }
  return rows

  /** The level that covers most open tuples; of several equal ones any. @throws Error when every level is forbidden */
  function bestLevel(factor: number, row: PartialRow): number {
    const chosen = [...row.entries()].filter((entry): entry is [number, number] => entry[1] !== undefined)
    const others = subsets(chosen, size - 1)
    const gainOf = (level: number): number =>
      others.filter((tuple) => open.has(keyOf([...tuple, [factor, level] as const]))).length
    const [best] = shuffled([...Array(levels[factor] ?? 0).keys()], random)
      .filter((level) => isAllowed(row.with(factor, level)))
      .map((level) => ({ level, gain: gainOf(level) }))
      .toSorted((one, other) => other.gain - one.gain)
    if (!best) throw new Error(`no level of factor ${factor} may stand beside ${JSON.stringify(row)}`)
    return best.level
  }
}

const keyOf = (tuple: Tuple): string =>
  tuple
    .toSorted(([one], [other]) => one - other)
    .map(([factor, level]) => `${factor}=${level}`)
    .join()

function rowOf(length: number, tuple: Tuple): (number | undefined)[] {
  const row = Array.from({ length }, (): number | undefined => undefined)
  for (const [factor, level] of tuple) row[factor] = level
  return row
}

function subsets<Item>(items: readonly Item[], size: number): Item[][] {
  if (size === 0) return [[]]
  return items.flatMap((item, index) => subsets(items.slice(index + 1), size - 1).map((rest) => [item, ...rest]))
}

const tuplesOf = (factors: readonly number[], levels: readonly number[]): readonly Tuple[] =>
  factors.reduce<readonly Tuple[]>(
    (tuples, factor) =>
      tuples.flatMap((tuple) =>
        [...Array(levels[factor] ?? 0).keys()].map((level): Tuple => [...tuple, [factor, level]]),
      ),
    [[]],
  )

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
}
