import type { Clock } from '../actions/ports/clock.ts'
import { available, type Pool } from './pool.ts'

/** The time of this machine alone. */
export interface OwnTime {
  /** Milliseconds since 1970, as its clock shows them: it may be wrong, and it may jump. */
  wallMs(): number
  /** Milliseconds that only ever grow. */
  elapsedMs(): number
}

export const ownTime: OwnTime = { wallMs: () => Date.now(), elapsedMs: () => performance.now() }

/** A machine whose clock differs by more than this is told of: it is wrong about certificates, and its logs mislead. */
export const CLOCK_SKEW_TOLD_MS = 5_000
/** By more than this it should get no traffic. */
export const CLOCK_SKEW_MAX_MS = 60_000

/**
 * The time that all processes share: the database's. Leases, due times, expiry and the windows of limits are compared
 * with what other processes wrote, so a machine whose own clock is an hour ahead must neither take over live leases nor
 * expire pages. Between two looks at the database the machine only counts how much time has passed, which a wrong or
 * jumping clock does not change.
 */
export interface SharedClock extends Clock {
  /** Looks at the database again. @throws StorageUnavailable */
  sync(): Promise<void>
  /** How far this machine's own clock is ahead of the database's, at the last look; negative when it is behind. */
  skewMs(): number
}

interface Look {
  readonly offsetMs: number
  readonly tookMs: number
}

/** Of several looks the quickest says most exactly when it was. */
const FIRST_LOOKS = 3

/** @throws StorageUnavailable when the database cannot be asked */
export async function createSharedClock(pool: Pool, own: OwnTime = ownTime): Promise<SharedClock> {
  let aheadMs = 0
  /** Added to the elapsed time it gives the database's. */
  let offsetMs = 0

  async function look(): Promise<Look> {
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
    if (!row) throw new Error('the database did not tell its time')
    return { offsetMs: row.ms - (before + after) / 2, tookMs: after - before }
  }

  function set(looked: Look, isFirst = false): void {
    // What differs by no more than the look itself may be wrong by says nothing new: time must not wobble with every
    // slow answer.
    if (isFirst || Math.abs(looked.offsetMs - offsetMs) > looked.tookMs / 2) offsetMs = looked.offsetMs
    aheadMs = own.wallMs() - (own.elapsedMs() + offsetMs)
  }

  const looks: Look[] = []
  for (let n = 0; n < FIRST_LOOKS; n += 1) looks.push(await look())
  set(
    looks.reduce((best, one) => (one.tookMs < best.tookMs ? one : best)),
    true,
  )
  return {
    now: () => new Date(own.elapsedMs() + offsetMs),
    sync: async () => set(await look()),
    skewMs: () => Math.round(aheadMs),
  }
}

/** `3600 s ahead of the database's`. */
export const skewText = (skewMs: number): string =>
  `${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database's`
