import type { Money } from '../../domain/money.ts'
import type { OrderType } from '../../domain/provider.ts'

/** An order whose money was moved as ordered, according to a line of the operator's statement. */
export interface StatementSettlement {
  readonly lineId: bigint
  readonly internalReference: string
  readonly type: OrderType
  /** The operator's id of the movement. */
  readonly receipt: string
  /** The source of the line: the name of the file, or the period that was pulled. */
  readonly statement: string
  readonly importId: bigint
  readonly lineNumber: bigint
  /** It has no result yet. */
  readonly isOpen: boolean
  /** What a customer has paid who started the payment. */
  readonly received?: { readonly amount: Money; readonly account?: string; readonly paidAt: Date }
}

/** Result of a reconciliation. */
export interface ReconciliationResult {
  /** The period for which the statements are assumed to be complete. */
  readonly from: Date
  readonly until: Date
  /** Lines that agree now and did not before. */
  readonly settledLines: number
  /** Lines without an order that are too recent to count as missing. */
  readonly waitingLines: bigint
  readonly opened: number
  readonly ended: number
  /** In minor units: the operator's fees that were not booked yet. */
  readonly feesMinor: bigint
}

/** The statements of one rail account, compared with the ledger. */
export interface Statements {
  readonly railAccount: string
  /** Finds the orders of lines that are not matched yet. */
  matchLines(): Promise<void>
  /** Orders without a result, or with a failure, that a line contradicts; each is reported once. */
  linesToReport(limit: number): Promise<readonly StatementSettlement[]>
  markReported(lines: readonly StatementSettlement[]): Promise<void>
  /** The name of an operator's receipt among the external ids of an order. */
  receiptName(type: StatementSettlement['type']): string
  /** Opens and closes exceptions, and books them. @returns undefined if there is no statement */
  judge(): Promise<ReconciliationResult | undefined>
}
