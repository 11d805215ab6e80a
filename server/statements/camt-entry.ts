import { money } from '../domain/money.ts'
import type { StatementLine } from '../domain/statement-line.ts'
import { written } from './amount.ts'
import { amountsOf, type EntryAmounts } from './camt-amounts.ts'
import { amountIn, directionOf, EntryDoubt, firstName, signed, statusOf } from './camt-fields.ts'
import type { StatementFormat } from './format.ts'
import { REFERENCE_MAX, referenceFromOurs, type StatementReading, type UnclearEntry } from './reading.ts'
import { timeReader, type ReadTime } from './time.ts'
import { all, textIn, type Element } from './xml-element.ts'

/** The currency of the account, if the statement names it. */
interface EntryPlace {
  readonly lineNumber: number
  readonly accountCurrency?: string
  readonly statusReason: (status: string) => string
}

/** Reads the lines of an entry: one, or one for each of the transactions that a bank has batched in it. */
export function entryReadings(entry: Element, place: EntryPlace, format: StatementFormat): readonly StatementReading[] {
  const { lineNumber } = place
  const status = statusOf(entry)
  if (status.toUpperCase() !== 'BOOK') return [passedOver(lineNumber, place.statusReason(status))]
  try {
    const amount = amountIn(entry, 'Amt', format.currency)
    if (!amount) throw new EntryDoubt('has no Amt')
    if ('foreign' in amount) {
      const { accountCurrency: own } = place
      if (own !== undefined && own !== format.currency)
        return [{ ...passedOver(lineNumber, `in ${own}, and not in ${format.currency}`), isMisfit: true }]
      throw new EntryDoubt(`is not in ${format.currency}, the currency of the rail account: ${amount.foreign}`, true)
    }
    if (amount.minor === 0n) return [passedOver(lineNumber, `of amount ${written(0n, format.currency)}`)]
    return linesOf(entry, amount.minor, format, lineNumber)
  } catch (error) {
    if (!(error instanceof EntryDoubt)) throw error
    const unclear = { got: 'unclear', lineNumber, entry: knownOf(entry, format, error.message) } as const
    return [error.isMisfit ? { ...unclear, isMisfit: true } : unclear]
  }
}

const passedOver = (lineNumber: number, reason: string) => ({ got: 'passed_over', lineNumber, reason }) as const

function linesOf(
  entry: Element,
  minor: bigint,
  format: StatementFormat,
  lineNumber: number,
): readonly StatementReading[] {
  const time = bookedAt(entry, format)
  const direction = directionOf(entry)
  const details = detailsOf(entry)
  const amounts = amountsOf(entry, details, signed(direction, minor), format)
  const lines = amounts.parts.map(({ movedMinor, feeMinor }, index) => {
    const names = namesOf(entry, details[index], amounts.parts.length > 1 ? `/${index + 1}` : '')
    const isOut = movedMinor === 0n ? direction === 'out' : movedMinor < 0n
    return lineOf(names, time, { movedMinor, feeMinor, direction: isOut ? 'out' : 'in' }, format)
  })
  const common = lineOfAll(entry, lines, amounts, time, format)
  const moving = lines.filter(({ amount, fee }) => amount.amountMinor > 0n || fee)
  const readings = [...moving, ...common].map((line): StatementReading => ({ got: 'line', lineNumber, line }))
  const fees = amounts.foreign.map((fee): StatementReading => {
    const { reference, ourReference, bookedOn } = knownOf(entry, format, '')
    const known = {
      ...(reference && { reference }),
      ...(ourReference && { ourReference }),
      ...(bookedOn && { bookedOn }),
    }
    return {
      got: 'unclear',
      lineNumber,
      entry: { ...known, why: `has a fee of ${fee}, which is not in ${format.currency}` },
    }
  })
  return [...readings, ...fees]
}

const detailsOf = (entry: Element): readonly Element[] => all(entry, 'NtryDtls').flatMap((each) => all(each, 'TxDtls'))

