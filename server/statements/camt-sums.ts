import { sum, type Charge } from './camt-charges.ts'
import type { ChargesInAmount } from './format.ts'

/** One transaction of an entry: what it says that it moved, above zero where it came in, and its charges. */
export interface SumPart {
  readonly minor: bigint
  readonly charges: readonly Charge[]
}

/** An entry, as one way to read it has its amounts. */
export interface EntrySums {
  readonly entryMinor: bigint
  readonly parts: readonly SumPart[]
  /** Those of the entry as a whole. */
  readonly charges: readonly Charge[]
}

export interface EntrySolution {
  /** What was paid, without charges, above zero where it came in; and what the bank took for it. */
  readonly parts: readonly { readonly movedMinor: bigint; readonly feeMinor: bigint }[]
  /** What the bank took for all of several together. */
  readonly feeMinor: bigint
  /** The amounts themselves show where the charges are. */
  readonly isProven: boolean
}

/** Charges of one place that say the same of themselves: all of them are in an amount, or none is. */
interface Group {
  readonly isOfEntry: boolean
  readonly isIncluded: boolean | undefined
  readonly takenMinor: bigint
}

/**
 * Finds out which charges stand between the amounts of the transactions and the amount of the entry: the entry must be
 * the sum of the transactions less exactly these. What is not between is in the amounts already, or taken beside them.
 * @returns `unsaid` where the sums fit and nothing says which; undefined where they do not fit, or in several ways
 */
export function solve(sums: EntrySums, setting: ChargesInAmount | undefined): EntrySolution | 'unsaid' | undefined {
  const groups = groupsOf(sums)
  const missing = sum(sums.parts.map(({ minor }) => minor)) - sums.entryMinor
  const fitting = subsetsOf(groups).filter((subset) => sum(subset.map(({ takenMinor }) => takenMinor)) === missing)
  const [between] = fitting
  if (!between || fitting.length > 1) return undefined
  const isBetween = (isOfEntry: boolean, { isIncluded }: Charge): boolean =>
    between.some((group) => group.isOfEntry === isOfEntry && group.isIncluded === isIncluded)
  const outside = groups.filter((group) => !between.includes(group))
  if (setting === undefined && outside.some(({ isIncluded }) => isIncluded === undefined)) return 'unsaid'
  const inAmount = (isOfEntry: boolean, charges: readonly Charge[]): bigint =>
    sum(
      charges
        .filter((charge) => !isBetween(isOfEntry, charge) && (charge.isIncluded ?? setting === 'included'))
        .map(({ takenMinor }) => takenMinor),
    )
  const ofEntry = inAmount(true, sums.charges)
  const isOne = sums.parts.length === 1
  // Of several transactions nobody knows how much of it is in the amount of which.
  if (!isOne && ofEntry !== 0n) return undefined
  const feeMinor = taken(sums.charges)
  const parts = sums.parts.map(({ minor, charges }) => ({
    movedMinor: minor + inAmount(false, charges) + (isOne ? ofEntry : 0n),
    feeMinor: taken(charges) + (isOne ? feeMinor : 0n),
  }))
  // More charges in an amount than it is.
  if (parts.some(({ movedMinor }, index) => movedMinor * (sums.parts[index]?.minor ?? 0n) < 0n)) return undefined
  return { parts, feeMinor: isOne ? 0n : feeMinor, isProven: between.length > 0 }
}

const taken = (charges: readonly Charge[]): bigint => sum(charges.map(({ takenMinor }) => takenMinor))

/** At most six: without those that come to nothing, which are nowhere. */
function groupsOf({ parts, charges }: EntrySums): readonly Group[] {
  const places = [
    { isOfEntry: false, charges: parts.flatMap((part) => part.charges) },
    { isOfEntry: true, charges },
  ]
  return places.flatMap((place) =>
    [true, false, undefined].flatMap((isIncluded) => {
      const takenMinor = taken(place.charges.filter((charge) => charge.isIncluded === isIncluded))
      return takenMinor === 0n ? [] : [{ isOfEntry: place.isOfEntry, isIncluded, takenMinor }]
    }),
  )
}

const subsetsOf = (groups: readonly Group[]): readonly (readonly Group[])[] =>
  groups.reduce<readonly (readonly Group[])[]>(
    (subsets, group) => [...subsets, ...subsets.map((subset) => [...subset, group])],
    [[]],
  )
