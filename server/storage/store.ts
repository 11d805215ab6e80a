import type { Store } from '../actions/ports.ts'
import { callbackStatements } from './callbacks.ts'
import { idempotencyStatements } from './idempotency.ts'
import { ledgerStatements } from './ledger.ts'
import { limitStatements } from './limits.ts'
import { sessionStatements } from './payment-sessions.ts'
import { inTransaction, type Pool } from './pool.ts'
import { transactionStatements } from './transactions.ts'
import { workStatements } from './work-items.ts'

export const createStore = (pool: Pool): Store => ({
  transaction: (run) => inTransaction(pool, (client) =>
    run({ ...transactionStatements(client), ...workStatements(client), ...ledgerStatements(client), ...callbackStatements(client),
      ...limitStatements(client), ...sessionStatements(client), ...idempotencyStatements(client) })),
})
