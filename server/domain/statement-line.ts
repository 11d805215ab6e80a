import type { Money } from './money.ts'

/** A line of an operator's statement. */
export interface StatementLine {
  /** The operator's id of the movement: a receipt, a transaction id. */
  readonly reference: string
  /** Our reference in the line, if it has one: an order id or what the rail sent in its place. */
  readonly ourReference?: string
  readonly at: Date
  /** The booking day in the statement's own time zone, `2026-03-02`; the value day only if there is no other. */
  readonly bookedOn?: string
  /** `in`: money that we received. */
  readonly direction: 'in' | 'out'
  /** Zero: the line has only a fee, of the movement with the same reference. */
  readonly amount: Money
  readonly fee?: Money
  readonly account?: string
}
