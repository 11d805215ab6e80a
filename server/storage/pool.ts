import { once } from 'node:events'
import pg from 'pg'
import { StorageBusy, StorageUnavailable } from '../actions/ports/store.ts'
import { DatabaseClient, type ClientBounds } from './database-client.ts'
import type { DatabaseConnection, DatabaseHost, DatabaseHosts } from './database-hosts.ts'
import { ConnectionFailed, mostInformative } from './driver-errors.ts'
import { openClient } from './open-client.ts'

export type Pool = pg.Pool
/** A source of connections: the pool itself, or a share of it (`pool-share.ts`). */
export type Connections = Pick<Pool, 'connect' | 'query'>
/** Runs statements: a connection inside a transaction, or the pool itself. */
export type Queryable = Pick<pg.ClientBase, 'query'>

// int8 (money and ids) is parsed from text into bigint, never into a rounded number.
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format): unknown =>
    oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format),
}

interface PoolOptions {
  readonly connection: DatabaseConnection
  readonly connectionsMax: number
  /** Called for a broken idle connection; without a handler `pg` would end the process. */
  readonly onError: (error: Error) => void
}

/** The settings of every session, in the format in which PostgreSQL shows them. */
export const SESSION_SETTINGS = {
  // A statement that runs longer than this is a bug: nothing in the gateway takes seconds.
  statement_timeout: '15s',
  // The gateway holds locks for milliseconds. A lock that is held for seconds belongs to an admin, and statements that
  // wait for it would use up the whole pool.
  lock_timeout: '3s',
  idle_in_transaction_session_timeout: '15s',
  // Every statement of a running gateway finds its rows by a key. A plan made for an empty table would use a sequential
  // scan, and keep doing so for minutes, until PostgreSQL analyzes the table: this has cost three quarters of the
  // payments per second in the first minute.
  enable_seqscan: 'off',
}

/** The timeouts in the format that `pg` sends: milliseconds. */
const timeouts = {
  statement_timeout: milliseconds(SESSION_SETTINGS.statement_timeout),
  lock_timeout: milliseconds(SESSION_SETTINGS.lock_timeout),
  idle_in_transaction_session_timeout: milliseconds(SESSION_SETTINGS.idle_in_transaction_session_timeout),
}

function milliseconds(seconds: string): number {
  return Number.parseInt(seconds, 10) * 1_000
}

