import type { RetryLater, ConcurrencyLimiter } from '../actions/ports/concurrency-limiter.ts'
import type { Shares } from './destination-quotas.ts'
import { systemTimers, type Timers } from './timers.ts'

export interface LimiterQuota {
  /** Actions of one key in flight at the same time, at most. */
  readonly runningMax: number
  /** Actions of one key that may queue, at most. */
  readonly waitingMax: number
}

export interface TurnsOptions {
  readonly perHost: LimiterQuota
  /** Applies to a merchant as a whole, however many hosts it uses. */
  readonly perMerchant: LimiterQuota
  /** Queue timeout. Much shorter than a lease: otherwise another worker would claim the same job. */
  readonly waitMs: number
  /**
   * Delay before a rejection when the queue is full. It keeps a backlog for one key out of a busy loop of claims and
   * reschedules.
   */
  readonly awayMs: number
}

interface Line extends LimiterQuota {
  running: number
  readonly waiting: Set<Waiter>
  /**
   * Current concurrency limit. It starts low; each prompt reply doubles it up to `runningMax`, each slow one halves
   * it.
   */
  places: number
  /** The last reply was slow. */
  isSlow: boolean
  /** Moving average of the latency. */
  tookMs: number
  /** At least one reply was prompt. */
  isKnown: boolean
  /** When capacity is expected for everything that was rejected so far. */
  freeAt: number
}

interface Waiter {
  readonly lines: readonly Line[]
  readonly start: () => void
}

/** The host that a destination used last, and until when the destination backs off. */
interface DestinationState {
  line: Line
  putOffUntil: number
}

export interface HostTurns {
  readonly turns: ConcurrencyLimiter
  /** Claim quota per destination: about its free capacity, and nothing while it backs off. */
  readonly shares: Shares
}

/** Initial limit: an unknown server does not receive its whole share at once. */
const PLACES_FIRST = 16
/**
 * Jobs claimed beyond the limit for a destination that replies promptly. A job in progress also waits for its
 * signature and for the commit of its outcome, half a second on a busy machine. With 64, a single server received 440
 * callbacks a second where the CPU was enough for 750. More than 256 brought no improvement.
 */
const WAITING_READY = 256
/**
 * Limit of an unresponsive host until it answers again. It is low, so that many unresponsive hosts cannot occupy all
 * of the capacity.
 */
const PLACES_MIN = 4
/** The limiter keeps the state of at most this many idle hosts and evicts the oldest. */
const REMEMBERED_MAX = 10_000
/**
 * Bounds of the retry delay after a rejection. The delay is about the time until capacity is free, so that a backlog
 * is neither claimed and rescheduled all the time nor left idle. The maximum is short: a server that was slow only for
 * a moment must not wait for minutes.
 */
const RESCHEDULED_MS = { min: 100, max: 20_000 }
/**
 * A destination with a backlog becomes claimable again after the time of this many replies. Without this bound, a
 * server that was slow for a moment because we were slow was left idle for 17 s with thousands of callbacks waiting
 * for it.
 */
const RESCHEDULED_ANSWERS = 4
const FIRST_GUESS_MS = 100
/** Weight of the newest latency in the moving average. */
const NEWEST = 0.2

const hasPlace = ({ running, places }: Line): boolean => running < places
/** A slow host queues nothing: whatever queues for it occupies capacity. */
const takesWaiting = ({ waiting, waitingMax, isSlow }: Line): boolean => waiting.size < waitingMax && !isSlow

/**
 * Adaptive concurrency limit. An action runs when both its host and its merchant have capacity. Otherwise it waits in
 * a bounded FIFO queue, and is rejected when its timeout passes or the queue is full.
 */
export function createTurns(
  { perHost, perMerchant, waitMs, awayMs }: TurnsOptions,
  timers: Timers = systemTimers,
): HostTurns {
  const hosts = new Map<string, Line>()
  const merchants = new Map<bigint, Line>()
  const addressees = new Map<string, DestinationState>()

  function leave(addressee: DestinationState): RetryLater {
    const away = reschedule(addressee.line, timers)
    addressee.putOffUntil =
      timers.elapsedMs() +
      Math.min(away.afterMs, Math.max(addressee.line.tookMs * RESCHEDULED_ANSWERS, RESCHEDULED_MS.min))
    return away
  }

  const turns: ConcurrencyLimiter = async ({ host, merchantId, addressee: name }, prepare) => {
    const hostLine = lineOf(hosts, host, perHost, PLACES_FIRST)
    const addressee = addresseeAt(addressees, name, hostLine)
    const lines = [hostLine, lineOf(merchants, merchantId, perMerchant)]
    const noHope = (): boolean => !lines.every(hasPlace) && !lines.every(takesWaiting)
    // Preparation takes CPU time but no slot: a host does not wait for our own work.
    const action = noHope() ? undefined : await prepare()
    if (!action || noHope()) return pause(timers, awayMs).then(() => leave(addressee))
    if (lines.every(hasPlace)) for (const line of lines) line.running += 1
    else if (!(await wait(timers, lines, waitMs))) return leave(addressee)
    const startedAt = timers.elapsedMs()
    try {
      const wasPrompt = await action()
      adapt(hostLine, wasPrompt, timers.elapsedMs() - startedAt)
      if (wasPrompt) addressee.putOffUntil = 0
    } finally {
      for (const line of lines) line.running -= 1
      for (const line of lines) startNext(line)
      forgetOldest(hosts, (line) => line)
      forgetOldest(merchants, (line) => line)
      forgetOldest(addressees, ({ line }) => line)
    }
    return undefined
  }
  return { turns, shares: sharesOf(addressees, timers) }
}

