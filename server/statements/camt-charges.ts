import type { Currency } from '../domain/money.ts'
import { written } from './amount.ts'
import { amountIn, directionOf, EntryDoubt } from './camt-fields.ts'
import { all, booleanIn, textIn, type Element } from './xml-element.ts'

/** The amount that the bank took; negative for what it gave back. */
export interface Charge {
  readonly takenMinor: bigint
  /** Whether the amount beside it includes it; undefined where the file does not say. */
  readonly isIncluded: boolean | undefined
}

export interface Charges {
  /** One interpretation, or two where nothing says whether the amounts include their tax. */
  readonly readings: readonly (readonly Charge[])[]
  /** Those in another currency: `1.12 CHF`. */
  readonly foreign: readonly string[]
}

interface ChargeRecord {
  readonly minor: bigint
  readonly taxMinor: bigint
  readonly sign: bigint
  readonly isIncluded: boolean | undefined
}

/**
 * Reads the charges of an element: records; or the element itself, because version 2 has no records; or only a total.
 * A total beside records is their sum, with or without taxes.
 * @throws EntryDoubt for invalid amounts, and for a total that differs from the sum
 */
export function chargesIn(holder: Element, currency: Currency): Charges {
  const records: ChargeRecord[] = []
  const totals: bigint[] = []
  const foreign: string[] = []
  for (const block of all(holder, 'Chrgs')) {
    const total = amountIn(block, 'TtlChrgsAndTaxAmt', currency)
    const elements = all(block, 'Rcrd').length > 0 ? all(block, 'Rcrd') : [block]
    const read = elements.map((element) => recorded(element, currency)).filter((each) => each !== undefined)
    const own = read.flatMap((each) => ('minor' in each ? [each] : []))
    const others = read.flatMap((each) => ('foreign' in each ? [each.foreign] : []))
    const isTotalOurs = total !== undefined && 'minor' in total && total.minor > 0n
    if (own.length === 0 && isTotalOurs) {
      // No records, or only records in another currency whose sum in ours is the total.
      records.push({ minor: total.minor, taxMinor: 0n, sign: signOf(block), isIncluded: saidBy([block, ...elements]) })
      continue
    }
    records.push(...own)
    foreign.push(...others)
    if (isTotalOurs && others.length === 0) totals.push(total.minor)
    if (total && 'foreign' in total && read.length === 0 && /[1-9]/.test(total.foreign)) foreign.push(total.foreign)
  }
  return { readings: taxesRead(records, totals, currency), foreign }
}

function recorded(element: Element, currency: Currency): ChargeRecord | { readonly foreign: string } | undefined {
  const amount = amountIn(element, 'Amt', currency)
  if (!amount) return undefined
  if ('foreign' in amount) return /[1-9]/.test(amount.foreign) ? amount : undefined
  const taxes = all(element, 'Tax').flatMap((tax) => amountIn(tax, 'Amt', currency) ?? [])
  const taxMinor = taxes.reduce((sum, tax) => sum + ('minor' in tax ? tax.minor : 0n), 0n)
  if (amount.minor === 0n && taxMinor === 0n) return undefined
  return {
    minor: amount.minor,
    taxMinor,
    sign: signOf(element),
    isIncluded: booleanIn(element, 'ChrgInclInd'),
  }
}

/** A charge is a debit, unless it says that it is a credit. */
const signOf = (element: Element): bigint =>
  textIn(element, 'CdtDbtInd') !== undefined && directionOf(element) === 'in' ? -1n : 1n

function saidBy(elements: readonly Element[]): boolean | undefined {
  const said = new Set(
    elements.map((element) => booleanIn(element, 'ChrgInclInd')).filter((each) => each !== undefined),
  )
  return said.size === 1 ? [...said][0] : undefined
}

function taxesRead(
  records: readonly ChargeRecord[],
  totals: readonly bigint[],
  currency: Currency,
): readonly (readonly Charge[])[] {
  const reading = (withTax: boolean): readonly Charge[] =>
    records.map(({ minor, taxMinor, sign, isIncluded }) => ({
      takenMinor: sign * (withTax ? minor + taxMinor : minor),
      isIncluded,
    }))
  const taxed = records.some(({ taxMinor }) => taxMinor > 0n)
  const readings = taxed ? [reading(false), reading(true)] : [reading(false)]
  if (totals.length === 0) return readings
  // In version 2 each of several charges may repeat the total of all.
  const [first = 0n] = totals
  const sums = new Set([sum(totals), ...(totals.every((total) => total === first) ? [first] : [])])
  const fitting = readings.filter((charges) => {
    const taken = sum(charges.map(({ takenMinor }) => takenMinor))
    return sums.has(taken < 0n ? -taken : taken)
  })
  if (fitting.length > 0) return fitting.slice(0, 1)
  throw new EntryDoubt(`has charges that do not add up to their total of ${written(sum(totals), currency)}`)
}

export const sum = (minors: readonly bigint[]): bigint => minors.reduce((total, minor) => total + minor, 0n)
