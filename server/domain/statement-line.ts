import type { Money } from './money.ts'

/** A line of an operator's own books. */
export interface StatementLine {
  /** The operator's name of the movement: a receipt, a transaction id. */
  readonly reference: string
  /** What of ours the line carries, where it does: an order id or what the rail sent in its place. */
  readonly ourReference?: string
  readonly at: Date
  /** The booking day in the statement's own zone, `2026-03-02`; the value day only where there is no other. */
  readonly bookedOn?: string
  /** In: money came to us. */
  readonly direction: 'in' | 'out'
  /** Zero: it tells a fee of the movement with the same reference, and nothing else. */
  readonly amount: Money
  readonly fee?: Money
  readonly account?: string
}
