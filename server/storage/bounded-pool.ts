import { once } from 'node:events'
import pg from 'pg'
import { StorageBusy } from '../actions/ports/store.ts'
import { DatabaseClient, type ClientBounds } from './database-client.ts'
import type { DatabaseConnection, DatabaseHost, DatabaseHosts } from './database-hosts.ts'
import { ConnectionFailed, mostTelling } from './driver-errors.ts'
import { openClient } from './open-client.ts'

/**
 * If more callers than this wait for a connection, further ones are rejected at once: they would only use memory until
 * they time out.
 */
export const WAITING_MAX = 1_000

/** Maximum wait for a connection, idle or new. */
export const CONNECT_MS_MAX = 2_000

/** Maximum wait for the server to close its connections: a server that has vanished never does. */
const LEAVE_MS_MAX = 2_000

export type BoundedPoolOptions = pg.PoolConfig & DatabaseConnection & ClientBounds

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
  #isLooking = false
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
    const limit = AbortSignal.timeout(LEAVE_MS_MAX)
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
          this.#look()
          return reported(error, client, done)
        }
        failures.set(place, error)
        if (left > 0 && performance.now() < givenUpAt && !this.ending) tryOnce()
        else reported(mostTelling(failures), undefined, done)
      })
    }
    tryOnce()
  }

  /** Tries the hosts with a connection outside the pool. */
  #look(): void {
    if (this.#isLooking) return
    this.#isLooking = true
    void openClient(this.#connection)
      .then((client) => client.end())
      .catch(() => undefined)
      .finally(() => {
        this.#isLooking = false
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
