import type { Store, UnitOfWork } from '../actions/ports/store.ts'
import type { WalletBalance } from '../actions/ports/ledger.ts'
import { NOBODY, waking, type Wake } from '../actions/ports/wake.ts'
import type { Transfer } from '../domain/ledger.ts'
import { accountUsageStatements, limitStatements } from './limits.ts'
import type { AuditedPool } from './audited-pool.ts'
import { attemptStatements } from './attempts.ts'
import { approvalStatements } from './approvals.ts'
import { callbackStatements } from './callbacks.ts'
import { coalesce } from './coalesce.ts'
import { expectedStatements } from './expected-payments.ts'
import { handshakeStatements } from './handshakes.ts'
import { idempotencyStatements } from './idempotency.ts'
import { bookingRows, holdAtMost, ledgerStatements, walletsCover } from './ledger.ts'
import { railCallbackStatements } from './rail-callbacks.ts'
import { payoutWaitStatements } from './payout-waits.ts'
import { payoutBatchStatements } from './payout-batches.ts'
import { payerReferenceStatements } from './payer-references.ts'
import { railReferenceStatements } from './rail-references.ts'
import { merchantRowStatements } from './merchant-rows.ts'
import { sessionStatements } from './payment-sessions.ts'
import { inTransaction, type Connections } from './pool.ts'
import { transactionStatements } from './transactions.ts'
import { jobStatements } from './jobs.ts'

/** The store for what staff change. Sends no wake-up: a running server polls for the new job. */
export const auditedStore = (pool: AuditedPool): Store => createStore(pool)

/** @param wake called with the jobs that were added, after the commit */
export function createStore(pool: Connections, wake: Wake = NOBODY): Store {
  function inUnit<T>(run: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    const booked: { transfers: Transfer[]; now: Date }[] = []
    const atMost: WalletBalance[] = []
    return walletsCover(() =>
      inTransaction(
        pool,
        (client) =>
          run({
            // Booked last: wallets are the hottest rows, so only the statement that is sent together with the commit
            // locks them.
            book: async (transfers, now) => void booked.push({ transfers: [...transfers], now }),
            holdsAtMost: async (balances) => void atMost.push(...balances),
            ...transactionStatements(client),
            ...attemptStatements(client),
            ...jobStatements(client),
            ...ledgerStatements(client),
            ...callbackStatements(client),
            ...limitStatements(client),
            ...accountUsageStatements(client),
            ...sessionStatements(client),
            ...idempotencyStatements(client),
            ...handshakeStatements(client),
            ...approvalStatements(client),
            ...payoutBatchStatements(client),
            ...payerReferenceStatements(client),
            ...railReferenceStatements(client),
            ...payoutWaitStatements(client),
            ...railCallbackStatements(client),
            ...expectedStatements(client),
            ...merchantRowStatements(client),
          }),
        async (client) => {
          const transfers = booked.flatMap((each) => each.transfers)
          const booking = await bookingRows(client, transfers, booked[0]?.now ?? new Date(0))
          await holdAtMost(client, atMost, transfers)
          return booking
        },
      ),
    )
  }
  const transaction = waking(inUnit, wake)
  return {
    transaction,
    together: (batchMax, run) =>
      coalesce({
        batchMax,
        runsMax: 1,
        run: (items) => transaction((unit) => run(unit, items)),
      }),
  }
}
