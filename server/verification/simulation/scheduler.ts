import { StorageUnavailable } from '../../actions/ports/store.ts'
import { present } from '../../domain/present.ts'
import type { Timers } from '../../actions/ports/timers.ts'
import type { Choices } from './choices.ts'
import type { StoreStep } from './memory-store/unit-of-work.ts'

/**
 * What a step of a process is about to do to the world; at each step anything may happen to the process or to its
 * connection.
 */
type StepKind = StoreStep | 'network'

/** A process as the scheduler sees it. */
export interface Member {
  readonly name: string
  /** None of its steps runs before then. */
  pausedUntilMs: number
  /** Others take this many steps first, once it could go on. */
  stepsBehind: number
  dead: boolean
  /** PostgreSQL aborts units that it has left open for too long. */
  abortOpenUnits(): void
  hasOpenUnits(): boolean
}

/** An event and its time. */
export interface Note {
  readonly afterMs: number
  readonly text: string
}

interface PendingStep {
  readonly member: Member
  readonly what: string
  readonly kind: StepKind
  readonly go: () => void
  readonly fail: (error: unknown) => void
}

interface Timer {
  readonly member: Member | undefined
  readonly atMs: number
  /** A poll of the job loop, which repeats anyway: time does not advance for its sake. */
  readonly isPoll: boolean
  readonly run: () => void
}

/** The probability of each fault, per step. */
export interface Hostility {
  readonly perStep: number
  /** The share of steps that take time. */
  readonly slowSteps: number
}

interface SchedulerOptions {
  readonly choices: Choices
  readonly hostility: Hostility
  /** The earliest time after now at which something in the world falls due. */
  readonly nextDueMs: (nowMs: number) => number | undefined
  /** Whether something is due that only a poll would pick up. */
  readonly isDue: (nowMs: number) => boolean
  /** A process dies and another one takes its place. */
  readonly crash: (member: Member) => void
}

const START_MS = Date.UTC(2026, 2, 1, 8)
/** PostgreSQL's idle_in_transaction_session_timeout, as storage/pool.ts sets it. */
const IDLE_IN_TRANSACTION_MS = 15_000
const PAUSES_MS = [31_000, 40_000, 5 * 60_000] as const
/**
 * A process resumes in the middle of the others' work on its jobs: after at most this many of their steps, and after
 * waiting for them this long.
 */
const STEPS_BEHIND_MAX = 40
const BEHIND_MS = 5_000
const LEAPS_MS = [31_000, 1_000, 5 * 60_000, 31 * 60_000] as const
/** How long a step may take, usually nothing: a paused process resumes while others are in the middle of something. */
const STEP_MS = [0, 10, 400, 3_000] as const
/**
 * A schedule that needs more steps runs in circles, which is a bug of its own. Payments whose operator reports nothing
 * are polled for a week: of 10,000 schedules one took 120,000.
 */
export const STEPS_MAX = 200_000

/** The schedule needs more than STEPS_MAX steps. */
export class ScheduleStuck extends Error {}

/**
 * Runs one step at a time. At every await that reaches the database, the rail or a merchant it decides which process
 * goes on, and whether a fault happens instead: the connection is lost, the reply is lost, the process dies or is
 * paused, time jumps. Nothing else in a simulation decides anything.
 */
export class Scheduler {
  nowMs = START_MS
  steps = 0
  readonly notes: Note[] = []
  /** Whether faults are injected: false once a schedule is only run to its end. */
  hostile = true
  private pending: PendingStep[] = []
  private timers: Timer[] = []
  private readonly options: SchedulerOptions

  constructor(options: SchedulerOptions) {
    this.options = options
  }

  readonly clock = { now: () => new Date(this.nowMs) }

