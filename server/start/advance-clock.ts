import { setTimeout as pause } from 'node:timers/promises'
import type { JobKind } from '../actions/ports/jobs.ts'
import type { ClockAdvance, ClockDesk } from '../local/sandbox/serve-clock.ts'
import type { VirtualClock } from '../local/sandbox/virtual-clock.ts'
import { leasedJobs, unfinishedJobs } from '../storage/jobs.ts'
import { livingProcesses } from '../storage/processes.ts'
import { available, type Pool } from '../storage/pool.ts'
import type { Foundation } from './foundation.ts'
import type { JobRunner } from './jobs.ts'
import type { ConnectedRails } from './rails.ts'

/** Other processes learn within this time that the clock is being advanced (CLOCK_SYNC_MS), and stop claiming jobs. */
const OTHERS_LEARN_MS = 1_500
/** A third of how long the right to advance it lasts. */
const HOLD_AGAIN_MS = 3_000
const STILL_BUSY_MS = 20
/**
 * An order without a result is polled every ten minutes, and nearly always in vain: results are reported at their own
 * times. In an advance of a year that would be 50,000 steps, so in long ones polls wait for each other.
 */
const POLLS: ReadonlySet<JobKind> = new Set(['pollRail', 'resolveUnknownOutcome', 'pollRefund', 'resolveRefund'])
const POLL_STEPS_MAX = 300

interface Runs {
  last: Promise<void>
}

interface Walk {
  readonly pool: Pool
  readonly jobs: Pick<JobRunner, 'worker' | 'runDue' | 'pause' | 'resume'>
  readonly rails: Pick<ConnectedRails, 'nextReport'>
  readonly clock: VirtualClock
  readonly runs: Runs
}

/**
 * Advances the clock of the sandbox from due time to due time, so that every job runs at its own time and in order.
 * Meanwhile no process runs jobs by itself: a lease, which is in the same time as everything else, would seem to have
 * ended while its job runs. What is leased when it begins is waited for.
 * @returns undefined where the clock cannot be advanced
 */
export function createClockDesk(
  { pool, realClock, virtualClock, months, logError }: Foundation,
  jobs: Walk['jobs'],
  rails: Walk['rails'],
): ClockDesk | undefined {
  if (!virtualClock) return undefined
  let isMoving = false
  /** May go on after its advance has given up: the next one waits for it. */
  const runs: Runs = { last: Promise.resolve() }
  const failed = (error: unknown) => logError(error, 'advancing the clock')

  const show = () => ({ now: virtualClock.now(), realNow: realClock.now(), aheadMs: virtualClock.aheadMs() })

  async function advance(clock: VirtualClock, to: Date, timeoutMs: number): Promise<ClockAdvance> {
    if (!(await clock.hold())) return 'busy'
    const holding = setInterval(() => void clock.hold().catch(failed), HOLD_AGAIN_MS)
    const deadline = AbortSignal.timeout(timeoutMs)
    try {
      await walk({ pool, jobs, rails, clock, runs }, to, deadline)
      await months.keep()
      return {
        ...show(),
        finished: !deadline.aborted,
        due: deadline.aborted ? await unfinishedJobs(pool, clock.now()) : {},
      }
    } finally {
      clearInterval(holding)
      runs.last = runs.last.catch(failed)
      await clock.letGo().catch(failed)
      jobs.resume()
    }
  }

  return {
    show,
    async advance(to, timeoutMs) {
      if (isMoving) return 'busy'
      isMoving = true
      try {
        return await advance(virtualClock, to, timeoutMs)
      } finally {
        isMoving = false
      }
    },
  }
}

/** Resolves when the clock is there, or the time is over. */
async function walk({ pool, jobs, rails, clock, runs }: Walk, to: Date, deadline: AbortSignal): Promise<void> {
  const pollsEveryMs = (to.getTime() - clock.now().getTime()) / POLL_STEPS_MAX
  const within = (step: Promise<unknown>) => Promise.race([step, aborted(deadline)])
  await within(Promise.all([jobs.pause(), othersPaused(pool), runs.last]))
  while (!deadline.aborted && (await leasedJobs(pool, clock.now())) > 0) await pause(STILL_BUSY_MS)
  while (!deadline.aborted) {
    runs.last = jobs.runDue()
    await within(runs.last)
    if (deadline.aborted) return
    const pollsFrom = clock.now().getTime() + pollsEveryMs
    const jobsDue = [...(await jobs.worker.nextDue())].map(([kind, at]) =>
      POLLS.has(kind) ? new Date(Math.max(at.getTime(), pollsFrom)) : at,
    )
    const dues = [...jobsDue, await rails.nextReport()].filter((at) => at !== undefined)
    const next = new Date(Math.min(to.getTime() + 1, ...dues.map((at) => at.getTime())))
    if (next > to) return clock.moveTo(to)
    // Due and not done: the database was away for a moment.
    if (next <= clock.now()) await pause(STILL_BUSY_MS)
    else await clock.moveTo(next)
  }
}

/** A process that is alone waits for nobody. */
async function othersPaused(pool: Pool): Promise<void> {
  if ((await available(() => livingProcesses(pool))).length > 1) await pause(OTHERS_LEARN_MS)
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
