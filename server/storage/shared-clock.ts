import type { Clock } from '../actions/ports/clock.ts'
import { available, type Pool } from './pool.ts'

/** The clocks of this machine alone. */
export interface OwnTime {
  /** Milliseconds since 1970, by the machine's wall clock: it may be wrong, and it may jump. */
  wallMs(): number
  /** Monotonic milliseconds. */
  elapsedMs(): number
}

const ownTime: OwnTime = { wallMs: () => Date.now(), elapsedMs: () => performance.now() }

/** A clock skew above this is reported: it breaks certificate checks, and the timestamps in logs mislead. */
export const CLOCK_SKEW_REPORTED_MS = 5_000
/** A machine with more skew than this should get no traffic. */
export const CLOCK_SKEW_MAX_MS = 60_000

/**
 * The clock that all processes share: the database's. Leases, due times, expiry and limit windows are compared with
 * what other processes wrote, so a machine whose own clock is an hour ahead must neither take over live leases nor
 * expire payment pages. Between two queries to the database, the machine adds only its elapsed time, which a wrong or
 * jumping wall clock does not change.
 */
export interface SharedClock extends Clock {
  /**
   * Queries the database's time again.
   * @throws StorageUnavailable
   */
  sync(): Promise<void>
  /** How far this machine's clock was ahead of the database's at the last query; negative when it was behind. */
  skewMs(): number
}

interface ClockSample {
  readonly offsetMs: number
  readonly tookMs: number
}

/** Of several samples, the one with the shortest round trip is the most precise. */
const FIRST_POLLS = 3

/** @throws StorageUnavailable when the query fails */
export async function createSharedClock(pool: Pool, own: OwnTime = ownTime): Promise<SharedClock> {
  let aheadMs = 0
  /** Offset from the elapsed time to the database's time. */
  let offsetMs = 0

  async function poll(): Promise<ClockSample> {
    const before = own.elapsedMs()
    const {
      rows: [row],
    } = await available(() =>
      pool.query<{ ms: number }>({
        name: 'database-time',
        text: 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
      }),
    )
    const after = own.elapsedMs()
    if (!row) throw new Error('the database did not report its time')
    return { offsetMs: row.ms - (before + after) / 2, tookMs: after - before }
  }

  function set(sample: ClockSample, isFirst = false): void {
    // Ignores a difference within the sample's own uncertainty (half its round trip): the time must not jitter with
    // every slow reply.
    if (isFirst || Math.abs(sample.offsetMs - offsetMs) > sample.tookMs / 2) offsetMs = sample.offsetMs
    aheadMs = own.wallMs() - (own.elapsedMs() + offsetMs)
  }

  const polls: ClockSample[] = []
  for (let n = 0; n < FIRST_POLLS; n += 1) polls.push(await poll())
  set(
    polls.reduce((best, one) => (one.tookMs < best.tookMs ? one : best)),
    true,
  )
  return {
    now: () => new Date(own.elapsedMs() + offsetMs),
    sync: async () => set(await poll()),
    skewMs: () => Math.round(aheadMs),
  }
}

/** `3600 s ahead of the database's`. */
export const skewText = (skewMs: number): string =>
  `${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database's`
