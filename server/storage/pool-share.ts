import type pg from 'pg'
import { StorageBusy } from '../actions/ports/store.ts'
import type { Connections } from './pool.ts'

/** So long a caller waits for a connection of its share: less than a lease, within which its job has to end. */
export const SHARE_WAIT_MS_MAX = 10_000

/**
 * A part of a pool: at most `connectionsMax` of its connections at a time, first come, first served. Who waits here does
 * not wait at the pool, so a burst in one share leaves the connections of the others alone.
 *
 * Whoever holds a connection must not ask the same share for another one: with all of it held so, nobody goes on until
 * the wait ends.
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

  // Nobody here uses the driver's other forms: callbacks, cursors, streams.
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
    /** Hands the slot to whoever waits longest. */
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

/** Connections that no job takes: for requests, and for the claims and leases of the jobs themselves. */
const RESERVED = 0.25
/** One kind of job never takes more than this part of what jobs may take. */
const OF_ONE_KIND = 0.5

export interface JobShares {
  /** A part of the pool for one kind of job. */
  of(kind: string): Connections
}

/** @param connectionsMax of the whole pool. @returns shares that together leave a quarter of it, and at least one, free */
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
