import type { ConcurrencyLimiter, RetryLater } from '../actions/ports/concurrency-limiter.ts'
import type { DestinationQuota, Job } from '../actions/ports/jobs.ts'
import type { Timers } from '../actions/ports/timers.ts'

interface LimiterQuota {
  /** Actions of one key in flight at the same time, at most. */
  readonly runningMax: number
  /** Actions of one key that may queue, at most. */
  readonly waitingMax: number
}

export interface LimiterOptions {
  /** Jobs in progress at the same time, over all destinations. */
  readonly capacity: number
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

/** The concurrency of one host or one merchant. */
interface Limit extends LimiterQuota {
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
  /** When it last had a slot that nothing waited for. */
  idleSlotAt: number
}

interface Waiter {
  readonly limits: readonly Limit[]
  readonly start: () => void
}

/** The host that a destination used last, and until when the destination backs off. */
interface DestinationState {
  host: Limit
  backoffUntil: number
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
/** All slow destinations together leave half of the capacity to the others. */
const SLOW_PART = 0.5
/** A server without a free slot for so long is the bottleneck of its own backlog. */
const IDLE_LATELY_MS = 500
/** The free part of a quota that justifies a poll: each poll costs a statement. */
const ROOM_PART = 0.25

/**
 * Adaptive concurrency limit for jobs that send to merchants' servers, applied twice.
 *
 * At the call (`run`): an action runs when both its host and its merchant have capacity. Otherwise it waits in a
 * bounded FIFO queue, and is rejected when its timeout passes or the queue is full.
 *
 * At the claim (`quota`): a job that would be rejected is not claimed. Otherwise a backlog for an unresponsive server
 * costs two updates per job every few seconds. Normally due jobs are claimed in their order, by one scan of an index
 * without destinations. As soon as a destination reaches its quota, claims go round-robin over the destinations, until
 * one claim finds that its backlog is gone.
 */
export class AdaptiveLimiter {
  private readonly options: LimiterOptions
  private readonly timers: Timers
  private readonly hosts = new Map<string, Limit>()
  private readonly merchants = new Map<bigint, Limit>()
  private readonly destinations = new Map<string, DestinationState>()
  /** Jobs claimed and not ended, by destination. */
  private readonly inProgress = new Map<string, number>()
  /** Destinations that may have a larger backlog than their quota. */
  private readonly crowding = new Set<string>()

  constructor(options: LimiterOptions, timers: Timers) {
    this.options = options
    this.timers = timers
  }

  readonly run: ConcurrencyLimiter = async ({ host, merchantId, destination: name }, prepare) => {
    const { perHost, perMerchant, waitMs, awayMs } = this.options
    const hostLimit = limitOf(this.hosts, host, perHost, LIMIT_FIRST)
    const destination = this.destinationOf(name, hostLimit)
    const limits = [hostLimit, limitOf(this.merchants, merchantId, perMerchant)]
    const noHope = (): boolean => !limits.every(hasSlot) && !limits.every(takesWaiting)
    // Preparation takes CPU time but no slot: a host does not wait for our own work.
    const action = noHope() ? undefined : await prepare()
    if (!action || noHope()) {
      await new Promise<void>((resolve) => void this.timers.after(awayMs, resolve))
      return this.reject(destination)
    }
    if (limits.every(hasSlot)) for (const limit of limits) limit.running += 1
    else if (!(await waitForSlots(this.timers, limits, waitMs))) return this.reject(destination)
    const startedAt = this.timers.elapsedMs()
    try {
      const wasPrompt = await action()
      adapt(hostLimit, wasPrompt, this.timers.elapsedMs() - startedAt)
      if (wasPrompt) destination.backoffUntil = 0
    } finally {
      for (const limit of limits) limit.running -= 1
      for (const limit of limits) startNext(limit)
      if (hasSlot(hostLimit)) hostLimit.idleSlotAt = this.timers.elapsedMs()
      this.forgetOldest()
    }
    return undefined
  }

  /**
   * The free quota of each destination, while some destination may have a larger backlog than its quota. Undefined:
   * none has, and due jobs may be claimed in their order.
   */
  quota(): DestinationQuota | undefined {
    if (this.crowding.size === 0) return undefined
    const slow = this.inProgress
      .entries()
      .reduce((sum, [name, count]) => sum + (this.destinations.get(name)?.host.isSlow ? count : 0), 0)
    const named = new Set([...this.crowding, ...this.inProgress.keys()])
    return { each: LIMIT_FIRST, of: new Map([...named].map((name) => [name, this.roomOf(name, slow)])) }
  }

  /**
   * The destinations with a backlog that waits for us and not for their servers: these reply promptly, and had a free
   * slot lately. Undefined: none has a backlog.
   */
  ready(): readonly string[] | undefined {
    if (this.crowding.size === 0) return undefined
    const lately = this.timers.elapsedMs() - IDLE_LATELY_MS
    return [...this.crowding].filter((name) => {
      const host = this.destinations.get(name)?.host
      if (!host?.isKnown || host.isSlow || this.isBackingOff(name)) return false
      return hasSlot(host) || host.idleSlotAt > lately
    })
  }

  /** Records the result of a claim of at most `limit`. @param quota the quotas that it was made with */
  claimed(jobs: readonly Job[], limit: number, quota: DestinationQuota | undefined): void {
    const taken = Map.groupBy(jobs, destinationName)
    if (quota && jobs.length < limit)
      for (const name of this.crowding)
        if ((taken.get(name)?.length ?? 0) < (quota.of.get(name) ?? 0)) this.crowding.delete(name)
    for (const [name, { length }] of taken) {
      const before = this.countOf(name)
      if (length >= (quota ? (quota.of.get(name) ?? quota.each) : this.shareOf(name) - before)) this.crowding.add(name)
      this.inProgress.set(name, before + length)
    }
  }

