import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '../usage.ts'
import type { Effects } from './effects.ts'

/** Receivers may answer first and work afterwards. */
const EFFECTS_WAIT_MS = 3_000
/** What is done twice may come a moment after what is done once. */
const EFFECTS_REST_MS = 400
const POLL_EVERY_MS = 200

/** How often each order was fulfilled, as far as the receiver tells it; what it told before it died still counts. */
export class FulfilmentLog {
  readonly #effects: Effects | undefined
  #told: ReadonlyMap<string, number> = new Map()
  #toldBeforeDeath: ReadonlyMap<string, number> = new Map()

  constructor(effects: Effects | undefined) {
    this.#effects = effects
  }

  /** The first look. @throws UsageError when what answers there is no such page */
  async begin(): Promise<void> {
    if (this.#effects) this.#told = await this.#effects.counts()
  }

  /** Absent without `--effects-url`. */
  get counts(): ReadonlyMap<string, number> | undefined {
    if (!this.#effects) return undefined
    const counts = new Map(this.#told)
    for (const [reference, count] of this.#toldBeforeDeath)
      counts.set(reference, Math.max(count, counts.get(reference) ?? 0))
    return counts
  }

  /** A receiver that kept its orders in memory comes back without them. */
  keep(): void {
    this.#toldBeforeDeath = this.counts ?? new Map()
  }

  /** Looks again; if an order is named, until it is fulfilled or the time is up. */
  async look(awaited?: string): Promise<void> {
    const until = performance.now() + EFFECTS_WAIT_MS
    await this.#read()
    while (awaited !== undefined && this.#effects && !this.#told.has(awaited) && performance.now() < until) {
      await sleep(POLL_EVERY_MS)
      await this.#read()
    }
  }

  /** The last look: what comes late has come. */
  async settle(): Promise<void> {
    if (!this.#effects) return
    await sleep(EFFECTS_REST_MS)
    await this.#read()
  }

  async #read(): Promise<void> {
    try {
      if (this.#effects) this.#told = await this.#effects.counts()
    } catch (error) {
      // The page may die with the receiver: what it said before stays.
      if (!(error instanceof UsageError)) throw error
    }
  }
}
