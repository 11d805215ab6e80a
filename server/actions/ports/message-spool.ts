import type { Reception } from './rail-callbacks.ts'

/** What is in the spool of this process, and what has been since it started. */
export interface SpoolFigures {
  /** Messages of operators that are not in the database yet. */
  readonly messages: number
  readonly bytes: number
  /** When the oldest file that waits was begun, in milliseconds: no message in it came earlier. */
  readonly oldestAt: number | undefined
  readonly spooled: number
  readonly replayed: Readonly<Record<Reception, number>>
  /** Records that were damaged, and such that were not written to their end. */
  readonly corrupt: number
  readonly torn: number
  /** Messages that could not be kept: they were not acknowledged. */
  readonly refused: number
  /** Why no message can be kept. */
  readonly fault: string | undefined
}
