import { coalesce } from './coalesce.ts'

/** Whom somebody asks for. */
export type MerchantAsked = { readonly id: bigint } | { readonly publicKey: string }

export interface Identified {
  readonly id: bigint
  readonly publicKey: string
}

export interface MerchantCacheOptions<Entry extends Identified> {
  /** One statement for all of them. One answer each, in their order; undefined: there is no such merchant. */
  readonly read: (asked: readonly MerchantAsked[]) => Promise<readonly (Entry | undefined)[]>
  /** More than this are not kept: of those the one that nobody asked for the longest goes first. */
  readonly entriesMax: number
}

export interface MerchantCache<Entry extends Identified> {
  /** From memory, or with one statement for all who ask at the same time. Rejects with what `read` rejects with. */
  find(asked: MerchantAsked): Promise<Entry | undefined>
  /**
   * Of these something was changed: what is known of them is not given to anybody who asks from now on, nor is what a
   * statement brings that runs already, for it may have looked before the change.
   */
  forget(changed: ReadonlySet<bigint> | 'all'): void
}

/** A tick of parsing, not more: other requests wait meanwhile. */
const BATCH_MAX = 100
const RUNS_MAX = 2
/** As a request waits for what it looks up. */
const WAIT_MS = 5_000
/** Ours have 36 characters; what strangers send instead is neither kept nor looked up. */
const PUBLIC_KEY_MAX = 200

/** What was told to be changed while a statement ran. */
interface Reading {
  changed: Set<bigint> | 'all'
}

/**
 * Merchants that were asked for lately. One that does not exist is not remembered: keys that somebody makes up displace
 * none that exist.
 */
export function createMerchantCache<Entry extends Identified>(
  options: MerchantCacheOptions<Entry>,
): MerchantCache<Entry> {
  const kept = new LatestEntries<Entry>(options.entriesMax)
  const running = new Set<Reading>()
  const asking = new Map<string, Promise<Entry | undefined>>()

  const ask = coalesce<MerchantAsked, Entry | undefined>({
    batchMax: BATCH_MAX,
    runsMax: RUNS_MAX,
    waitMs: WAIT_MS,
    splitOn: () => false,
    async run(asked) {
      const reading: Reading = { changed: new Set() }
      running.add(reading)
      try {
        const found = await options.read(asked)
        for (const entry of found) if (entry && !mayBeOld(reading, entry)) kept.keep(entry)
        return found
      } finally {
        running.delete(reading)
      }
    },
  })

  function askOnce(asked: MerchantAsked): Promise<Entry | undefined> {
    const name = nameOf(asked)
    const others = asking.get(name)
    if (others) return others
    const answer = ask(asked).finally(() => {
      if (asking.get(name) === answer) asking.delete(name)
    })
    asking.set(name, answer)
    return answer
  }

  return {
    async find(asked) {
      const known = 'id' in asked ? kept.byId(asked.id) : kept.byPublicKey(asked.publicKey)
      if (known) return known
      if ('publicKey' in asked && asked.publicKey.length > PUBLIC_KEY_MAX) return undefined
      return askOnce(asked)
    },
    forget(changed) {
      if (changed !== 'all' && changed.size === 0) return
      for (const reading of running) reading.changed = addedTo(reading.changed, changed)
      // Who asks from now on shares no answer of before.
      asking.clear()
      if (changed === 'all') kept.clear()
      else for (const id of changed) kept.drop(id)
    },
  }
}

const nameOf = (asked: MerchantAsked): string => ('id' in asked ? `id ${asked.id}` : `key ${asked.publicKey}`)

const mayBeOld = ({ changed }: Reading, { id }: Identified): boolean => changed === 'all' || changed.has(id)

const addedTo = (before: Reading['changed'], changed: ReadonlySet<bigint> | 'all'): Reading['changed'] =>
  before === 'all' || changed === 'all' ? 'all' : new Set([...before, ...changed])

/** The entries that were asked for last, by id and by public key. */
class LatestEntries<Entry extends Identified> {
  readonly #max: number
  /** A Map keeps the order in which its keys came: the first is the one that nobody asked for the longest. */
  readonly #entries = new Map<bigint, Entry>()
  readonly #ids = new Map<string, bigint>()

  constructor(max: number) {
    this.#max = max
  }

  byId(id: bigint): Entry | undefined {
    const entry = this.#entries.get(id)
    if (!entry) return undefined
    this.#entries.delete(id)
    this.#entries.set(id, entry)
    return entry
  }

  byPublicKey(publicKey: string): Entry | undefined {
    const id = this.#ids.get(publicKey)
    return id === undefined ? undefined : this.byId(id)
  }

  keep(entry: Entry): void {
    this.drop(entry.id)
    this.#entries.set(entry.id, entry)
    this.#ids.set(entry.publicKey, entry.id)
    if (this.#entries.size <= this.#max) return
    for (const [oldest] of this.#entries) return this.drop(oldest)
  }

  drop(id: bigint): void {
    const entry = this.#entries.get(id)
    if (!entry) return
    this.#entries.delete(id)
    this.#ids.delete(entry.publicKey)
  }

  clear(): void {
    this.#entries.clear()
    this.#ids.clear()
  }
}
