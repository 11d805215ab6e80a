import type { QueryConfig } from 'pg'
import type { Queryable } from '../../../storage/pool.ts'

/** A statement of 100,000 lines takes seconds. This limits what takes longer, and a file that arrives slowly. */
const LONG_MS_MAX = 10 * 60_000

/**
 * Sets the timeouts of a transaction that reads whole statements instead of single rows. No payment waits for it,
 * because it locks accounts only in the statement that is sent together with its commit.
 */
export async function forStatements(client: Queryable): Promise<void> {
  await client.query(
    `set local statement_timeout = ${LONG_MS_MAX}; set local idle_in_transaction_session_timeout = ${LONG_MS_MAX};
     set local enable_seqscan = on; set local work_mem = '64MB'`,
  )
}

/** A query with that timeout. */
export const long = (text: string, values: readonly unknown[] = []): QueryConfig =>
  ({ text, values: [...values], answerMsMax: LONG_MS_MAX }) as QueryConfig

/** The amount that the operator was instructed to move for a row `t` of transactions, in minor units. */
export const PAID = `(t.amount_minor + case when t.type <> 'PAYOUT' and t.charge_customer then t.charge_minor else 0 end)`
/** The direction of that movement. */
export const DIRECTION = `case when t.type in ('COLLECTION', 'ATTEMPT') then 'in' else 'out' end`
