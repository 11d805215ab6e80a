import type { Reception } from './rail-callbacks.ts'

/** Counters of this process's spool: what it holds now, and totals since the process started. */
export interface SpoolFigures {
  /** Operator messages that are not in the database yet. */
  readonly messages: number
  readonly bytes: number
  /** Start time of the oldest waiting file, in milliseconds: no message in it is older. */
  readonly oldestAt: number | undefined
  readonly spooled: number
  readonly replayed: Readonly<Record<Reception, number>>
  /** Records that were damaged or written incompletely. */
  readonly corrupt: number
  readonly torn: number
  /** Messages that could not be stored: they were not acknowledged. */
  readonly refused: number
  /** Why no message can be stored. */
  readonly fault: string | undefined
}
