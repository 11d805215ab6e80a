import type { StatementLine } from '../domain/statement-line.ts'

/** What stands at one place of a statement. */
export type Reading =
  | { readonly got: 'line'; readonly lineNumber: number; readonly line: StatementLine }
  /** It moved no money: pending, declined. */
  | { readonly got: 'no_movement'; readonly lineNumber: number }
  /** To follow "line 12 ": "has no amount". */
  | { readonly got: 'fault'; readonly lineNumber: number; readonly fault: string }

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
