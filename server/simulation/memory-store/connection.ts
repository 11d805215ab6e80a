import type { Step } from './step.ts'
import { UnitOfWork, type Session } from './unit-of-work.ts'
import type { Tables } from './world.ts'

/**
 * Called before every step that reaches the database; resolves when the scheduler lets it go on. May reject with
 * StorageUnavailable: the connection is lost. Of `commit` that means that nothing was committed, of `commit_answer`
 * that it was and nobody hears of it.
 */
export interface Turn {
  (step: Step): Promise<void>
}

/** What one process has open in the database. */
export class Connection implements Session {
  readonly tables: Tables
  readonly open = new Set<UnitOfWork>()
  private readonly turn: Turn
  private dead = false

  constructor(tables: Tables, turn: Turn) {
    this.tables = tables
    this.turn = turn
  }

  async step(step: Step): Promise<void> {
    await this.turn(step)
    if (this.dead) await never()
  }

  /** A process that has died never goes on. */
  async alive(): Promise<void> {
    if (this.dead) await never()
  }

  /** One statement that is a transaction of its own. */
  async autocommit<T>(step: Step, run: (unit: UnitOfWork) => T | Promise<T>): Promise<T> {
    const unit = new UnitOfWork(this)
    const result = await unit.statement(step, () => run(unit))
    unit.commitNow()
    await unit.answered()
    return result
  }

  async transaction<T>(run: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    const unit = new UnitOfWork(this)
    try {
      const result = await run(unit)
      await unit.commit()
      return result
    } finally {
      unit.rollback()
    }
  }

  /** The process has died: what it had open is rolled back, and it never goes on. */
  disconnect(): void {
    this.dead = true
    for (const unit of this.open) unit.rollback()
  }
}

const never = (): Promise<never> => new Promise(() => undefined)
