import type pg from 'pg'
import type { Pool } from './pool.ts'

// What stands in a transaction of its own everywhere else, in one that is open already: for a change and its entry in
// staff_actions, which are committed together.

const INSIDE: Readonly<Record<string, string>> = {
  begin: 'savepoint inner_transaction',
  commit: 'release savepoint inner_transaction',
  rollback: 'rollback to savepoint inner_transaction',
}

/** The statement that does inside a transaction what this one does outside. */
const inside = (statement: unknown): unknown =>
  typeof statement === 'string' ? (INSIDE[/^\w+/.exec(statement)?.[0] ?? ''] ?? statement) : statement

/**
 * A pool whose only connection is in this transaction: a transaction that is begun on it is a savepoint, so one at a
 * time. What fails outside of such a savepoint ends the whole transaction.
 */
export function joinTransaction(client: pg.PoolClient): Pool {
  const query = (statement: unknown, ...rest: unknown[]): unknown =>
    (client.query as (...all: unknown[]) => unknown)(inside(statement), ...rest)
  const joined = { query, release: () => undefined }
  return { query, connect: async () => joined } as unknown as Pool
}
