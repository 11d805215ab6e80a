import { sum, type Charge } from './camt-charges.ts'
import type { ChargesInAmount } from './format.ts'

/** One transaction of an entry: its stated amount, positive for money in, and its charges. */
interface SumPart {
  readonly minor: bigint
  readonly charges: readonly Charge[]
}

/** An entry with one interpretation of its amounts. */
export interface EntrySums {
  readonly entryMinor: bigint
  readonly parts: readonly SumPart[]
  /** The charges of the entry as a whole. */
  readonly charges: readonly Charge[]
}

export interface EntrySolution {
  /** The amount without charges, positive for money in, and the bank's fee. */
  readonly parts: readonly { readonly movedMinor: bigint; readonly feeMinor: bigint }[]
  /** The bank's fee for several transactions together. */
  readonly feeMinor: bigint
  /** The amounts alone prove which of them include the charges. */
  readonly isProven: boolean
}

/** Charges of one place with the same indicator: an amount includes all of them, or none. */
interface Group {
  readonly isOfEntry: boolean
  readonly isIncluded: boolean | undefined
  readonly takenMinor: bigint
}

/**
 * Finds the charges that explain the difference between the amounts of the transactions and the amount of the entry:
 * the entry must be the sum of the transactions less exactly these. The other charges are already included in the
 * amounts, or taken separately.
 * @returns `unsaid` where the sums fit and nothing says which; undefined where they do not fit, or fit in several ways
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
  // With several transactions, nobody knows which amounts include how much of it.
  if (!isOne && ofEntry !== 0n) return undefined
  const feeMinor = taken(sums.charges)
  const parts = sums.parts.map(({ minor, charges }) => ({
    movedMinor: minor + inAmount(false, charges) + (isOne ? ofEntry : 0n),
    feeMinor: taken(charges) + (isOne ? feeMinor : 0n),
  }))
  // The charges in an amount exceed the amount.
  if (parts.some(({ movedMinor }, index) => movedMinor * (sums.parts[index]?.minor ?? 0n) < 0n)) return undefined
  return { parts, feeMinor: isOne ? 0n : feeMinor, isProven: between.length > 0 }
}

const taken = (charges: readonly Charge[]): bigint => sum(charges.map(({ takenMinor }) => takenMinor))

/** At most six groups: groups that sum to zero are dropped, because they change no amount. */
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