  /** Await it before doing what it names. Never resolves for a dead process. */
  step(member: Member, kind: StepKind, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!member.dead) this.pending.push({ member, kind, what, go: resolve, fail: reject })
    })
  }

  /** Timer for the waits of a process. */
  timersOf(member: Member, isPoll: boolean): Timers {
    return {
      elapsedMs: () => this.nowMs,
      after: (ms, run) => this.after(ms, run, member, isPoll),
    }
  }

  after(ms: number, run: () => void, member?: Member, isPoll = false): () => void {
    if (member?.dead) return () => undefined
    const timer: Timer = { member, atMs: this.nowMs + Math.max(ms, 0), isPoll, run }
    this.timers.push(timer)
    return () => {
      const place = this.timers.indexOf(timer)
      if (place >= 0) this.timers.splice(place, 1)
    }
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve))
  }

  /** Pending steps of a dead process never run. */
  forget(member: Member): void {
    this.pending = this.pending.filter((step) => step.member !== member)
    this.timers = this.timers.filter((timer) => timer.member !== member)
  }

  /** Injects no more faults, and resumes every paused process. */
  calm(): void {
    this.hostile = false
    this.note('from here on nothing goes wrong')
    for (const { member } of [...this.pending, ...this.timers])
      if (member) Object.assign(member, { pausedUntilMs: 0, stepsBehind: 0 })
  }

  note(text: string): void {
    this.notes.push({ afterMs: this.nowMs - START_MS, text })
  }

  /**
   * Runs until nothing is left to do before `untilMs`.
   * @throws ScheduleStuck
   */
  async run(untilMs: number): Promise<void> {
    for (;;) {
      await settled()
      if (this.steps > STEPS_MAX) throw new ScheduleStuck(`more than ${STEPS_MAX} steps`)
      this.abortWhatIsLeftOpen()
      const awake = this.pending.filter(({ member }) => this.isAwake(member))
      if (awake.length > 0) this.advance(awake)
      else if (!this.moveTime(untilMs)) return
    }
  }

  private isAwake(member: Member): boolean {
    return !member.dead && wakesAtMs(member) <= this.nowMs
  }

  private advance(awake: readonly PendingStep[]): void {
    const {
      choices,
      hostility: { perStep, slowSteps },
    } = this.options
    this.steps += 1
    // The first in line half of the time: otherwise all processes would be about equally far, and none ever far behind.
    const step =
      awake.length > 1 && this.hostile ? choices.rarelyOf(0.5, awake) : present(awake[0], 'a step to go on with')
    const fate = this.hostile ? choices.rarely(perStep, 5) : 0
    if (fate === 2) return this.pause(step.member)
    if (fate === 4) return this.leap()
    this.pending.splice(this.pending.indexOf(step), 1)
    const tookMs = this.hostile ? choices.rarelyOf(slowSteps, STEP_MS) : 0
    if (tookMs > 0) {
      this.nowMs += tookMs
      this.fireTimers()
    }
    if (fate === 3) {
      this.note(`${step.member.name} dies before: ${step.what}`)
      return this.options.crash(step.member)
    }
    if (fate === 1 && step.kind !== 'network') {
      this.note(
        `${step.member.name} loses its connection ${step.kind === 'commit_answer' ? 'after' : 'before'}: ${step.what}`,
      )
      return step.fail(new StorageUnavailable(new Error('the connection was lost (simulated)')))
    }
    this.note(`${step.member.name}: ${step.what}${step.kind === 'commit_answer' ? ' (committed)' : ''}`)
    for (const member of new Set(this.pending.map(({ member: one }) => one)))
      if (member.stepsBehind > 0 && member.pausedUntilMs <= this.nowMs) member.stepsBehind -= 1
    step.go()
  }

  private pause(member: Member): void {
    const { choices, nextDueMs } = this.options
    // Usually until something falls due, such as its own lease: then another process takes the job over, and this one
    // resumes during that.
    const leaseEndMs = choices.among(4) === 0 ? undefined : nextDueMs(this.nowMs)
    const ms = leaseEndMs === undefined ? choices.of(...PAUSES_MS) : leaseEndMs - this.nowMs
    member.pausedUntilMs = this.nowMs + ms
    member.stepsBehind = choices.among(STEPS_BEHIND_MAX)
    this.note(`${member.name} stands still for ${ms / 1000} s, and ${member.stepsBehind} steps of others`)
    this.after(IDLE_IN_TRANSACTION_MS, () => {
      if (member.pausedUntilMs > this.nowMs) this.abortOpenUnits(member)
    })
    this.after(ms, () => undefined)
    this.after(ms + BEHIND_MS, () => undefined)
  }

  private abortOpenUnits(member: Member): void {
    if (!member.hasOpenUnits()) return
    this.note(`PostgreSQL ends what ${member.name} has left open`)
    member.abortOpenUnits()
  }

  /** Time passes while all processes are in the middle of something. */
  private leap(): void {
    const ms = this.options.choices.of(...LEAPS_MS)
    this.nowMs += ms
    this.note(`all of this has taken ${ms / 1000} s`)
    this.leapt = ms >= IDLE_IN_TRANSACTION_MS
    this.fireTimers()
  }

  private leapt = false
  private abortWhatIsLeftOpen(): void {
    if (!this.leapt) return
    this.leapt = false
    for (const member of new Set(this.pending.map(({ member }) => member))) this.abortOpenUnits(member)
  }

  /**
   * No process can go on now: advances to the next time at which something happens.
   * @returns false when there is none
   */
  private moveTime(untilMs: number): boolean {
    // A paused process notices nothing before it resumes.
    const times = (isPoll: boolean) =>
      this.timers
        .filter((timer) => timer.isPoll === isPoll)
        .map(({ atMs, member }) => Math.max(atMs, member ? wakesAtMs(member) : 0))
    const wanted = times(false)
    const dueMs = this.options.isDue(this.nowMs) ? this.nowMs : this.options.nextDueMs(this.nowMs)
    const polls = dueMs === undefined ? [] : times(true).map((atMs) => Math.max(atMs, dueMs))
    const next = Math.min(...wanted, ...polls)
    if (next === Infinity || next > untilMs) return false
    this.nowMs = Math.max(this.nowMs, next)
    this.fireTimers()
    return true
  }

  /** Of several processes that would poll for jobs, one does so first. */
  private fireTimers(): void {
    const isOver = ({ atMs, member }: Timer): boolean =>
      atMs <= this.nowMs && (member === undefined || this.isAwake(member))
    const lookers = [
      ...new Set(this.timers.filter((timer) => timer.isPoll && isOver(timer)).map(({ member }) => member)),
    ]
    const looker = lookers.length > 1 ? lookers[this.options.choices.among(lookers.length)] : lookers[0]
    const firing: Timer[] = []
    const waiting: Timer[] = []
    for (const timer of this.timers)
      (isOver(timer) && (!timer.isPoll || timer.member === looker) ? firing : waiting).push(timer)
    this.timers = waiting
    for (const { run } of firing) run()
  }
}

/** Unless others must take this many steps before. */
const wakesAtMs = ({ pausedUntilMs, stepsBehind }: Member): number => pausedUntilMs + (stepsBehind > 0 ? BEHIND_MS : 0)

/**
 * By then everything that the scheduler does not decide has happened: it is all promises, and ticks come after the last
 * of them.
 */
const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))
