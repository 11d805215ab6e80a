import type { StatementLine } from '../domain/statement-line.ts'

/** The result of reading one place of a statement. */
export type StatementReading =
  | { readonly got: 'line'; readonly lineNumber: number; readonly line: StatementLine }
  /** It moved no money, or is not ours. Counted by reason; the reason follows "9 ": "with status Pending". */
  | {
      readonly got: 'passed_over'
      readonly lineNumber: number
      readonly reason: string
      /** The operator has reversed this movement: a known line with that reference is no longer valid. */
      readonly reversalOf?: string
      readonly isMisfit?: true
    }
  /**
   * It moved money, but not all of it can be read: it is stored as far as it is known, and stays an exception until
   * somebody resolves it.
   */
  | {
      readonly got: 'unclear'
      readonly lineNumber: number
      readonly entry: UnclearEntry
      readonly isMisfit?: true
    }
  /** The following lines belong to this statement. */
  | { readonly got: 'statement'; readonly lineNumber: number; readonly statement: StatementHead }
  /** Follows "line 12 ": "has no amount". */
  | { readonly got: 'fault'; readonly lineNumber: number; readonly fault: string }

/** The account of the statement, as far as the file says. */
export interface StatementHead {
  /** IBAN or account number of the bank account, without blanks. */
  readonly account?: string
  /** First and last day of the period, as `2026-03-02`; as `2026-03-02T12:00:00` where it covers a part of that day. */
  readonly from?: string
  readonly to?: string
}

/** A partly readable entry. Present fields are as in a line. */
export interface UnclearEntry {
  readonly reference?: string
  readonly ourReference?: string
  readonly bookedOn?: string
  readonly direction?: StatementLine['direction']
  /** As stated in the entry, whether or not it includes charges. */
  readonly amount?: StatementLine['amount']
  /** Follows "the entry ": "has charges of 26.00 that do not add up". Repeats no account number. */
  readonly why: string
}

/** The file cannot be read beyond this point. */
export class UnreadableStatement extends Error {
  override readonly name = 'UnreadableStatement'
  /** Absent: the fault concerns the file as a whole. */
  readonly lineNumber: number | undefined

  constructor(message: string, lineNumber?: number, cause?: unknown) {
    super(message, { cause })
    this.lineNumber = lineNumber
  }
}

/** A longer value is not a reference. */
export const REFERENCE_MAX = 200

/**
 * Builds a substitute reference for a movement without one from the operator. No bank's reference has this form, and
 * the same entry in another file gets the same one.
 */
export const referenceFromOurs = (ourReference: string): string => `e2e:${ourReference}`

/** Digits that may be an account number, in groups too. */
const NUMBER_OF_SOMEBODY = /\d{5,}|\d(?:[ ().-]{0,3}\d){8,}/g

export const withoutNumbers = (text: string): string => text.replaceAll(NUMBER_OF_SOMEBODY, '…')

/** A word of the file, for messages: truncated, and without digits that may be an account number. */
export const excerpt = (text: string): string =>
  withoutNumbers(
    text
      .replaceAll(/[\p{C}\s]+/gu, ' ')
      .trim()
      .slice(0, 40),
  )

/** A column with a different word in each entry is not a status: further words are counted together. */
const STATUSES_MAX = 20

/** The reason for skipping an entry with a status; the text follows its count. */
export function reasonsOfStatus(): (status: string) => string {
  const known = new Set<string>()
  return (status) => {
    if (status === '') return 'with no status'
    const reason = `with status ${excerpt(status)}`
    if (known.size >= STATUSES_MAX && !known.has(reason)) return 'with another status'
    known.add(reason)
    return reason
  }
}

/**
 * Refuses a file without any line of ours whose entries suggest that the file belongs to another rail account, or that
 * a setting is wrong. If other lines are ours, such an entry is an exception or skipped.
 * @throws UnreadableStatement
 */
export async function* refusingMisfits(readings: AsyncIterable<StatementReading>): AsyncGenerator<StatementReading> {
  let lines = 0
  let misfit: StatementReading | undefined
  for await (const reading of readings) {
    if (reading.got === 'line') lines += 1
    if ((reading.got === 'unclear' || reading.got === 'passed_over') && reading.isMisfit) misfit ??= reading
    yield reading
  }
  if (lines > 0 || !misfit) return
  if (misfit.got === 'unclear') throw new UnreadableStatement(misfit.entry.why, misfit.lineNumber)
  if (misfit.got === 'passed_over')
    throw new UnreadableStatement(`is ${misfit.reason}, and no line of the file is`, misfit.lineNumber)
}

/** Yields the part that was read ahead, then the rest. */
export async function* followed<Part>(head: Part, parts: AsyncIterator<Part>): AsyncGenerator<Part> {
  yield head
  for (;;) {
    const next = await parts.next()
    if (next.done) return
    yield next.value
  }
}
