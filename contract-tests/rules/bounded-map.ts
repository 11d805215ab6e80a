/** Above the payments of a nightly run. */
const ENTRIES_MAX = 200_000

/** What a rule remembers: when it is full, what comes later is not remembered, and so not judged. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #entriesMax: number

  constructor(entriesMax = ENTRIES_MAX) {
    super()
    this.#entriesMax = entriesMax
  }

  override set(key: Key, value: Value): this {
    return this.has(key) || this.size < this.#entriesMax ? super.set(key, value) : this
  }

  /** The value of a key, which is made at its first use. */
  of(key: Key, make: () => Value): Value {
    const value = this.get(key) ?? make()
    this.set(key, value)
    return value
  }
}
