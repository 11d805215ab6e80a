import type { RetryLater, ConcurrencyLimiter } from '../actions/ports/concurrency-limiter.ts'
import type { Shares } from './destination-quotas.ts'
import { systemTimers, type Timers } from './timers.ts'

interface LimiterQuota {
  /** Actions of one key in flight at the same time, at most. */
  readonly runningMax: number
  /** Actions of one key that may queue, at most. */
  readonly waitingMax: number
}

export interface LimiterOptions {
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

interface LimiterState extends LimiterQuota {
  running: number
  readonly waiting: Set<Waiter>
  /**
   * Current concurrency limit. It starts low; each prompt reply doubles it up to `runningMax`, each slow one halves
   * it.
   */
  limit: number
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
  readonly states: readonly LimiterState[]
  readonly start: () => void
}

/** The host that a destination used last, and until when the destination backs off. */
interface DestinationState {
  host: LimiterState
  backoffUntil: number
}

interface HostLimiter {
  readonly limiter: ConcurrencyLimiter
  /** Claim quota per destination: about its free capacity, and nothing while it backs off. */
  readonly shares: Shares
}

/** Initial limit: an unknown server does not receive its whole share at once. */
const LIMIT_FIRST = 16
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
const LIMIT_MIN = 4
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

const hasSlot = ({ running, limit }: LimiterState): boolean => running < limit
/** A slow host queues nothing: whatever queues for it occupies capacity. */
const takesWaiting = ({ waiting, waitingMax, isSlow }: LimiterState): boolean => waiting.size < waitingMax && !isSlow

/**
 * Adaptive concurrency limit. An action runs when both its host and its merchant have capacity. Otherwise it waits in
 * a bounded FIFO queue, and is rejected when its timeout passes or the queue is full.
 */
export function createConcurrencyLimiter(
  { perHost, perMerchant, waitMs, awayMs }: LimiterOptions,
  timers: Timers = systemTimers,
): HostLimiter {
  const hosts = new Map<string, LimiterState>()
  const merchants = new Map<bigint, LimiterState>()
  const destinations = new Map<string, DestinationState>()

  function reject(destination: DestinationState): RetryLater {
    const away = reschedule(destination.host, timers)
    destination.backoffUntil =
      timers.elapsedMs() +
      Math.min(away.afterMs, Math.max(destination.host.tookMs * RESCHEDULED_ANSWERS, RESCHEDULED_MS.min))
    return away
  }

  const limiter: ConcurrencyLimiter = async ({ host, merchantId, destination: name }, prepare) => {
    const hostState = stateOf(hosts, host, perHost, LIMIT_FIRST)
    const destination = destinationAt(destinations, name, hostState)
    const states = [hostState, stateOf(merchants, merchantId, perMerchant)]
    const noHope = (): boolean => !states.every(hasSlot) && !states.every(takesWaiting)
    // Preparation takes CPU time but no slot: a host does not wait for our own work.
    const action = noHope() ? undefined : await prepare()
    if (!action || noHope()) return pause(timers, awayMs).then(() => reject(destination))
    if (states.every(hasSlot)) for (const state of states) state.running += 1
    else if (!(await wait(timers, states, waitMs))) return reject(destination)
    const startedAt = timers.elapsedMs()
    try {
      const wasPrompt = await action()
      adapt(hostState, wasPrompt, timers.elapsedMs() - startedAt)
      if (wasPrompt) destination.backoffUntil = 0
    } finally {
      for (const state of states) state.running -= 1
      for (const state of states) startNext(state)
      forgetOldest(hosts, (state) => state)
      forgetOldest(merchants, (state) => state)
      forgetOldest(destinations, ({ host }) => host)
    }
    return undefined
  }
  return { limiter, shares: sharesOf(destinations, timers) }
}

function sharesOf(destinations: ReadonlyMap<string, DestinationState>, timers: Timers): Shares {
  const hostOf = (name: string): LimiterState | undefined => destinations.get(name)?.host
  return {
    first: LIMIT_FIRST,
    of(name) {
      const state = hostOf(name)
      return (state?.limit ?? LIMIT_FIRST) + (state?.isKnown && !state.isSlow ? WAITING_READY : 0)
    },
    isSlow: (name) => hostOf(name)?.isSlow ?? false,
    isBackingOff: (name) => (destinations.get(name)?.backoffUntil ?? 0) > timers.elapsedMs(),
  }
}

function stateOf<Key>(
  states: Map<Key, LimiterState>,
  key: Key,
  share: LimiterQuota,
  limitFirst = share.runningMax,
): LimiterState {
  const state = states.get(key) ?? {
    ...share,
    running: 0,
    waiting: new Set(),
    limit: Math.min(limitFirst, share.runningMax),
    isSlow: false,
    isKnown: false,
    tookMs: FIRST_GUESS_MS,
    freeAt: 0,
  }
  states.set(key, state)
  return state
}

function adapt(state: LimiterState, wasPrompt: boolean, tookMs: number): void {
  // The host has recovered: latencies from the outage say nothing about it now.
  const isBack = wasPrompt && state.isSlow
  if (isBack) state.freeAt = 0
  state.isSlow = !wasPrompt
  state.isKnown ||= wasPrompt
  state.tookMs = isBack ? tookMs : state.tookMs + (tookMs - state.tookMs) * NEWEST
  state.limit = wasPrompt
    ? Math.min(state.limit * 2, state.runningMax)
    : Math.max(Math.floor(state.limit / 2), Math.min(LIMIT_MIN, state.runningMax))
}

function reschedule(state: LimiterState, timers: Timers): RetryLater {
  const now = timers.elapsedMs()
  const stepMs = state.tookMs / state.limit
  state.freeAt = Math.min(Math.max(state.freeAt, now + state.waiting.size * stepMs) + stepMs, now + RESCHEDULED_MS.max)
  return { afterMs: Math.round(Math.max(state.freeAt - now, RESCHEDULED_MS.min)) }
}

function destinationAt(
  destinations: Map<string, DestinationState>,
  name: string,
  host: LimiterState,
): DestinationState {
  const destination = destinations.get(name) ?? { host, backoffUntil: 0 }
  destination.host = host
  destinations.set(name, destination)
  return destination
}

const isIdle = ({ running, waiting }: LimiterState): boolean => running === 0 && waiting.size === 0

function forgetOldest<Key, Known>(known: Map<Key, Known>, stateOfOne: (one: Known) => LimiterState): void {
  if (known.size <= REMEMBERED_MAX) return
  const [oldest] = known
  if (oldest && isIdle(stateOfOne(oldest[1]))) known.delete(oldest[0])
}

const pause = (timers: Timers, ms: number): Promise<void> => new Promise((resolve) => void timers.after(ms, resolve))

/** Resolves true with a slot of every limit taken, or false on timeout. */
const wait = (timers: Timers, states: readonly LimiterState[], waitMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const leaveQueue = () => {
      cancelTimer()
      for (const state of states) state.waiting.delete(waiter)
    }
    const waiter: Waiter = {
      states,
      start() {
        leaveQueue()
        for (const state of states) state.running += 1
        resolve(true)
      },
    }
    const cancelTimer = timers.after(waitMs, () => {
      leaveQueue()
      resolve(false)
    })
    for (const state of states) state.waiting.add(waiter)
  })

/** Skips waiters whose other limit is full: they must not block those that can run. */
function startNext(state: LimiterState): void {
  for (const { states, start } of state.waiting) {
    if (!hasSlot(state)) return
    if (states.every(hasSlot)) start()
  }
}
