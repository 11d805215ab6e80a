import { StorageUnavailable } from '../../../actions/ports/store.ts'
import { Booking } from './booking.ts'
import type { EventRow, MemoryWorld } from './world.ts'
import { Overlays, type LockHolder } from './table.ts'
import { Violation } from './violation.ts'

/** What a step of a process does in the database. */
export type StoreStep = 'read' | 'lock' | 'write' | 'commit' | 'commit_answer' | 'claim'

/** The connection on which a unit is open. */
export interface Session {
  readonly tables: MemoryWorld
  readonly open: Set<MemoryUnitOfWork>
  /** Resolves when the step may reach the database. */
  step(kind: StoreStep, what: string): Promise<void>
  alive(): Promise<void>
}

/**
 * One database transaction at isolation level read committed: it sees the commits of others and its own changes, and
 * its locks are held until it ends. An error inside it rolls all of it back at once, as in PostgreSQL.
 */
export class MemoryUnitOfWork extends Overlays<MemoryWorld> {
  readonly transactions = this.over(this.tables.transactions)
  readonly internalReferences = this.over(this.tables.internalReferences)
  readonly references = this.over(this.tables.references)
  readonly refunds = this.over(this.tables.refunds)
  readonly attempts = this.over(this.tables.attempts)
  readonly triedCollections = this.over(this.tables.triedCollections)
  readonly sessions = this.over(this.tables.sessions)
  readonly work = this.over(this.tables.work)
  readonly workKeys = this.over(this.tables.workKeys)
  readonly callbacks = this.over(this.tables.callbacks)
  readonly webhookIds = this.over(this.tables.webhookIds)
  readonly callbackAttempts = this.over(this.tables.callbackAttempts)
  readonly handshakes = this.over(this.tables.handshakes)
  readonly approvals = this.over(this.tables.approvals)
  readonly people = this.over(this.tables.people)
  readonly batches = this.over(this.tables.batches)
  readonly batchNames = this.over(this.tables.batchNames)
  readonly limits = this.over(this.tables.limits)
  readonly usage = this.over(this.tables.limitUsage)
  readonly accountUsage = this.over(this.tables.accountUsage)
  readonly idempotencyKeys = this.over(this.tables.idempotencyKeys)
  readonly railReferences = this.over(this.tables.railReferences)
  readonly payerReferences = this.over(this.tables.payerReferences)
  readonly payoutWaits = this.over(this.tables.payoutWaits)
  readonly floats = this.over(this.tables.floats)
  readonly railCallbacks = this.over(this.tables.railCallbacks)
  readonly railCallbackKeys = this.over(this.tables.railCallbackKeys)
  readonly accountMessages = this.over(this.tables.accountMessages)
  readonly accountMessageKeys = this.over(this.tables.accountMessageKeys)
  readonly unrequested = this.over(this.tables.unrequested)
  readonly expected = this.over(this.tables.expected)
  readonly typedReferences = this.over(this.tables.typedReferences)
  readonly events: Omit<EventRow, 'id'>[] = []
  readonly booking = new Booking(this.tables)

  private readonly connection: Session
  private state: 'open' | 'failed' | 'ended_by_database' | 'ended' = 'open'
  /** Whether a statement of it has reached the database. */
  private begun = false
  private busy = false
  waitsFor: LockHolder | undefined
  private wake: (() => void) | undefined
  readonly waiters: (() => void)[] = []

  constructor(connection: Session) {
    super(connection.tables)
    this.connection = connection
    connection.open.add(this)
  }

  /** Whether it waits for a lock that another unit holds: then the scheduler is not asked for a step. */
  get waitsForLock(): boolean {
    return this.waitsFor !== undefined
  }

  /** Runs one statement when the scheduler lets it; a failed statement rolls back the whole unit. */
  async statement<T>(kind: StoreStep, what: string, run: () => T | Promise<T>): Promise<T> {
    if (this.busy) throw new Error(`${what} began while another statement of its unit was under way`)
    this.busy = true
    try {
      this.mustBeOpen()
      this.begun = true
      await this.connection.step(kind, what)
      this.mustBeOpen()
      return await run()
    } catch (error) {
      if (this.state === 'open') this.end('failed')
      throw error
    } finally {
      this.busy = false
    }
  }

  /** A statement about some rows. Without any, nothing reaches the database. */
  async about<T>(
    rows: readonly unknown[],
    none: T,
    kind: StoreStep,
    what: string,
    run: () => T | Promise<T>,
  ): Promise<T> {
    return rows.length === 0 ? none : this.statement(kind, what, run)
  }

  /** The same for a statement that writes something for each of them. */
  writeEach<Item>(what: string, items: readonly Item[], each: (item: Item) => void | Promise<void>): Promise<void> {
    return this.about(items, undefined, 'write', what, async () => {
      for (const item of items) await each(item)
    })
  }

  /**
   * Waits until another unit has ended.
   * @throws StorageUnavailable when that unit waits for this one: a deadlock, in which one of them must be aborted
   */
  async waitFor(holder: LockHolder): Promise<void> {
    for (let next: LockHolder | undefined = holder; next; next = next.waitsFor) {
      if (next === this) throw new StorageUnavailable(new Error('deadlock detected (40P01)'))
    }
    this.waitsFor = holder
    await new Promise<void>((resolve) => {
      this.wake = resolve
      holder.waiters.push(resolve)
    })
    this.waitsFor = undefined
    this.wake = undefined
    await this.connection.alive()
    this.mustBeOpen()
  }

  async commit(): Promise<void> {
    this.mustBeOpen()
    if (!this.begun && this.booking.isEmpty()) return this.end('ended')
    try {
      await this.connection.step('commit', 'commit')
    } catch (error) {
      this.rollback()
      throw unavailable(error)
    }
    this.mustBeOpen()
    this.commitNow()
    await this.answered()
  }

  /**
   * Commits everything at once, or nothing.
   * @throws WalletTooLow, Violation
   */
  commitNow(): void {
    try {
      this.booking.check()
    } catch (error) {
      this.end('failed')
      throw error
    }
    this.booking.apply()
    this.applyAll()
    for (const event of this.events) this.tables.events.push({ ...event, id: this.tables.nextId() })
    this.end('ended')
  }

  /** From here on it is committed, whether or not the reply arrives. */
  async answered(): Promise<void> {
    try {
      await this.connection.step('commit_answer', 'commit')
    } catch (error) {
      throw unavailable(error)
    }
  }

  rollback(): void {
    if (this.state === 'open') this.end('ended')
  }

  /** PostgreSQL ends it, as it ends a session that was idle for too long: its next statement fails. */
  abort(): void {
    if (this.state !== 'open') return
    this.end('ended_by_database')
    this.wake?.()
  }

  private end(state: 'failed' | 'ended_by_database' | 'ended'): void {
    this.state = state
    this.waitsFor = undefined
    this.connection.open.delete(this)
    this.unlockAll()
    for (const wake of this.waiters) wake()
  }

  private mustBeOpen(): void {
    switch (this.state) {
      case 'open':
        return
      case 'ended_by_database':
        throw new StorageUnavailable(new Error('terminating connection due to idle-in-transaction timeout (25P03)'))
      case 'failed':
        throw new Violation('25P02', 'current transaction is aborted, commands ignored until end of transaction block')
      case 'ended':
        throw new Error('a statement of a unit that has ended')
    }
  }
}

const unavailable = (error: unknown): StorageUnavailable =>
  error instanceof StorageUnavailable ? error : new StorageUnavailable(error)
