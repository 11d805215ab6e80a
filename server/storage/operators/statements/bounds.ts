import type { QueryConfig } from 'pg'
import type { Queryable } from '../../pool.ts'

/** A statement of 100,000 lines takes seconds; this bounds what takes longer, and a file that comes slowly. */
const LONG_MS_MAX = 10 * 60_000

/**
 * Bounds for a transaction that reads whole statements instead of single rows: no payment waits for it, because it locks
 * accounts in the statement that travels with its commit.
 */
export async function forStatements(client: Queryable): Promise<void> {
  await client.query(
    `set local statement_timeout = ${LONG_MS_MAX}; set local idle_in_transaction_session_timeout = ${LONG_MS_MAX};
     set local enable_seqscan = on; set local work_mem = '64MB'`,
  )
}

/** A statement whose answer may take that long. */
export const long = (text: string, values: readonly unknown[] = []): QueryConfig =>
  ({ text, values: [...values], answerMsMax: LONG_MS_MAX }) as QueryConfig

/** What the operator was asked to move for a row `t` of transactions, in minor units. */
export const PAID = `(t.amount_minor + case when t.type = 'COLLECTION' and t.charge_customer then t.charge_minor else 0 end)`
/** Which way it went. */
export const DIRECTION = `case t.type when 'COLLECTION' then 'in' else 'out' end`
