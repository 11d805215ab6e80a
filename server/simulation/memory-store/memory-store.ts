import type { Acceptance } from '../../actions/ports/acceptance.ts'
import type { CallbackStore } from '../../actions/ports/callbacks.ts'
import type { IdempotencyStore } from '../../actions/ports/idempotency.ts'
import type { Lookups } from '../../actions/ports/lookups.ts'
import type { RailCallbackStore } from '../../actions/ports/rail-callbacks.ts'
import type { Store } from '../../actions/ports/store.ts'
import type { Unit } from '../../actions/ports/unit.ts'
import { NOBODY, waking, type Wake } from '../../actions/ports/wake.ts'
import type { WorkQueue } from '../../actions/ports/work.ts'
import { createAcceptance } from './accept-transactions.ts'
import { accountUsageStatements } from './account-usage.ts'
import { callbackStatements, createCallbackStore } from './callbacks.ts'
import { Connection, type Turn } from './connection.ts'
import { eventStatements } from './events.ts'
import { gather } from './gather.ts'
import { handshakeStatements } from './handshakes.ts'
import { createIdempotencyStore, idempotencyStatements } from './idempotency.ts'
import { ledgerStatements } from './ledger.ts'
import { limitStatements } from './limits.ts'
import { createLookups } from './lookups.ts'
import { createRailCallbackStore, railCallbackStatements } from './rail-callbacks.ts'
import { payerReferenceStatements } from './payer-references.ts'
import { railReferenceStatements } from './rail-references.ts'
import { sessionStatements } from './payment-sessions.ts'
import { transactionStatements } from './transactions.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import { createWorkQueue, workStatements } from './work-items.ts'
import { tablesOf, type MemoryWorld } from './world.ts'

/** What one process sees of the world: its own connection to the database. */
export interface MemoryConnection {
  readonly store: Store
  readonly acceptance: Acceptance
  readonly queue: WorkQueue
  readonly callbacks: CallbackStore
  readonly idempotency: IdempotencyStore
  readonly lookups: Lookups
  readonly railCallbacks: RailCallbackStore
  /** What it has begun and not ended, the oldest first. */
  openUnits(): readonly OpenUnit[]
  /**
   * The process has died: what it had open is rolled back at once, its locks are free, and nothing of it ever goes on.
   */
  disconnect(): void
}

export interface OpenUnit {
  /** Whether it waits for a lock that another unit holds: then nobody is asked for its turn. */
  readonly waitsForLock: boolean
  /**
   * PostgreSQL ends it, because it was idle or waited for too long: its locks are free, and its next step rejects with
   * StorageUnavailable.
   */
  abort(): void
}

/** @param wake told of the work that was added, after the commit */
export function connect(world: MemoryWorld, turn: Turn, wake: Wake = NOBODY): MemoryConnection {
  const connection = new Connection(tablesOf(world), turn)
  return {
    store: createStore(connection, wake),
    acceptance: createAcceptance(connection, wake),
    queue: createWorkQueue(connection),
    callbacks: createCallbackStore(connection),
    idempotency: createIdempotencyStore(connection),
    lookups: createLookups(connection),
    railCallbacks: createRailCallbackStore(connection, wake),
    openUnits: () => [...connection.open],
    disconnect: () => connection.disconnect(),
  }
}

function createStore(connection: Connection, wake: Wake): Store {
  const transaction = waking((run) => connection.transaction((unit) => run(statements(unit))), wake)
  return {
    transaction,
    together: (batchMax, run) =>
      gather({ batchMax, runsMax: 1, run: (items) => transaction((unit) => run(unit, items)) }),
  }
}

const statements = (unit: UnitOfWork): Unit => ({
  ...transactionStatements(unit),
  ...workStatements(unit),
  ...ledgerStatements(unit),
  ...callbackStatements(unit),
  ...limitStatements(unit),
  ...sessionStatements(unit),
  ...accountUsageStatements(unit),
  ...idempotencyStatements(unit),
  ...handshakeStatements(unit),
  ...payerReferenceStatements(unit),
  ...railReferenceStatements(unit),
  ...eventStatements(unit),
  ...railCallbackStatements(unit),
})
