import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '../usage.ts'
import type { Effects } from './effects.ts'

/** Receivers may reply first and do the work afterwards. */
const EFFECTS_WAIT_MS = 3_000
/** A duplicate effect may come a moment after the first one. */
const EFFECTS_REST_MS = 400
const POLL_EVERY_MS = 200

/** How often each order was fulfilled, as reported by the receiver; reports from before it died still count. */
export class FulfilmentLog {
  readonly #effects: Effects | undefined
  #reported: ReadonlyMap<string, number> = new Map()
  #reportedBeforeDeath: ReadonlyMap<string, number> = new Map()

  constructor(effects: Effects | undefined) {
    this.#effects = effects
  }

  /**
   * The first poll.
   * @throws UsageError when the reply is not such a page
   */
  async begin(): Promise<void> {
    if (this.#effects) this.#reported = await this.#effects.counts()
  }

  /** Absent without `--effects-url`. */
  get counts(): ReadonlyMap<string, number> | undefined {
    if (!this.#effects) return undefined
    const counts = new Map(this.#reported)
    for (const [reference, count] of this.#reportedBeforeDeath)
      counts.set(reference, Math.max(count, counts.get(reference) ?? 0))
    return counts
  }

  /** A receiver that keeps its orders in memory loses them when it restarts. */
  keep(): void {
    this.#reportedBeforeDeath = this.counts ?? new Map()
  }

  /** Polls again; for a named order, until it is fulfilled or the time is up. */
  async poll(awaited?: string): Promise<void> {
    const until = performance.now() + EFFECTS_WAIT_MS
    await this.#read()
    while (awaited !== undefined && this.#effects && !this.#reported.has(awaited) && performance.now() < until) {
      await sleep(POLL_EVERY_MS)
      await this.#read()
    }
  }

  /** The last poll: late effects have arrived by then. */
  async settle(): Promise<void> {
    if (!this.#effects) return
    await sleep(EFFECTS_REST_MS)
    await this.#read()
  }

  async #read(): Promise<void> {
    try {
      if (this.#effects) this.#reported = await this.#effects.counts()
    } catch (error) {
      // The page may die with the receiver: its earlier reports stay.
      if (!(error instanceof UsageError)) throw error
    }
  }
}