  /** Jobs are done or released. @returns whether a destination that may have a backlog has capacity again */
  ended(jobs: readonly Job[]): boolean {
    return jobs.map((job) => this.hasRoomAfter(destinationName(job))).includes(true)
  }

  private hasRoomAfter(name: string): boolean {
    const count = this.countOf(name) - 1
    if (count > 0) this.inProgress.set(name, count)
    else this.inProgress.delete(name)
    if (this.isBackingOff(name)) this.crowding.add(name)
    else if (this.crowding.has(name)) return this.roomOf(name, 0) >= this.shareOf(name) * ROOM_PART
    return false
  }

  private roomOf(name: string, slow: number): number {
    if (this.isBackingOff(name)) return 0
    if (this.destinations.get(name)?.host.isSlow && slow >= this.options.capacity * SLOW_PART) return 0
    return Math.max(this.shareOf(name) - this.countOf(name), 0)
  }

  /** How many jobs a destination may have in progress, depending on how its server has responded. */
  private shareOf(name: string): number {
    const host = this.destinations.get(name)?.host
    return (host?.limit ?? LIMIT_FIRST) + (host?.isKnown && !host.isSlow ? WAITING_READY : 0)
  }

  private countOf(name: string): number {
    return this.inProgress.get(name) ?? 0
  }

  private isBackingOff(name: string): boolean {
    return (this.destinations.get(name)?.backoffUntil ?? 0) > this.timers.elapsedMs()
  }

  private destinationOf(name: string, host: Limit): DestinationState {
    const destination = this.destinations.get(name) ?? { host, backoffUntil: 0 }
    destination.host = host
    this.destinations.set(name, destination)
    return destination
  }

  private reject(destination: DestinationState): RetryLater {
    const { host } = destination
    const now = this.timers.elapsedMs()
    const stepMs = host.tookMs / host.limit
    host.freeAt = Math.min(Math.max(host.freeAt, now + host.waiting.size * stepMs) + stepMs, now + RESCHEDULED_MS.max)
    const afterMs = Math.round(Math.max(host.freeAt - now, RESCHEDULED_MS.min))
    destination.backoffUntil = now + Math.min(afterMs, Math.max(host.tookMs * RESCHEDULED_ANSWERS, RESCHEDULED_MS.min))
    return { afterMs }
  }

  private forgetOldest(): void {
    forgetOldest(this.hosts, (limit) => limit)
    forgetOldest(this.merchants, (limit) => limit)
    forgetOldest(this.destinations, ({ host }) => host)
  }
}

const destinationName = ({ destination = '' }: Job): string => destination

const hasSlot = ({ running, limit }: Limit): boolean => running < limit
/** A slow host queues nothing: whatever queues for it occupies capacity. */
const takesWaiting = ({ waiting, waitingMax, isSlow }: Limit): boolean => waiting.size < waitingMax && !isSlow

function limitOf<Key>(limits: Map<Key, Limit>, key: Key, quota: LimiterQuota, limitFirst = quota.runningMax): Limit {
  const limit = limits.get(key) ?? {
    ...quota,
    running: 0,
    waiting: new Set(),
    limit: Math.min(limitFirst, quota.runningMax),
    isSlow: false,
    isKnown: false,
    tookMs: FIRST_GUESS_MS,
    freeAt: 0,
    idleSlotAt: -Infinity,
  }
  limits.set(key, limit)
  return limit
}

function adapt(host: Limit, wasPrompt: boolean, tookMs: number): void {
  // The host has recovered: latencies from the outage say nothing about it now.
  const isBack = wasPrompt && host.isSlow
  if (isBack) host.freeAt = 0
  host.isSlow = !wasPrompt
  host.isKnown ||= wasPrompt
  host.tookMs = isBack ? tookMs : host.tookMs + (tookMs - host.tookMs) * NEWEST
  host.limit = wasPrompt
    ? Math.min(host.limit * 2, host.runningMax)
    : Math.max(Math.floor(host.limit / 2), Math.min(LIMIT_MIN, host.runningMax))
}

function forgetOldest<Key, Known>(known: Map<Key, Known>, limitOfOne: (one: Known) => Limit): void {
  if (known.size <= REMEMBERED_MAX) return
  const [[key, one] = []] = known
  if (key === undefined || one === undefined) return
  const { running, waiting } = limitOfOne(one)
  if (running === 0 && waiting.size === 0) known.delete(key)
}

/** Resolves true with a slot of every limit taken, or false on timeout. */
const waitForSlots = (timers: Timers, limits: readonly Limit[], waitMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const leaveQueue = () => {
      cancelTimer()
      for (const limit of limits) limit.waiting.delete(waiter)
    }
    const waiter: Waiter = {
      limits,
      start() {
        leaveQueue()
        for (const limit of limits) limit.running += 1
        resolve(true)
      },
    }
    const cancelTimer = timers.after(waitMs, () => {
      leaveQueue()
      resolve(false)
    })
    for (const limit of limits) limit.waiting.add(waiter)
  })

/** Skips waiters whose other limit is full: they must not block those that can run. */
function startNext(limit: Limit): void {
  for (const { limits, start } of limit.waiting) {
    if (!hasSlot(limit)) return
    if (limits.every(hasSlot)) start()
  }
}
