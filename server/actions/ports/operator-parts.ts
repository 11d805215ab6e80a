/** Somebody outside whose answer a part of a batch waits for. */
export interface Operator {
  /** It has the orders already, or gets them now. */
  readonly installation: string
  /** Whose next orders go to it. */
  readonly providers: readonly string[]
}

/** A part of a batch, with a commit of its own. */
export interface Part {
  /** Absent: it waits for nobody who might be slow. */
  readonly operator?: Operator
  run(): Promise<void>
}

/**
 * Runs the parts of a batch at the same time, and ends when all of them have. Meanwhile the work of other operators goes
 * on in other batches. @throws the first fault
 */
export type InParts = (parts: readonly Part[]) => Promise<void>
