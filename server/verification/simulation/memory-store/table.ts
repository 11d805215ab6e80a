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
export class Table<Key, Row> extends Map<Key, Row> {
  readonly locks = new Map<Key, LockHolder>()
  /** Maintains an index. */
  private readonly onChange: ((key: Key, before: Row | undefined, after: Row | undefined) => void) | undefined

  constructor(onChange?: (key: Key, before: Row | undefined, after: Row | undefined) => void) {
    super()
    this.onChange = onChange
  }

  /** A row that the caller knows to exist: its key comes from this database. */
  existing(key: Key): NonNullable<Row> {
    return present(this.get(key), 'a row')
  }

  put(key: Key, row: Row | undefined): void {
    this.onChange?.(key, this.get(key), row)
    if (row === undefined) this.delete(key)
    else this.set(key, row)
  }
}

/**
 * A table as one unit sees it: the committed rows, with its own changes, which no other unit sees before the commit.
 */
class Overlay<Key, Row> {
  private readonly table: Table<Key, Row>
  private readonly unit: LockHolder
  private changes: Map<Key, Row | undefined> | undefined
  private held: Key[] | undefined

  constructor(table: Table<Key, Row>, unit: LockHolder) {
    this.table = table
    this.unit = unit
  }

  get(key: Key): Row | undefined {
    return this.changes?.has(key) ? this.changes.get(key) : this.table.get(key)
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

  /**
   * The committed rows, with the changes of this unit.
   * @param committed an index of the table: rows of the unit that do not belong to it are returned too
   */
  values(committed: ReadonlyMap<Key, Row> = this.table): Row[] {
    const { changes } = this
    if (!changes) return [...committed.values()]
    const others = [...committed].flatMap(([key, row]) => (changes.has(key) ? [] : [row]))
    return [...others, ...[...changes.values()].filter((row) => row !== undefined)]
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

  /** Replaces a row under its lock. */
  async write(key: Key, row: Row | undefined): Promise<void> {
    await this.lock(key)
    this.put(key, row)
  }

  /** Replaces a row that the caller knows to exist by what becomes of it. */
  async change(key: Key, to: (row: NonNullable<Row>) => Row): Promise<void> {
    await this.lock(key)
    this.put(key, to(this.existing(key)))
  }

  /** Writes a row unless its key is taken. @returns whether it was free */
  async claim(key: Key, row: Row): Promise<boolean> {
    await this.lock(key)
    if (this.get(key) !== undefined) return false
    this.put(key, row)
    return true
  }

  /** Locks them one after the other, in this order. */
  async lockAll(keys: readonly Key[]): Promise<void> {
    for (const key of keys) await this.lock(key)
  }

  apply(): void {
    if (this.changes) for (const [key, row] of this.changes) this.table.put(key, row)
  }

  unlock(): void {
    if (this.held) for (const key of this.held) this.table.locks.delete(key)
  }
}

/** A database as one unit sees it; the unit has a field for each table. */
export abstract class Overlays<World> implements LockHolder {
  readonly tables: World
  abstract readonly waitsFor: LockHolder | undefined
  abstract readonly waiters: (() => void)[]
  private readonly overlays: Pick<Overlay<unknown, unknown>, 'apply' | 'unlock'>[] = []

  protected constructor(tables: World) {
    this.tables = tables
  }

  abstract waitFor(holder: LockHolder): Promise<void>

  protected over<Key, Row>(table: Table<Key, Row>): Overlay<Key, Row> {
    const overlay = new Overlay(table, this)
    this.overlays.push(overlay)
    return overlay
  }

  protected applyAll(): void {
    for (const overlay of this.overlays) overlay.apply()
  }

  protected unlockAll(): void {
    for (const overlay of this.overlays) overlay.unlock()
  }
}

/** Ascending: rows are locked in one order everywhere, so that no two units wait for each other. */
export const ascending = <Key extends bigint | string>(a: Key, b: Key): number => (a < b ? -1 : Number(a > b))
