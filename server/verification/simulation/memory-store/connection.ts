import { MemoryUnitOfWork, type Session, type StoreStep } from './unit-of-work.ts'
import type { MemoryWorld } from './world.ts'

/**
 * Called before every step that reaches the database; resolves when the scheduler lets it go on. May reject with
 * StorageUnavailable: the connection is lost. At `commit` that means that nothing was committed, at `commit_answer`
 * that it was committed and the reply is lost.
 */
export interface SchedulerTurn {
  (kind: StoreStep, what: string): Promise<void>
}

/** The open units of one process in the database. */
export class Connection implements Session {
  readonly tables: MemoryWorld
  readonly open = new Set<MemoryUnitOfWork>()
  private readonly turn: SchedulerTurn
  private dead = false

  constructor(tables: MemoryWorld, turn: SchedulerTurn) {
    this.tables = tables
    this.turn = turn
  }

  async step(kind: StoreStep, what: string): Promise<void> {
    await this.turn(kind, what)
    if (this.dead) await never()
  }

  /** A dead process never goes on. */
  async alive(): Promise<void> {
    if (this.dead) await never()
  }

  /** Runs one statement as a transaction of its own. */
  async autocommit<T>(kind: StoreStep, what: string, run: (unit: MemoryUnitOfWork) => T | Promise<T>): Promise<T> {
    const unit = new MemoryUnitOfWork(this)
    const result = await unit.statement(kind, what, () => run(unit))
    unit.commitNow()
    await unit.answered()
    return result
  }

  async transaction<T>(run: (unit: MemoryUnitOfWork) => Promise<T>): Promise<T> {
    const unit = new MemoryUnitOfWork(this)
    try {
      const result = await run(unit)
      await unit.commit()
      return result
    } finally {
      unit.rollback()
    }
  }

  /** The process has died: its open units are rolled back, and it never goes on. */
  disconnect(): void {
    this.dead = true
    for (const unit of this.open) unit.rollback()
  }
}

const never = (): Promise<never> => new Promise(() => undefined)
