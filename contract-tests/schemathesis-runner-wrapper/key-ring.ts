import type { ExpiringKey, Keys, KeySource } from './options.ts'

/** A key that a request may contain, and the name of its scheme. */
export type NamedKey = readonly [name: string, value: string]

/** Sorts a key that contains another one before it. */
export const longestFirst = (keys: readonly NamedKey[]): readonly NamedKey[] =>
  keys.toSorted(([, one], [, other]) => other.length - one.length)

/** A key that expires sooner than this is not sent any more. */
const MARGIN_MS = 10_000

/** The keys of a run: fixed ones, and issued ones that are renewed before they expire. */
export class KeyRing {
  readonly #sources: Readonly<Record<string, KeySource>>
  readonly #current = new Map<string, ExpiringKey>()
  readonly #issued: NamedKey[] = []
  readonly #now: () => number

  private constructor(sources: Readonly<Record<string, KeySource>>, now: () => number) {
    this.#sources = sources
    this.#now = now
  }

  /** Fetches every key once. @throws whatever a source throws */
  static async open(
    given: Readonly<Record<string, string | KeySource>>,
    now: () => number = Date.now,
  ): Promise<KeyRing> {
    const entries = Object.entries(given)
    const ring = new KeyRing(
      Object.fromEntries(entries.flatMap(([name, key]) => (typeof key === 'function' ? [[name, key]] : []))),
      now,
    )
    for (const [name, key] of entries) ring.#put(name, typeof key === 'function' ? await key() : key)
    return ring
  }

  /** Replaces the keys of some schemes for the whole run. */
  replace(keys: Keys): void {
    for (const [name, key] of Object.entries(keys)) this.#put(name, key)
  }

  get keys(): Keys {
    return Object.fromEntries([...this.#current].map(([name, { value }]) => [name, value]))
  }

  /** Every key that was ever sent. */
  get issued(): readonly NamedKey[] {
    return this.#issued
  }

  get hasEnds(): boolean {
    return [...this.#current.values()].some(({ expiresAt }) => expiresAt !== undefined)
  }

  /** Renews keys that are about to expire. @returns a function that replaces all earlier keys in a text */
  async renewed(): Promise<(text: string) => string> {
    for (const [name, { expiresAt }] of this.#current) {
      const source = this.#sources[name]
      if (source && expiresAt !== undefined && expiresAt - MARGIN_MS <= this.#now()) this.#put(name, await source())
    }
    const { keys } = this
    const issued = longestFirst(this.#issued.filter(([name]) => name in this.#sources))
    if (issued.length === 0) return (text) => text
    // In one pass: a new key may contain an old one.
    const anyIssued = new RegExp(issued.map(([, value]) => value.replaceAll(/\W/g, '\\$&')).join('|'), 'g')
    const current = new Map(issued.map(([name, value]) => [value, keys[name] ?? value]))
    return (text) => text.replaceAll(anyIssued, (value) => current.get(value) ?? value)
  }

  #put(name: string, key: string | ExpiringKey): void {
    const fresh = typeof key === 'string' ? { value: key } : key
    this.#current.set(name, fresh)
    if (!this.#issued.some(([known, value]) => known === name && value === fresh.value))
      this.#issued.push([name, fresh.value])
  }
}
