import type { Timers } from '../actions/ports/timers.ts'
import { RequestFault } from './failures.ts'

/** The part of what is finished that is accepted in any case: after an outage the backlog may be hours old. */
const SHARE_MIN = 0.1
/** Payments a second that are accepted even while nothing is finished. */
const RATE_MIN = 1
/** How much more is tried, each second, while no due job waits. */
const GROWTH_PER_SECOND = 0.25
/** The part of the longest delay that is aimed at. */
const AIMED_PART = 0.5
/** In how many seconds a backlog that is too long, or too short, would become right. */
const SETTLES_SECONDS = 8
/** Over how many seconds the rate of finishing is averaged. */
const AVERAGED_SECONDS = 5
/** Where nothing was refused for so long, more is carried than arrives. */
const OVER_SECONDS = 5
/** What may be accepted at once, in seconds of the rate. */
const BURST_SECONDS = 0.1
/** An older backlog tells no rate. */
const REMEMBERED_SECONDS = 60

/** One for all: in an overload, the stack trace of an error for each request costs more than the rest of its refusal. */
export const OVERLOADED = new RequestFault(
  503,
  'More payments arrive than we can carry: try again shortly',
  { 'retry-after': '1' },
  'overloaded',
)

/** Admission control: no more payments are accepted than the workers finish, once due jobs wait too long. */
export interface Admission {
  /** Called a few times a second. @param delayMs how long the oldest due job has been due, as the workers note it */
  observe(delayMs: number): void
  /**
   * For a request that nobody has read yet: refusing costs the processor that finishing needs.
   * @returns whether it must be refused, because no payment can be accepted at this moment
   */
  turnAway(): boolean
  /** For a request with valid keys: counts a payment. @throws OVERLOADED if it is one too many */
  admit(): void
}

/** How many payments this process had accepted at a moment. */
interface Count {
  readonly at: number
  readonly accepted: number
}

/**
 * Overload control before anything is stored: what nobody can carry in time is refused, never accepted and then late.
 * Accepting takes the processor from the workers, so without it they finish less the more is offered.
 *
 * The oldest due job is as old as the delay, so what was accepted before that moment is done: this gives the rate of
 * finishing and the backlog without a count of either in the database, and each process finds its own part. The
 * accepted rate is that of finishing, corrected so that the backlog takes half of the longest delay. A share of what
 * arrives, made from the delay alone, swung between half a second and five at twice the peak: a delay shows what was
 * accepted as long ago as it lasts.
 * @param delayMsMax how long due jobs may wait before anything is refused
 * @param onRefused called for each refused request
 */
export class OverloadControl implements Admission {
  private readonly timers: Pick<Timers, 'elapsedMs'>
  private readonly delayMax: number
  private readonly onRefused: (delayMs: number) => void
  private counts: Count[]
  private accepted = 0
  private finished = 0
  private finishRate = 0
  /** Payments a second; undefined: everything is accepted. */
  private rate: number | undefined
  private tokens = 0
  private filledAt: number
  private refusedAt = -Infinity
  private latestMs = 0

  constructor(
    timers: Pick<Timers, 'elapsedMs'>,
    delayMsMax: number,
    onRefused: (delayMs: number) => void = () => undefined,
  ) {
    this.timers = timers
    this.delayMax = delayMsMax / 1_000
    this.onRefused = onRefused
    this.filledAt = this.now()
    this.counts = [{ at: this.now(), accepted: 0 }]
  }

  observe(delayMs: number): void {
    const now = this.now()
    const before = this.counts.at(-1)?.at ?? now
    if (now <= before) return
    this.latestMs = delayMs
    this.counts.push({ at: now, accepted: this.accepted })
    this.measure(now, now - delayMs / 1_000, now - before)
    if (this.rate === undefined && delayMs / 1_000 <= this.delayMax) return
    if (this.rate === undefined) {
      this.refusedAt = now
      // A payment that comes alone is none too many.
      this.tokens = 1
    }
    if (now - this.refusedAt > OVER_SECONDS) {
      this.rate = undefined
      return
    }
    this.fill(now)
    const backlogSeconds = (this.accepted - this.finished) / Math.max(this.finishRate, 1)
    const correction = (this.delayMax * AIMED_PART - backlogSeconds) / SETTLES_SECONDS
    const carried = this.finishRate * Math.max(1 + correction, SHARE_MIN)
    // While nothing waits, the rate of finishing only shows what was accepted.
    const idle = delayMs === 0 ? (this.rate ?? 0) * (1 + GROWTH_PER_SECOND * (now - before)) : 0
    this.rate = Math.max(carried, idle, RATE_MIN)
  }

  turnAway(): boolean {
    if (this.rate === undefined) return false
    const now = this.now()
    this.fill(now)
    if (this.tokens >= 1) return false
    this.refusedAt = now
    this.onRefused(this.latestMs)
    return true
  }

  admit(): void {
    if (this.turnAway()) throw OVERLOADED
    if (this.rate !== undefined) this.tokens -= 1
    this.accepted += 1
  }

  /** What was accepted until then is done. @param seconds since the last measurement */
  private measure(now: number, doneUntil: number, seconds: number): void {
    const startedAt = this.counts[0]?.at ?? now
    if (doneUntil < startedAt) {
      // A process that starts during the overload has accepted nothing that could be done.
      this.finishRate = this.accepted / (now - startedAt)
      return
    }
    const finished = Math.max(this.acceptedUntil(doneUntil), this.finished)
    const rate = (finished - this.finished) / seconds
    this.finished = finished
    this.finishRate += (rate - this.finishRate) * (this.finishRate === 0 ? 1 : Math.min(seconds / AVERAGED_SECONDS, 1))
    const oldest = doneUntil - REMEMBERED_SECONDS
    while (this.counts.length > 2 && (this.counts[1]?.at ?? oldest) < oldest) this.counts.shift()
  }

  private acceptedUntil(moment: number): number {
    const index = this.counts.findLastIndex(({ at }) => at <= moment)
    const [from, to] = [this.counts[index], this.counts[index + 1]]
    if (!from) return this.finished
    if (!to) return from.accepted
    return from.accepted + ((to.accepted - from.accepted) * (moment - from.at)) / (to.at - from.at)
  }

  private fill(now: number): void {
    const rate = this.rate ?? 0
    this.tokens = Math.min(this.tokens + (now - this.filledAt) * rate, Math.max(rate * BURST_SECONDS, 1))
    this.filledAt = now
  }

  private now(): number {
    return this.timers.elapsedMs() / 1_000
  }
}
