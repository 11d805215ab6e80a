import { written } from './amount.ts'
import { chargesIn, sum, type Charge, type Charges } from './camt-charges.ts'
import { amountIn, directionOf, EntryDoubt, signed } from './camt-fields.ts'
import { solve, type EntrySums, type EntrySolution } from './camt-sums.ts'
import type { StatementFormat } from './format.ts'
import { elementAt, type Element } from './xml-element.ts'

/** The amounts of an entry by transaction, with the charges of each and of all. */
export interface EntryAmounts extends EntrySolution {
  /** Charges in another currency; their amount in ours is unknown. */
  readonly foreign: readonly string[]
}

/**
 * Determines the amounts of an entry with these transactions. Entry and transactions must add up with the charges.
 * Whether an amount includes charges follows from the amounts first, then from the charges' own indicators, then from
 * the setting.
 * @throws EntryDoubt where they do not add up, or nothing says which amounts include the charges
 */
export function amountsOf(
  entry: Element,
  details: readonly Element[],
  entryMinor: bigint,
  format: StatementFormat,
): EntryAmounts {
  const { currency } = format
  const ofEntry = chargesIn(entry, currency)
  const ofDetails = details.map((detail) => chargesIn(detail, currency))
  const { booked, instructed } = statedAmounts(entry, details, entryMinor, format)
  const { likely, possible } = chargesRead(ofEntry, ofDetails)
  const solved = (amounts: readonly Amounts[], readings: readonly ChargesReading[]) =>
    amounts.flatMap((minors) => readings.map((charges) => solve(sumsOf(entryMinor, minors, charges), format.charges)))
  const proven = solved([...booked, ...instructed], possible).filter((each) => each !== 'unsaid' && each?.isProven)
  // The instructed amount may exceed the received one, and charges may be listed twice: that alone proves nothing.
  const [found, other] = distinct(proven.length > 0 ? proven : solved(booked, likely))
  const [first] = likely
  const charges = first ? [...first.ofAll, ...first.ofParts.flat()] : []
  if (found === undefined || found === 'unsaid' || other !== undefined)
    throw new EntryDoubt(doubtOf(charges, found, other !== undefined, format))
  checkSolved(found)
  return { ...found, foreign: [...ofEntry.foreign, ...ofDetails.flatMap((each) => each.foreign)] }
}

/** One for each transaction, or one for an entry without any; positive for money in. */
type Amounts = readonly bigint[]

const OF_TRANSACTION = ['AmtDtls', 'TxAmt', 'Amt']
const INSTRUCTED = ['AmtDtls', 'InstdAmt', 'Amt']

function statedAmounts(entry: Element, details: readonly Element[], entryMinor: bigint, format: StatementFormat) {
  const direction = entryMinor < 0n ? 'out' : 'in'
  const stated = (holders: readonly Element[], ...paths: readonly (readonly string[])[]): readonly Amounts[] => {
    const minors = holders.map((holder) => {
      const minor = paths.map((path) => minorAt(holder, path, format)).find((each) => each !== undefined)
      return minor === undefined ? undefined : signed(ownDirection(holder) ?? direction, minor)
    })
    return minors.length > 0 && minors.every((minor) => minor !== undefined) ? [minors] : []
  }
  const booked = [...stated(details, ['Amt'], OF_TRANSACTION), ...stated(details, OF_TRANSACTION, ['Amt'])]
  const instructed = stated(details, INSTRUCTED)
  if (details.length < 2) {
    // A single transaction equals the entry: the entry's own details describe it as well.
    const ofEntry = [...stated([entry], OF_TRANSACTION), ...stated([entry], INSTRUCTED)]
    return { booked: booked.length > 0 ? booked : [[entryMinor]], instructed: [...instructed, ...ofEntry] }
  }
  if (booked.length > 0) return { booked, instructed }
  if (instructed.length > 0) return { booked: instructed, instructed: [] }
  throw new EntryDoubt('has several transactions, and not all with an amount')
}

/** In our currency; an unreadable amount counts as absent, because the sum of the entry shows what is missing. */
function minorAt(detail: Element, path: readonly string[], { currency }: StatementFormat): bigint | undefined {
  const holder = elementAt(detail, ...path.slice(0, -1))
  try {
    const amount = holder && amountIn(holder, path.at(-1) ?? '', currency)
    return amount && 'minor' in amount ? amount.minor : undefined
  } catch (error) {
    if (error instanceof EntryDoubt) return undefined
    throw error
  }
}

function ownDirection(detail: Element): 'in' | 'out' | undefined {
  return elementAt(detail, 'CdtDbtInd') && directionOf(detail)
}

/** The charges of the whole entry, and those of each transaction. */
interface ChargesReading {
  readonly ofAll: readonly Charge[]
  readonly ofParts: readonly (readonly Charge[])[]
}

function chargesRead(ofEntry: Charges, ofDetails: readonly Charges[]) {
  const isTaxed = [ofEntry, ...ofDetails].some(({ readings }) => readings.length > 1)
  const likely: ChargesReading[] = []
  const possible: ChargesReading[] = []
  for (const at of isTaxed ? [0, -1] : [0]) {
    const read = ({ readings }: Charges): readonly Charge[] => readings.at(at) ?? []
    const both: ChargesReading = { ofAll: read(ofEntry), ofParts: ofDetails.map(read) }
    const isRepeated = taken(both.ofAll) !== 0n && taken(both.ofAll) === taken(both.ofParts.flat())
    const once = isRepeated ? { ...both, ofAll: [] } : both
    likely.push(once)
    possible.push(both, ...(isRepeated ? [once] : []))
  }
  return { likely, possible }
}

const sumsOf = (entryMinor: bigint, minors: Amounts, { ofAll, ofParts }: ChargesReading): EntrySums => ({
  entryMinor,
  charges: ofAll,
  parts: minors.map((minor, index) => ({ minor, charges: ofParts[index] ?? [] })),
})

type Outcome = EntrySolution | 'unsaid'

/** Removes those that do not fit, and duplicates. */
function distinct(outcomes: readonly (Outcome | undefined)[]): readonly Outcome[] {
  const named = outcomes
    .filter((outcome) => outcome !== undefined)
    .map((outcome) => [JSON.stringify(outcome, (_key, value: unknown) => textOfMinor(value)), outcome] as const)
  return [...new Map(named).values()]
}

const textOfMinor = (value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

function doubtOf(
  charges: readonly Charge[],
  found: Outcome | undefined,
  isAmbiguous: boolean,
  { currency }: StatementFormat,
): string {
  if (charges.length === 0) return 'has transactions that do not sum to the amount of their entry'
  const named = `has charges of ${written(taken(charges), currency)}`
  if (isAmbiguous) return `${named} that can be read in several ways`
  return found === 'unsaid'
    ? `${named}, and does not say whether they are in its amount (statement_charges)`
    : `${named} that do not add up with its amount and its transactions`
}

function checkSolved({ parts, feeMinor }: EntrySolution): void {
  if (feeMinor < 0n || parts.some((part) => part.feeMinor < 0n)) throw new EntryDoubt('has charges below zero')
}

const taken = (charges: readonly Charge[]): bigint => sum(charges.map(({ takenMinor }) => takenMinor))
