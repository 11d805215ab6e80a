import type pg from 'pg'
import { StorageBusy } from '../actions/ports/store.ts'
import type { Connections } from './pool.ts'

/** Maximum wait for a connection of a share: less than a lease, within which the job must finish. */
const SHARE_WAIT_MS_MAX = 10_000

/**
 * A share of a pool: uses at most `connectionsMax` of its connections at a time, first come, first served. Callers
 * queue here and not at the pool, so a burst in one share leaves the connections of the others alone.
 *
 * A caller that holds a connection must not request another one from the same share: if all connections are held that
 * way, every caller blocks until the wait times out.
 */
export function shareOf(pool: Connections, connectionsMax: number, waitMsMax = SHARE_WAIT_MS_MAX): Connections {
  const { take, free } = createSlots(connectionsMax, waitMsMax)

  async function connect(): Promise<pg.PoolClient> {
    await take()
    try {
      const client = await pool.connect()
      const release = client.release.bind(client)
      client.release = (error) => {
        client.release = release
        free()
        release(error)
      }
      return client
    } catch (error) {
      free()
      throw error
    }
  }

  async function query(statement: pg.QueryConfig | string, values?: unknown[]): Promise<pg.QueryResult> {
    await take()
    try {
      return await pool.query(statement, values)
    } finally {
      free()
    }
  }

  // No caller uses the driver's other forms: callbacks, cursors, streams.
  return { connect, query } as Connections
}

function createSlots(slotsMax: number, waitMsMax: number) {
  let inUse = 0
  const queue = new Set<() => void>()

  const queued = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(limit)
        resolve()
      }
      const limit = setTimeout(() => {
        queue.delete(begin)
        reject(new StorageBusy(new Error(`none of this share's ${slotsMax} connections became free in time`)))
      }, waitMsMax)
      queue.add(begin)
    })

  return {
    /** @throws StorageBusy when none becomes free in time */
    take(): Promise<void> | undefined {
      if (inUse >= slotsMax) return queued()
      inUse += 1
      return undefined
    },
    /** Hands the slot to the longest waiting caller. */
    free(): void {
      const [next] = queue
      if (!next) {
        inUse -= 1
        return
      }
      queue.delete(next)
      next()
    },
  }
}

/**
 * The fraction of connections that no job may use: reserved for requests, and for the claims and leases of the jobs
 * themselves.
 */
const RESERVED = 0.25
/** The largest fraction of the jobs' connections that one kind of job may use. */
const OF_ONE_KIND = 0.5

interface JobShares {
  /** The share of the pool for one kind of job. */
  of(kind: string): Connections
}

/**
 * @param connectionsMax of the whole pool
 * @returns shares that together leave a quarter of it, and at least one connection, free
 */
export function jobShares(pool: Connections, connectionsMax: number): JobShares {
  const jobsMax = Math.max(connectionsMax - Math.max(Math.ceil(connectionsMax * RESERVED), 1), 1)
  const jobs = shareOf(pool, jobsMax)
  const shares = new Map<string, Connections>()
  return {
    of(kind) {
      const share = shares.get(kind) ?? shareOf(jobs, Math.max(Math.floor(jobsMax * OF_ONE_KIND), 1))
      shares.set(kind, share)
      return share
    },
  }
}
