/** An order whose money a line of its operator's statement has moved, as it was ordered. */
export interface ToldByLine {
  readonly lineId: bigint
  readonly internalReference: string
  readonly type: 'COLLECTION' | 'PAYOUT'
  /** The operator's name of the movement. */
  readonly receipt: string
  /** Where the line stands: the name of the file, or the period that was pulled. */
  readonly statement: string
  readonly importId: bigint
  readonly lineNumber: bigint
  /** It has no result yet. */
  readonly isOpen: boolean
}

/** What a reconciliation came to. */
export interface Reconciled {
  /** The statements are taken to be complete between these. */
  readonly from: Date
  readonly until: Date
  /** Lines that agree now, and did not before. */
  readonly settledLines: number
  /** Lines without an order, too young to be missed. */
  readonly waitingLines: bigint
  readonly opened: number
  readonly ended: number
  /** In minor units: what the operator took, as far as it was not booked yet. */
  readonly feesMinor: bigint
}

/** The statements of one installation, held against the book. */
export interface Statements {
  /** Finds the orders of lines that have none yet. */
  matchLines(): Promise<void>
  /** Orders without a result, or with a failure, that a line says otherwise of; each is told once. */
  linesToTell(limit: number): Promise<readonly ToldByLine[]>
  markTold(lines: readonly ToldByLine[]): Promise<void>
  /** What an operator's receipt is called among the names of an order. */
  receiptName(type: ToldByLine['type']): string
  /** Opens and ends exceptions, and books. @returns undefined where there is no statement */
  judge(): Promise<Reconciled | undefined>
}