/** Creates a pool for a running gateway: bounded in size and in time, int8 as bigint, no sequential scans. */
export function createPool({ connection, connectionsMax, onError }: PoolOptions): Pool {
  const options: BoundedPoolOptions = {
    ...connection,
    Client: DatabaseClient,
    max: connectionsMax,
    // Pipelining: statements are sent without waiting for the previous reply, unless the caller awaits it.
    pipeline: true,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    idleTimeoutMillis: 60_000,
    ...timeouts,
    // A database machine that vanishes sends nothing, not even a TCP close: a statement waits this long for its answer.
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
 * @param last returns statements that are sent together with the commit: their locks are not held for a round trip
 */
export async function inTransaction<T>(
  pool: Connections,
  run: (client: pg.PoolClient) => Promise<T>,
  last: (client: pg.PoolClient) => Promise<readonly pg.QueryConfig[]> = async () => [],
): Promise<T> {
  return available(async () => {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      // Not awaited: it is sent together with the first statement. It fails only if the connection fails, and then that
      // statement fails too. The isolation level is explicit because the database may have another default, under which
      // a statement does not see what committed while it waited for a lock.
      client.query('begin isolation level read committed').catch(() => undefined)
      const result = await run(client)
      const statements = await last(client)
      await Promise.all([runAll(client, statements), commit(client)])
      return result
    } catch (error) {
      // If the connection does not answer, or leads to a server that cannot write, it is closed together with its
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

/** Runs statements in this order; all are sent before the first reply. */
export const runAll = (client: Queryable, statements: readonly pg.QueryConfig[]): Promise<unknown> =>
  Promise.all(statements.map((statement) => client.query(statement)))

/** A failed commit has an unknown outcome: no caller may treat it as a refusal and retry item by item. */
async function commit(client: pg.PoolClient): Promise<void> {
  let command: string
  try {
    ;({ command } = await client.query('commit'))
  } catch (error) {
    throw new StorageUnavailable(error)
  }
  // PostgreSQL answers ROLLBACK to a commit when an earlier statement failed and its error was ignored: nothing is
  // stored.
  if (command === 'ROLLBACK') throw new Error('the transaction was rolled back: one of its statements had failed')
}

/** Runs a query and distinguishes an outage of the database (StorageUnavailable) from a bug of ours. */
export async function available<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw isUnavailable(error) && !(error instanceof StorageUnavailable) ? new StorageUnavailable(error) : error
  }
}

// SQLSTATE: 08 connection, 53 resources, 57P0x shutting down or starting up, 57014 query canceled (timeout), 58 I/O,
// 25006 read-only (a former primary), 25P03 and 25P04 a transaction that we left idle too long, 55P03 lock not
// available, 40 rolled back by the server (deadlock).
const UNAVAILABLE_STATE = /^(08|40|53|57P|57014|58|25006|25P03|25P04|55P03)/

/**
 * Whether the database is away: there is no connection, or PostgreSQL reports that it cannot serve now. Decided by
 * class, because errors from elsewhere may have any message and any code.
 */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof StorageUnavailable ||
  error instanceof ConnectionFailed ||
  (error instanceof pg.DatabaseError && UNAVAILABLE_STATE.test(error.code ?? ''))

/**
 * If more callers than this wait for a connection, further ones are rejected at once: they would only use memory until
 * they time out.
 */
export const WAITING_MAX = 1_000

/** Maximum wait for a connection, idle or new. */
export const CONNECT_MS_MAX = 2_000

/** Maximum wait for the server to close its connections: a server that has vanished never does. */
const CLOSE_MS_MAX = 2_000

type BoundedPoolOptions = pg.PoolConfig & DatabaseConnection & ClientBounds

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void

/** A pool that reports why it has no connection, closes gracefully, and follows the primary from host to host. */
export class BoundedPool extends pg.Pool {
  readonly #open = new Set<pg.PoolClient>()
  readonly #connection: BoundedPoolOptions
  readonly #hosts: DatabaseHosts | undefined
  readonly #unhear: (() => void) | undefined
  #isPolling = false
  #exhaustedCount = 0

  /** How often a caller was rejected because all connections were in use. */
  get exhaustedCount(): number {
    return this.#exhaustedCount
  }

  constructor(options: BoundedPoolOptions) {
    super(options)
    this.#connection = options
    this.#hosts = options.hosts
    this.#unhear = this.#hosts?.onMoved((host) => this.#leaveAllBut(host))
    this.on('connect', (client) => this.#open.add(client))
    this.on('remove', (client) => {
      this.#open.delete(client)
      this.emit('left')
    })
  }

  /**
   * The driver's own `end` resolves once it has sent the goodbye on each connection. If PostgreSQL is stopped right
   * after that, it cuts connections that are still closing, and we would report that the database is away.
   */
  override end(): Promise<void>
  override end(callback: () => void): void
  override end(callback?: () => void): Promise<void> | void {
    this.#unhear?.()
    const ended = super.end().then(() => this.#allLeft())
    if (!callback) return ended
    void ended.finally(callback)
  }

  async #allLeft(): Promise<void> {
    const limit = AbortSignal.timeout(CLOSE_MS_MAX)
    // Either the last connection or the timeout ends the wait.
    while (this.#open.size > 0 && !limit.aborted) await once(this, 'left', { signal: limit }).catch(() => undefined)
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    if (!callback)
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (client ? resolve(client) : reject(error ?? new Error('no connection came')))),
      )
    if (this.waitingCount >= WAITING_MAX) {
      const error = this.#exhausted(`${WAITING_MAX} wait for a connection already`)
      return callback(error, undefined, () => undefined)
    }
    const isEnding = this.ending
    const isSilent = this.#watchSilence()
    const reported: ConnectCallback = (error, client, done) =>
      callback(error && (isEnding ? error : this.#notInTime(error, isSilent)), client, done)
    if (this.#hosts) this.#connectToAny(this.#hosts, reported)
    else super.connect(reported)
  }

  /**
   * Explains a wait for a connection that failed: the database is silent when every connection waits for an answer and
   * none has received anything since. Otherwise it answers, and the pool is exhausted.
   * @returns undefined while the pool has capacity: then a new connection was needed and could not be opened
   */
  #watchSilence(): (() => boolean) | undefined {
    if (this.idleCount > 0 || this.totalCount < this.options.max) return undefined
    const before = new Map([...this.#open].map((client) => [client, bytesReadOf(client)]))
    return () =>
      [...this.#open].every((client) => isAwaited(client) && bytesReadOf(client) === (before.get(client) ?? 0))
  }

  /** Errors that no client reports come from the pool: no connection became free in time, or none could be opened. */
  #notInTime(error: Error, isSilent: (() => boolean) | undefined): Error {
    if (isOfHost(error) || error instanceof StorageBusy) return error
    return !isSilent || isSilent() ? new ConnectionFailed('silent', error) : this.#exhausted('none became free in time')
  }

  #exhausted(why: string): StorageBusy {
    this.#exhaustedCount += 1
    return new StorageBusy(new Error(`all ${this.options.max} connections are in use, and ${why}`))
  }

  /** Opens a new connection to the next host; when it fails, another host becomes the next. */
  #connectToAny(hosts: DatabaseHosts, reported: ConnectCallback): void {
    const givenUpAt = performance.now() + CONNECT_MS_MAX
    const failures = new Map<string, Error>()
    let left = hosts.count
    const tryOnce = (): void => {
      const { place } = hosts.next()
      left -= 1
      super.connect((error, client, done) => {
        if (!error) return reported(error, client, done)
        // All connections are in use, perhaps by statements that wait for an unresponsive host while another one
        // already takes writes.
        if (!isOfHost(error)) {
          this.#poll()
          return reported(error, client, done)
        }
        failures.set(place, error)
        if (left > 0 && performance.now() < givenUpAt && !this.ending) tryOnce()
        else reported(mostInformative(failures), undefined, done)
      })
    }
    tryOnce()
  }

  /** Tries the hosts with a connection outside the pool. */
  #poll(): void {
    if (this.#isPolling) return
    this.#isPolling = true
    void openClient(this.#connection)
      .then((client) => client.end())
      .catch(() => undefined)
      .finally(() => {
        this.#isPolling = false
      })
  }

  /**
   * The primary has moved. Closes all connections to other hosts: no statement waits for an unresponsive host any
   * longer, and none reads from a former primary.
   */
  #leaveAllBut(host: DatabaseHost): void {
    for (const client of this.#open) {
      const { at, connection } = client as pg.PoolClient & DatabaseClient
      if (at && at !== host)
        connection.stream.destroy(new ConnectionFailed('lost', new Error(`${at.place} was left for ${host.place}`)))
    }
  }
}

const bytesReadOf = (client: pg.PoolClient): number => (client instanceof DatabaseClient ? client.bytesRead : 0)
const isAwaited = (client: pg.PoolClient): boolean => !(client instanceof DatabaseClient) || client.awaited > 0

const isOfHost = (error: Error): boolean => error instanceof ConnectionFailed || error instanceof pg.DatabaseError
