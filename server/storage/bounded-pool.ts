import { once } from 'node:events'
import pg from 'pg'
import { StorageBusy } from '../actions/ports/store.ts'
import { DatabaseClient, type ClientBounds } from './database-client.ts'
import type { DatabaseConnection, DatabaseHost, DatabaseHosts } from './database-hosts.ts'
import { ConnectionFailed, mostTelling } from './driver-errors.ts'
import { openClient } from './open-client.ts'

/**
 * More waiting for a connection than this are refused at once: they would only fill the memory until their time is up.
 */
export const WAITING_MAX = 1_000

/** So long is waited for a connection, one that is free or a new one. */
export const CONNECT_MS_MAX = 2_000

/** A server that has vanished does not take leave: so long is waited for it. */
const LEAVE_MS_MAX = 2_000

export type BoundedPoolOptions = pg.PoolConfig & DatabaseConnection & ClientBounds

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void

/** A pool that says why there is no connection, takes its leave, and follows the database from host to host. */
export class BoundedPool extends pg.Pool {
  readonly #open = new Set<pg.PoolClient>()
  readonly #connection: BoundedPoolOptions
  readonly #hosts: DatabaseHosts | undefined
  readonly #unhear: (() => void) | undefined
  #isLooking = false
  #exhaustedCount = 0

  /** How often all connections were in use for too long. */
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
   * The driver's own is over when it has said goodbye on each connection. Whoever stops PostgreSQL next would cut those
   * that are still closing, and be told of a database that is away.
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
    // Both end the wait: the last connection, and the limit.
    while (this.#open.size > 0 && !limit.aborted) await once(this, 'left', { signal: limit }).catch(() => undefined)
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
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
    const told: Connected = (error, client, done) =>
      callback(error && (isEnding ? error : this.#notInTime(error, isSilent)), client, done)
    if (this.#hosts) this.#connectToAny(this.#hosts, told)
    else super.connect(told)
  }

  /**
   * A wait for a connection that was in vain: the database is silent when every connection waits for an answer and none
   * has said anything since. Otherwise it answers, and the pool is full.
   * @returns undefined while the pool has room: then a connection was to be made, and did not come about
   */
  #watchSilence(): (() => boolean) | undefined {
    if (this.idleCount > 0 || this.totalCount < this.options.max) return undefined
    const before = new Map([...this.#open].map((client) => [client, bytesReadOf(client)]))
    return () =>
      [...this.#open].every((client) => isAwaited(client) && bytesReadOf(client) === (before.get(client) ?? 0))
  }

  /** What a client does not say itself is the pool's own: no connection was free in time, or none came about. */
  #notInTime(error: Error, isSilent: (() => boolean) | undefined): Error {
    if (isOfHost(error) || error instanceof StorageBusy) return error
    return !isSilent || isSilent() ? new ConnectionFailed('silent', error) : this.#exhausted('none became free in time')
  }

  #exhausted(why: string): StorageBusy {
    this.#exhaustedCount += 1
    return new StorageBusy(new Error(`all ${this.options.max} connections are in use, and ${why}`))
  }

  /** A new connection goes to the host that is next; one that fails makes another the next. */
  #connectToAny(hosts: DatabaseHosts, told: Connected): void {
    const givenUpAt = performance.now() + CONNECT_MS_MAX
    const failures = new Map<string, Error>()
    let left = hosts.count
    const tryOnce = (): void => {
      const { place } = hosts.next()
      left -= 1
      super.connect((error, client, done) => {
        if (!error) return told(error, client, done)
        // All are taken: perhaps by statements that wait for a host which hangs, while another takes writes already.
        if (!isOfHost(error)) {
          this.#look()
          return told(error, client, done)
        }
        failures.set(place, error)
        if (left > 0 && performance.now() < givenUpAt && !this.ending) tryOnce()
        else told(mostTelling(failures), undefined, done)
      })
    }
    tryOnce()
  }

  /** Tries the hosts beside the connections that there are. */
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

  /** Writes go elsewhere now: nobody waits any longer for a host that hangs, and nobody reads from a former primary. */
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
