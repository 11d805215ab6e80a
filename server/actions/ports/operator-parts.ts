/** An operator whose reply a part of a batch waits for. */
export interface Operator {
  /** The rail account that has the orders, or gets them now. */
  readonly railAccount: string
  /** Providers whose next orders go to it. */
  readonly providers: readonly string[]
}

/** A part of a batch, with its own commit. */
export interface Part {
  /** Absent: it waits for no operator. */
  readonly operator?: Operator
  run(): Promise<void>
}

/**
 * Runs the parts of a batch in parallel, and ends when all of them have. In the meantime other batches run the jobs of
 * other operators. @throws the first fault
 */
export type InParts = (parts: readonly Part[]) => Promise<void>