function sharesOf(addressees: ReadonlyMap<string, DestinationState>, timers: Timers): Shares {
  const lineOfAddressee = (name: string): Line | undefined => addressees.get(name)?.line
  return {
    first: PLACES_FIRST,
    of(name) {
      const line = lineOfAddressee(name)
      return (line?.places ?? PLACES_FIRST) + (line?.isKnown && !line.isSlow ? WAITING_READY : 0)
    },
    isSlow: (name) => lineOfAddressee(name)?.isSlow ?? false,
    isPutOff: (name) => (addressees.get(name)?.putOffUntil ?? 0) > timers.elapsedMs(),
  }
}

function lineOf<Key>(lines: Map<Key, Line>, key: Key, share: LimiterQuota, placesFirst = share.runningMax): Line {
  const line = lines.get(key) ?? {
    ...share,
    running: 0,
    waiting: new Set(),
    places: Math.min(placesFirst, share.runningMax),
    isSlow: false,
    isKnown: false,
    tookMs: FIRST_GUESS_MS,
    freeAt: 0,
  }
  lines.set(key, line)
  return line
}

function adapt(line: Line, wasPrompt: boolean, tookMs: number): void {
  // The host has recovered: latencies from the outage say nothing about it now.
  const isBack = wasPrompt && line.isSlow
  if (isBack) line.freeAt = 0
  line.isSlow = !wasPrompt
  line.isKnown ||= wasPrompt
  line.tookMs = isBack ? tookMs : line.tookMs + (tookMs - line.tookMs) * NEWEST
  line.places = wasPrompt
    ? Math.min(line.places * 2, line.runningMax)
    : Math.max(Math.floor(line.places / 2), Math.min(PLACES_MIN, line.runningMax))
}

function reschedule(line: Line, timers: Timers): RetryLater {
  const now = timers.elapsedMs()
  const stepMs = line.tookMs / line.places
  line.freeAt = Math.min(Math.max(line.freeAt, now + line.waiting.size * stepMs) + stepMs, now + RESCHEDULED_MS.max)
  return { afterMs: Math.round(Math.max(line.freeAt - now, RESCHEDULED_MS.min)) }
}

function addresseeAt(addressees: Map<string, DestinationState>, name: string, line: Line): DestinationState {
  const addressee = addressees.get(name) ?? { line, putOffUntil: 0 }
  addressee.line = line
  addressees.set(name, addressee)
  return addressee
}

const isIdle = ({ running, waiting }: Line): boolean => running === 0 && waiting.size === 0

function forgetOldest<Key, Known>(known: Map<Key, Known>, lineOfOne: (one: Known) => Line): void {
  if (known.size <= REMEMBERED_MAX) return
  const [oldest] = known
  if (oldest && isIdle(lineOfOne(oldest[1]))) known.delete(oldest[0])
}

const pause = (timers: Timers, ms: number): Promise<void> => new Promise((resolve) => void timers.after(ms, resolve))

/** Resolves true with a slot of every limit taken, or false on timeout. */
const wait = (timers: Timers, lines: readonly Line[], waitMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const leave = () => {
      cancelTimer()
      for (const line of lines) line.waiting.delete(waiter)
    }
    const waiter: Waiter = {
      lines,
      start() {
        leave()
        for (const line of lines) line.running += 1
        resolve(true)
      },
    }
    const cancelTimer = timers.after(waitMs, () => {
      leave()
      resolve(false)
    })
    for (const line of lines) line.waiting.add(waiter)
  })

/** Skips waiters whose other limit is full: they must not block those that can run. */
function startNext(line: Line): void {
  for (const { lines, start } of line.waiting) {
    if (!hasPlace(line)) return
    if (lines.every(hasPlace)) start()
  }
}
