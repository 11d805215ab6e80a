import { coalesce } from './coalesce.ts'

/** How a caller identifies a merchant. */
export type MerchantKey = { readonly id: bigint } | { readonly publicKey: string }

interface MerchantIdentity {
  readonly id: bigint
  readonly publicKey: string
}

interface MerchantCacheOptions<Entry extends MerchantIdentity> {
  /** Reads all of them in one statement. Returns one result each, in order; undefined: there is no such merchant. */
  readonly read: (queried: readonly MerchantKey[]) => Promise<readonly (Entry | undefined)[]>
  /** Maximum number of cached entries; the least recently used one is evicted first. */
  readonly entriesMax: number
}

export interface MerchantCache<Entry extends MerchantIdentity> {
  /**
   * Returns the cached entry, or reads it with one statement for all concurrent callers. Rejects with what `read`
   * rejects with.
   */
  find(queried: MerchantKey): Promise<Entry | undefined>
  /**
   * Invalidates the entries of these merchants. Later callers get neither the cached entry nor the result of a
   * statement that is already running, because its snapshot may predate the change.
   */
  forget(changed: ReadonlySet<bigint> | 'all'): void
}

/** Parsing a batch blocks the event loop for one tick at most. */
const BATCH_MAX = 100
const RUNS_MAX = 2
/** The same timeout as for the other lookups of a request. */
const WAIT_MS = 5_000
/** Our keys have 36 characters; longer input from third parties is neither cached nor looked up. */
const PUBLIC_KEY_MAX = 200

/** The invalidations that arrived while a statement ran. */
interface PendingRead {
  changed: Set<bigint> | 'all'
}

/**
 * Caches recently used merchants. A merchant that does not exist is not cached, so made-up keys evict no real entries.
 */
export function createMerchantCache<Entry extends MerchantIdentity>(
  options: MerchantCacheOptions<Entry>,
): MerchantCache<Entry> {
  const kept = new LatestEntries<Entry>(options.entriesMax)
  const running = new Set<PendingRead>()
  const querying = new Map<string, Promise<Entry | undefined>>()

  const query = coalesce<MerchantKey, Entry | undefined>({
    batchMax: BATCH_MAX,
    runsMax: RUNS_MAX,
    waitMs: WAIT_MS,
    splitOn: () => false,
    async run(queried) {
      const reading: PendingRead = { changed: new Set() }
      running.add(reading)
      try {
        const found = await options.read(queried)
        for (const entry of found) if (entry && !mayBeOld(reading, entry)) kept.keep(entry)
        return found
      } finally {
        running.delete(reading)
      }
    },
  })

  function queryOnce(queried: MerchantKey): Promise<Entry | undefined> {
    const name = nameOf(queried)
    const others = querying.get(name)
    if (others) return others
    const answer = query(queried).finally(() => {
      if (querying.get(name) === answer) querying.delete(name)
    })
    querying.set(name, answer)
    return answer
  }

  return {
    async find(queried) {
      const known = 'id' in queried ? kept.byId(queried.id) : kept.byPublicKey(queried.publicKey)
      if (known) return known
      if ('publicKey' in queried && queried.publicKey.length > PUBLIC_KEY_MAX) return undefined
      return queryOnce(queried)
    },
    forget(changed) {
      if (changed !== 'all' && changed.size === 0) return
      for (const reading of running) reading.changed = addedTo(reading.changed, changed)
      // Later callers must not share a result from before the change.
      querying.clear()
      if (changed === 'all') kept.clear()
      else for (const id of changed) kept.drop(id)
    },
  }
}

const nameOf = (queried: MerchantKey): string => ('id' in queried ? `id ${queried.id}` : `key ${queried.publicKey}`)

const mayBeOld = ({ changed }: PendingRead, { id }: MerchantIdentity): boolean => changed === 'all' || changed.has(id)

const addedTo = (before: PendingRead['changed'], changed: ReadonlySet<bigint> | 'all'): PendingRead['changed'] =>
  before === 'all' || changed === 'all' ? 'all' : new Set([...before, ...changed])

/** The most recently used entries, by id and by public key. */
class LatestEntries<Entry extends MerchantIdentity> {
  readonly #max: number
  /** A Map keeps insertion order: the first entry is the least recently used one. */
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
