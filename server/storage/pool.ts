import pg from 'pg'
import { StorageUnavailable } from '../actions/ports/store.ts'
import { DatabaseClient } from './database-client.ts'
import { BoundedPool, CONNECT_MS_MAX, type BoundedPoolOptions } from './bounded-pool.ts'
import type { DatabaseConnection } from './database-hosts.ts'
import { ConnectionFailed } from './driver-errors.ts'

export type Pool = pg.Pool
/** Where connections come from: the pool itself, or a share of it (`pool-share.ts`). */
export type Connections = Pick<Pool, 'connect' | 'query'>
/** A connection inside a transaction, or the pool itself: where a statement can run. */
export type Queryable = Pick<pg.ClientBase, 'query'>

// int8 (money and ids) arrives as text and becomes bigint, never a rounded number.
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format): unknown =>
    oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format),
}

export interface PoolOptions {
  readonly connection: DatabaseConnection
  readonly connectionsMax: number
  /** Called for a broken idle connection; without a handler `pg` would end the process. */
  readonly onError: (error: Error) => void
}

/** What every session has, as PostgreSQL shows it. */
export const SESSION_SETTINGS = {
  // A statement that waits longer than this is a fault: nothing in the gateway runs for seconds.
  statement_timeout: '15s',
  // Locks are held for milliseconds. Who holds one for seconds is an operator, and statements that wait for it would
  // take the whole pool.
  lock_timeout: '3s',
  idle_in_transaction_session_timeout: '15s',
  // Every statement of a running gateway finds its rows by a key. A plan made while a table was still empty would read
  // it whole, and go on doing so for the minutes until PostgreSQL has counted its rows: seen to cost three quarters of
  // the payments per second in the first minute.
  enable_seqscan: 'off',
}

/** As `pg` sends them: in milliseconds. */
const timeouts = {
  statement_timeout: milliseconds(SESSION_SETTINGS.statement_timeout),
  lock_timeout: milliseconds(SESSION_SETTINGS.lock_timeout),
  idle_in_transaction_session_timeout: milliseconds(SESSION_SETTINGS.idle_in_transaction_session_timeout),
}

function milliseconds(seconds: string): number {
  return Number.parseInt(seconds, 10) * 1_000
}

/** Connections as a running gateway needs them: bounded in number and in time, int8 as bigint, plans by index. */
export function createPool({ connection, connectionsMax, onError }: PoolOptions): Pool {
  const options: BoundedPoolOptions = {
    ...connection,
    Client: DatabaseClient,
    max: connectionsMax,
    // Statements are sent without waiting for the reply to the one before, where a caller does not wait itself.
    pipeline: true,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    idleTimeoutMillis: 60_000,
    ...timeouts,
    // A database machine that vanishes answers nothing, not even an end of the connection: this is how long a statement
    // waits for it.
    answerMsMax: 20_000,
    keepAlive: true,
    application_name: 'malipo',
    options: `-c enable_seqscan=${SESSION_SETTINGS.enable_seqscan}`,
    types,
  }
  const pool = new BoundedPool(options)
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/**
 * Runs the function in one transaction on one connection; commits when it resolves, rolls back when it rejects.
 * @param last gives a statement that travels together with the commit: what it locks is locked for no round trip of
 *   ours
 */
export async function inTransaction<T>(
  pool: Connections,
  run: (client: pg.PoolClient) => Promise<T>,
  last: (client: pg.PoolClient) => Promise<pg.QueryConfig | undefined> = async () => undefined,
): Promise<T> {
  return available(async () => {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      // Not waited for: it travels with the first statement. It fails only with the connection, and then that statement
      // fails too. The level is named because a database may have another default, under which a statement does not see
      // what committed while it waited for a lock.
      client.query('begin isolation level read committed').catch(() => undefined)
      const result = await run(client)
      const statement = await last(client)
      await Promise.all([statement && client.query(statement), commit(client)])
      return result
    } catch (error) {
      // A connection that does not answer, or leads to a server that cannot write, is given up together with its
      // transaction.
      if (isUnavailable(error)) broken = error as Error
      else
        await client.query('rollback').catch((rollbackError: Error) => {
          broken = rollbackError
        })
      throw error
    } finally {
      client.release(broken)
    }
  })
}

/**
 * A commit that fails leaves it open whether it happened: nobody may take that for a refusal and try again item by
 * item.
 */
async function commit(client: pg.PoolClient): Promise<void> {
  let command: string
  try {
    ;({ command } = await client.query('commit'))
  } catch (error) {
    throw new StorageUnavailable(error)
  }
  // PostgreSQL answers so when a statement before has failed and nobody has said so: nothing of it is stored.
  if (command === 'ROLLBACK') throw new Error('the transaction was rolled back: one of its statements had failed')
}

/** Runs a query and tells "the database is away" (StorageUnavailable) from a fault of ours. */
export async function available<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw isUnavailable(error) && !(error instanceof StorageUnavailable) ? new StorageUnavailable(error) : error
  }
}

// SQLSTATE: 08 connection, 53 resources, 57P0x shutdown or starting up, 57014 took too long, 58 I/O, 25006 read-only (a
// former primary), 25P03 and 25P04 a transaction that we let wait, 55P03 lock not to be had, 40 rolled back by the
// server (deadlock).
const UNAVAILABLE_STATE = /^(08|40|53|57P|57014|58|25006|25P03|25P04|55P03)/

/**
 * Whether the database is away: there is no connection, or PostgreSQL says that it cannot serve now. Known by class: an
 * error of somebody else may have any text and any code.
 */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof StorageUnavailable ||
  error instanceof ConnectionFailed ||
  (error instanceof pg.DatabaseError && UNAVAILABLE_STATE.test(error.code ?? ''))
