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
    }
  /** It moved money, and not all of it can be read: stored as far as it is known, and an exception until somebody ends it. */
  | { readonly got: 'unclear'; readonly lineNumber: number; readonly entry: UnclearEntry }
  /** The lines that follow are of this statement. */
  | { readonly got: 'statement'; readonly lineNumber: number; readonly statement: StatementHead }
  /** To follow "line 12 ": "has no amount". */
  | { readonly got: 'fault'; readonly lineNumber: number; readonly fault: string }

/** Whose statement it is, as far as the file says. */
export interface StatementHead {
  /** IBAN or account number of the bank account, without blanks. */
  readonly account?: string
  /** First and last day that it covers, as `2026-03-02`. */
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

/** What was read ahead, and then the rest. */
export async function* followed(head: string, parts: AsyncIterator<string>): AsyncGenerator<string> {
  yield head
  for (;;) {
    const next = await parts.next()
    if (next.done) return
    yield next.value
  }
}
