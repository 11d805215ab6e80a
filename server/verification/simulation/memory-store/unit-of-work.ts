import { StorageUnavailable } from '../../../actions/ports/store.ts'
import type { PaymentSession } from '../../../domain/payment-session.ts'
import { Booking } from './booking.ts'
import type {
  AccountUseRow,
  AttemptRow,
  CallbackRow,
  EventRow,
  KeyRow,
  NamedOrder,
  PayerReferenceRow,
  RailCallbackRow,
  TransactionRow,
  UsageRow,
  JobRow,
} from './rows.ts'
import type { Step } from './step.ts'
import { Overlay, type LockHolder } from './table.ts'
import { Violation } from './violation.ts'
import type { Tables } from './world.ts'

const COMMIT: Step = { what: 'commit', kind: 'commit' }
const COMMIT_ANSWER: Step = { what: 'commit', kind: 'commit_answer' }

/** The connection on which a unit is open. */
export interface Session {
  readonly tables: Tables
  readonly open: Set<MemoryUnitOfWork>
  /** Resolves when the step may reach the database. */
  step(step: Step): Promise<void>
  alive(): Promise<void>
}

/**
 * One database transaction at isolation level read committed: it sees the commits of others and its own changes, and
 * its
 * locks are held until it ends. An error inside it rolls all of it back at once, as in PostgreSQL.
 */
export class MemoryUnitOfWork implements LockHolder {
  readonly tables: Tables
  readonly transactions: Overlay<bigint, TransactionRow>
  readonly internalReferences: Overlay<string, bigint>
  readonly references: Overlay<string, bigint>
  readonly sessions: Overlay<bigint, PaymentSession>
  readonly work: Overlay<bigint, JobRow>
  readonly workKeys: Overlay<string, bigint>
  readonly callbacks: Overlay<bigint, CallbackRow>
  readonly webhookIds: Overlay<string, bigint>
  readonly callbackAttempts: Overlay<bigint, readonly AttemptRow[]>
  readonly handshakes: Overlay<bigint, readonly AttemptRow[]>
  readonly limits: Overlay<string, never>
  readonly usage: Overlay<string, UsageRow>
  readonly accountUsage: Overlay<string, AccountUseRow>
  readonly idempotencyKeys: Overlay<string, KeyRow>
  readonly railReferences: Overlay<string, NamedOrder>
  readonly payerReferences: Overlay<string, PayerReferenceRow>
  readonly railCallbacks: Overlay<bigint, RailCallbackRow>
  readonly railCallbackKeys: Overlay<string, bigint>
  readonly events: Omit<EventRow, 'id'>[] = []
  readonly booking: Booking
  private readonly overlays: readonly Pick<Overlay<unknown, unknown>, 'apply' | 'unlock'>[]

  private readonly connection: Session
  private state: 'open' | 'failed' | 'ended_by_database' | 'ended' = 'open'
  /** Whether a statement of it has reached the database. */
  private begun = false
  private busy = false
  waitsFor: LockHolder | undefined
  private wake: (() => void) | undefined
  readonly waiters: (() => void)[] = []

  constructor(connection: Session) {
    const { tables } = connection
    this.connection = connection
    this.tables = tables
    this.transactions = new Overlay(tables.transactions, this)
    this.internalReferences = new Overlay(tables.internalReferences, this)
    this.references = new Overlay(tables.references, this)
    this.sessions = new Overlay(tables.sessions, this)
    this.work = new Overlay(tables.work, this)
    this.workKeys = new Overlay(tables.workKeys, this)
    this.callbacks = new Overlay(tables.callbacks, this)
    this.webhookIds = new Overlay(tables.webhookIds, this)
    this.callbackAttempts = new Overlay(tables.callbackAttempts, this)
    this.handshakes = new Overlay(tables.handshakes, this)
    this.limits = new Overlay(tables.limits, this)
    this.usage = new Overlay(tables.usage, this)
    this.accountUsage = new Overlay(tables.accountUsage, this)
    this.idempotencyKeys = new Overlay(tables.idempotencyKeys, this)
    this.railReferences = new Overlay(tables.railReferences, this)
    this.payerReferences = new Overlay(tables.payerReferences, this)
    this.railCallbacks = new Overlay(tables.railCallbacks, this)
    this.railCallbackKeys = new Overlay(tables.railCallbackKeys, this)
    this.booking = new Booking(tables)
    this.overlays = [
      this.transactions,
      this.internalReferences,
      this.references,
      this.sessions,
      this.work,
      this.workKeys,
      this.callbacks,
      this.webhookIds,
      this.callbackAttempts,
      this.handshakes,
      this.limits,
      this.usage,
      this.accountUsage,
      this.idempotencyKeys,
      this.railReferences,
      this.payerReferences,
      this.railCallbacks,
      this.railCallbackKeys,
    ]
    connection.open.add(this)
  }

  get waitsForLock(): boolean {
    return this.waitsFor !== undefined
  }

  /** Runs one statement when the scheduler lets it; a failed statement rolls back the whole unit. */
  async statement<T>(step: Step, run: () => T | Promise<T>): Promise<T> {
    if (this.busy) throw new Error(`${step.what} began while another statement of its unit was under way`)
    this.busy = true
    try {
      this.mustBeOpen()
      this.begun = true
      await this.connection.step(step)
      this.mustBeOpen()
      return await run()
    } catch (error) {
      if (this.state === 'open') this.end('failed')
      throw error
    } finally {
      this.busy = false
    }
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
      await this.connection.step(COMMIT)
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
    for (const overlay of this.overlays) overlay.apply()
    for (const event of this.events) this.tables.events.push({ ...event, id: this.tables.nextId() })
    this.end('ended')
  }

  /** From here on it is committed, whether or not the reply arrives. */
  async answered(): Promise<void> {
    try {
      await this.connection.step(COMMIT_ANSWER)
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
    for (const overlay of this.overlays) overlay.unlock()
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