interface Names {
  readonly reference?: string
  readonly ourReference?: string
}

/**
 * @param detail the transaction, if there is one
 * @param place its position in the entry, for when only the entry has a reference
 */
function namesOf(entry: Element, detail: Element | undefined, place: string): Names {
  const own = detail ? [detail, ...all(detail, 'Refs')] : []
  // A longer value is not an id of ours.
  const text = firstName([...own, entry], ['EndToEndId', 'InstrId'])
  const ourReference = text !== undefined && text.length <= REFERENCE_MAX ? text : undefined
  const ofEntry = firstName([entry], ['AcctSvcrRef', 'NtryRef'])
  const reference =
    firstName(own, ['AcctSvcrRef', 'TxId']) ??
    (ofEntry === undefined ? undefined : `${ofEntry}${place}`) ??
    (ourReference === undefined ? undefined : referenceFromOurs(ourReference))
  return { ...(reference !== undefined && { reference }), ...(ourReference !== undefined && { ourReference }) }
}

function lineOf(
  { reference, ourReference }: Names,
  { at, day }: ReadTime,
  moved: { readonly movedMinor: bigint; readonly feeMinor: bigint; readonly direction: 'in' | 'out' },
  { currency }: StatementFormat,
): StatementLine {
  const { movedMinor, feeMinor, direction } = moved
  if (reference === undefined) throw new EntryDoubt('has no AcctSvcrRef, TxId, NtryRef or EndToEndId')
  if (reference.length > REFERENCE_MAX) throw new EntryDoubt(`has a name of more than ${REFERENCE_MAX} characters`)
  return {
    reference,
    ...(ourReference !== undefined && { ourReference }),
    at,
    bookedOn: day,
    direction,
    amount: money(movedMinor < 0n ? -movedMinor : movedMinor, currency),
    ...(feeMinor > 0n && { fee: money(feeMinor, currency) }),
  }
}

/** A charge for several transactions together becomes a line of its own and belongs to none of them. */
function lineOfAll(
  entry: Element,
  [first]: readonly StatementLine[],
  { feeMinor }: EntryAmounts,
  time: ReadTime,
  format: StatementFormat,
): readonly StatementLine[] {
  if (feeMinor === 0n) return []
  const reference = firstName([entry], ['AcctSvcrRef', 'NtryRef']) ?? first?.reference
  return [
    lineOf(
      { ...(reference !== undefined && { reference }) },
      time,
      { movedMinor: 0n, feeMinor, direction: 'out' },
      format,
    ),
  ]
}

/** Reads as much of an entry as possible. */
function knownOf(entry: Element, format: StatementFormat, why: string): UnclearEntry {
  const details = detailsOf(entry)
  const { reference, ourReference } = namesOf(entry, details.length === 1 ? details[0] : undefined, '')
  const day = ifRead(() => bookedAt(entry, format).day)
  const direction = ifRead(() => directionOf(entry))
  const amount = ifRead(() => amountIn(entry, 'Amt', format.currency))
  return {
    ...(reference !== undefined && reference.length <= REFERENCE_MAX && { reference }),
    ...(ourReference !== undefined && { ourReference }),
    ...(day !== undefined && { bookedOn: day }),
    ...(direction !== undefined && { direction }),
    ...(amount && 'minor' in amount && { amount: money(amount.minor, format.currency) }),
    why,
  }
}

function ifRead<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof EntryDoubt) return undefined
    throw error
  }
}

/** Uses the value date only if there is no booking date. */
function bookedAt(entry: Element, { timeZone }: StatementFormat): ReadTime {
  const readTime = timeReader('ymd', timeZone)
  for (const date of [...all(entry, 'BookgDt'), ...all(entry, 'ValDt')]) {
    const read = [textIn(date, 'DtTm'), textIn(date, 'Dt'), date.text.trim()].map((text) => text && readTime(text))
    const time = read.find((each) => each !== undefined && each !== '')
    if (time) return time
  }
  throw new EntryDoubt('has no BookgDt with a time or a day that can be read')
}
