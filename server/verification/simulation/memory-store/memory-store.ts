import type { Store, UnitOfWork } from '../../../actions/ports/store.ts'
import { NOBODY, waking, type Wake } from '../../../actions/ports/wake.ts'
import { createAccountMessageStore, createUnrequestedPayments } from './account-messages.ts'
import { createAcceptance } from './accept-transactions.ts'
import { approvalStatements } from './approvals.ts'
import { attemptStatements } from './attempts.ts'
import { accountUsageStatements, limitStatements } from './limits.ts'
import { callbackStatements, createCallbackStore } from './callbacks.ts'
import { Connection, type SchedulerTurn } from './connection.ts'
import { expectedStatements } from './expected-payments.ts'
import { gather } from './gather.ts'
import { handshakeStatements } from './handshakes.ts'
import { createIdempotencyStore, idempotencyStatements } from './idempotency.ts'
import { ledgerStatements } from './ledger.ts'
import { createRailCallbackStore, railCallbackStatements } from './rail-callbacks.ts'
import { payoutWaitStatements } from './payout-waits.ts'
import { createPayoutBatches, payoutBatchStatements } from './payout-batches.ts'
import { payerReferenceStatements } from './payer-references.ts'
import { railReferenceStatements } from './rail-references.ts'
import { merchantRowStatements } from './merchant-rows.ts'
import { sessionStatements } from './payment-sessions.ts'
import { transactionStatements } from './transactions.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'
import { createJobStore, jobStatements } from './jobs.ts'
import type { MemoryWorld } from './world.ts'

/** One process's view of the world: its own connection to the database. */
export type MemoryConnection = ReturnType<typeof connect>

/** @param wake called with the jobs that were added, after the commit */
export function connect(world: MemoryWorld, turn: SchedulerTurn, wake: Wake = NOBODY) {
  const connection = new Connection(world, turn)
  return {
    store: createStore(connection, wake),
    acceptance: createAcceptance(connection, wake),
    batches: createPayoutBatches(connection, wake),
    queue: createJobStore(connection),
    callbacks: createCallbackStore(connection),
    idempotency: createIdempotencyStore(connection),
    railCallbacks: createRailCallbackStore(connection, wake),
    accountMessages: createAccountMessageStore(connection, wake),
    unrequested: createUnrequestedPayments(connection),
    /** Units that it has begun and not ended, the oldest first. */
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

const statements = (unit: MemoryUnitOfWork): UnitOfWork => ({
  ...transactionStatements(unit),
  ...attemptStatements(unit),
  ...jobStatements(unit),
  ...ledgerStatements(unit),
  ...callbackStatements(unit),
  ...limitStatements(unit),
  ...sessionStatements(unit),
  ...accountUsageStatements(unit),
  ...idempotencyStatements(unit),
  ...handshakeStatements(unit),
  ...approvalStatements(unit),
  ...payoutBatchStatements(unit),
  ...payerReferenceStatements(unit),
  ...payoutWaitStatements(unit),
  ...railReferenceStatements(unit),
  ...railCallbackStatements(unit),
  ...merchantRowStatements(unit),
  ...expectedStatements(unit),
})
