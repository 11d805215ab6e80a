import type { StatementLine } from '../domain/statement-line.ts'

/** What stands at one place of a statement. */
export type Reading =
  | { readonly got: 'line'; readonly lineNumber: number; readonly line: StatementLine }
  /** It moved no money, or is none of ours. Counted by reason, to follow "9 ": "with status Pending". */
  | {
      readonly got: 'passed_over'
      readonly lineNumber: number
      readonly reason: string
      /** The operator has taken this movement back: a line of that name, where one is known, is no longer true. */
      readonly reversalOf?: string
      readonly isMisfit?: true
    }
  /** It moved money, and not all of it can be read: stored as far as it is known, and an exception until somebody ends it. */
  | {
      readonly got: 'unclear'
      readonly lineNumber: number
      readonly entry: UnclearEntry
      readonly isMisfit?: true
    }
  /** The lines that follow are of this statement. */
  | { readonly got: 'statement'; readonly lineNumber: number; readonly statement: StatementHead }
  /** To follow "line 12 ": "has no amount". */
  | { readonly got: 'fault'; readonly lineNumber: number; readonly fault: string }

/** Whose statement it is, as far as the file says. */
export interface StatementHead {
  /** IBAN or account number of the bank account, without blanks. */
  readonly account?: string
  /** First and last day that it covers, as `2026-03-02`; as `2026-03-02T12:00:00` where it covers a part of that day. */
  readonly from?: string
  readonly to?: string
}

/** An entry of which only a part can be read. Whatever is there is as in a line. */
export interface UnclearEntry {
  readonly reference?: string
  readonly ourReference?: string
  readonly bookedOn?: string
  readonly direction?: StatementLine['direction']
  /** As the entry has it, charges or not. */
  readonly amount?: StatementLine['amount']
  /** To follow "the entry ": "has charges of 26.00 that do not add up". Repeats no account number. */
  readonly why: string
}

/** From here on nothing of the file can be understood. */
export class UnreadableStatement extends Error {
  override readonly name = 'UnreadableStatement'
  /** Absent: it is about the file as a whole. */
  readonly lineNumber: number | undefined

  constructor(message: string, lineNumber?: number, cause?: unknown) {
    super(message, { cause })
    this.lineNumber = lineNumber
  }
}

/** Longer names than this are no names. */
export const REFERENCE_MAX = 200

/**
 * What stands for the operator's name of a movement where there is none. No bank's reference is marked so, and the same
 * entry in another file gets the same.
 */
export const referenceFromOurs = (ourReference: string): string => `e2e:${ourReference}`

/** What may be a number of somebody, in groups too. */
const NUMBER_OF_SOMEBODY = /\d{5,}|\d(?:[ ().-]{0,3}\d){8,}/g

export const withoutNumbers = (text: string): string => text.replaceAll(NUMBER_OF_SOMEBODY, '…')

/** A word of the file, for messages: cut short, and without what may be a number of somebody. */
export const excerpt = (text: string): string =>
  withoutNumbers(
    text
      .replaceAll(/[\p{C}\s]+/gu, ' ')
      .trim()
      .slice(0, 40),
  )

/** What has another word in each entry is no status: the rest is counted together. */
const STATUSES_MAX = 20

/** Why an entry with a status is passed over, to follow its count. */
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
 * Refuses a file of which no line is ours, but entries that look as if the file, or a setting, were another
 * installation's: one such entry among others is an exception or passed over.
 * @throws UnreadableStatement
 */
export async function* refusingMisfits(readings: AsyncIterable<Reading>): AsyncGenerator<Reading> {
  let lines = 0
  let misfit: Reading | undefined
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

/** What was read ahead, and then the rest. */
export async function* followed<Part>(head: Part, parts: AsyncIterator<Part>): AsyncGenerator<Part> {
  yield head
  for (;;) {
    const next = await parts.next()
    if (next.done) return
    yield next.value
  }
}
