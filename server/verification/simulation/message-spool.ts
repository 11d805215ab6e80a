import type { RailCallback } from '../../actions/ports/rail-callbacks.ts'
import { isUnknown } from './process.ts'
import type { Scheduler } from './scheduler.ts'

const REPLAY_MS = 1_000

interface SpoolDeps {
  readonly scheduler: Scheduler
  /**
   * Through a running process.
   * @throws ProcessDied, StorageUnavailable
   */
  readonly insert: (message: RailCallback, receivedAt: Date) => Promise<void>
  readonly onFault: (error: unknown) => void
}

/**
 * As `message-spool/`: a message that the database does not accept waits on a disk that outlives every process, and was
 * answered with 200. Its insert may be committed already, so it is repeated with the time of receipt.
 */
export class SimulatedSpool {
  private readonly deps: SpoolDeps

  constructor(deps: SpoolDeps) {
    this.deps = deps
  }

  add(message: RailCallback, receivedAt: Date): void {
    const { scheduler } = this.deps
    scheduler.note(`spooled: a message about ${message.orderId}`)
    scheduler.after(REPLAY_MS, () => {
      this.replay({ ...message, isAcknowledged: true }, receivedAt).catch(this.deps.onFault)
    })
  }

  private async replay(message: RailCallback, receivedAt: Date): Promise<void> {
    for (;;) {
      try {
        return await this.deps.insert(message, receivedAt)
      } catch (error) {
        if (!isUnknown(error)) throw error
      }
      await this.deps.scheduler.sleep(REPLAY_MS)
    }
  }
}
