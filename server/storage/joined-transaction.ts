import type pg from 'pg'
import type { Pool } from './pool.ts'

// Runs code that opens its own transaction inside one that is already open: for a change and its entry in
// audit_log, which are committed together.

const INSIDE: Readonly<Record<string, string>> = {
  begin: 'savepoint inner_transaction',
  commit: 'release savepoint inner_transaction',
  rollback: 'rollback to savepoint inner_transaction',
}

/** Translates a transaction statement into the corresponding savepoint statement. */
const inside = (statement: unknown): unknown =>
  typeof statement === 'string' ? (INSIDE[/^\w+/.exec(statement)?.[0] ?? ''] ?? statement) : statement

/**
 * A pool whose only connection is the one of this transaction. A transaction on it becomes a savepoint, so only one
 * may be open at a time. A failure outside of such a savepoint aborts the whole transaction.
 */
export function joinTransaction(client: pg.PoolClient): Pool {
  const query = (statement: unknown, ...rest: unknown[]): unknown =>
    (client.query as (...all: unknown[]) => unknown)(inside(statement), ...rest)
  const joined = { query, release: () => undefined }
  return { query, connect: async () => joined } as unknown as Pool
}
