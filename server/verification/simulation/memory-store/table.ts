import { present } from '../../../domain/present.ts'

/** A unit that can lock rows, and wait for another that holds a lock. */
export interface LockHolder {
  /** The unit whose end it waits for. */
  readonly waitsFor: LockHolder | undefined
  /** Called when it ends. */
  readonly waiters: (() => void)[]
  waitFor(holder: LockHolder): Promise<void>
}

/**
 * The committed rows of one table by their key, and which unit has locked which. Rows are never changed, only replaced.
 */
export class Table<Key, Row> {
  readonly rows = new Map<Key, Row>()
  readonly locks = new Map<Key, LockHolder>()
  /** Maintains an index. */
  private readonly onChange: ((key: Key, before: Row | undefined, after: Row | undefined) => void) | undefined

  constructor(onChange?: (key: Key, before: Row | undefined, after: Row | undefined) => void) {
    this.onChange = onChange
  }

  /** A row that the caller knows to exist: its key comes from this database. */
  existing(key: Key): NonNullable<Row> {
    return present(this.rows.get(key), 'a row')
  }

  put(key: Key, row: Row | undefined): void {
    this.onChange?.(key, this.rows.get(key), row)
    if (row === undefined) this.rows.delete(key)
    else this.rows.set(key, row)
  }
}

/**
 * A table as one unit sees it: the committed rows, with its own changes, which no other unit sees before the commit.
 */
export class Overlay<Key, Row> {
  private readonly table: Table<Key, Row>
  private readonly unit: LockHolder
  private changes: Map<Key, Row | undefined> | undefined
  private held: Key[] | undefined

  constructor(table: Table<Key, Row>, unit: LockHolder) {
    this.table = table
    this.unit = unit
  }

  get(key: Key): Row | undefined {
    return this.changes?.has(key) ? this.changes.get(key) : this.table.rows.get(key)
  }

  /** A row that the caller knows to exist: it has read it before, or the key comes from this database. */
  existing(key: Key): NonNullable<Row> {
    return present(this.get(key), 'a row')
  }

  /** The writer must hold the row's lock. */
  put(key: Key, row: Row | undefined): void {
    if (this.table.locks.get(key) !== this.unit) throw new Error('a row was written without its lock')
    this.changes ??= new Map()
    this.changes.set(key, row)
  }

  /** The changes of this unit so far. */
  own(): ReadonlyMap<Key, Row | undefined> {
    return this.changes ?? NOTHING
  }

  /** Another unit that has locked it. */
  holder(key: Key): LockHolder | undefined {
    const holder = this.table.locks.get(key)
    return holder === this.unit ? undefined : holder
  }

  /** Locks it until the unit ends. Waits for the holder: whatever was read before must be read again. */
  async lock(key: Key): Promise<void> {
    for (let holder = this.holder(key); holder; holder = this.holder(key)) await this.unit.waitFor(holder)
    if (this.table.locks.get(key) === this.unit) return
    this.table.locks.set(key, this.unit)
    this.held ??= []
    this.held.push(key)
  }

  apply(): void {
    if (this.changes) for (const [key, row] of this.changes) this.table.put(key, row)
  }

  unlock(): void {
    if (this.held) for (const key of this.held) this.table.locks.delete(key)
  }
}

const NOTHING: ReadonlyMap<never, never> = new Map<never, never>()
