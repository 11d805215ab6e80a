import type { Store } from '../actions/ports.ts'
import { callbackStatements } from './callbacks.ts'
import { ledgerStatements } from './ledger.ts'
import { inTransaction, type Pool } from './pool.ts'
import { transactionStatements } from './transactions.ts'
import { workStatements } from './work-items.ts'

export const createStore = (pool: Pool): Store => ({
  transaction: (run) => inTransaction(pool, (client) =>
    run({ ...transactionStatements(client), ...workStatements(client), ...ledgerStatements(client), ...callbackStatements(client) })),
})
