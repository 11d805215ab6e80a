import type { ExchangeAbout } from '../rail-kind.ts'
import { NotSent } from '../operator-errors.ts'
import type { Timers } from '../timers.ts'

export type Purpose = ExchangeAbout['purpose']

/** What an operator allows one installation. */
export interface CallLimits {
  /** Calls that run at the same time, whatever they are for. */
  readonly concurrency: number
  /** Calls that begin within a second, by purpose; what is not named has no such limit. */
  readonly perSecond: Partial<Readonly<Record<Purpose, number>>>
  /** Calls of one purpose that may wait for their turn; a further one is not sent. */
  readonly waitingMax: number
  /** How long one may wait; after it the call is not sent. */
  readonly waitMs: number
}

export const CALL_LIMITS: CallLimits = { concurrency: 16, perSecond: {}, waitingMax: 256, waitMs: 5_000 }

/** Calls take turns. */
export interface CallTurns {
  /** @throws NotSent when there is no turn in time; what `call` throws otherwise */
  take<Value>(purpose: Purpose, call: () => Promise<Value>): Promise<Value>
}

interface Waiter {
  readonly purpose: Purpose
  readonly start: () => void
}

/**
 * Those of one purpose begin evenly spaced, so that no second, wherever it begins, sees more than the limit: windows, as
 * rate-limiter-flexible counts them, let twice as many through around their ends, and its queue lets nobody leave.
 */
export function createCallTurns(limits: CallLimits, timers: Timers): CallTurns {
  const waiting = new Set<Waiter>()
  const nextAtMs = new Map<Purpose, number>()
  let running = 0
  let cancelWake = () => {}

  const spacingMs = (purpose: Purpose): number => 1_000 / (limits.perSecond[purpose] ?? Infinity)
  const dueAtMs = ({ purpose }: Waiter): number => nextAtMs.get(purpose) ?? -Infinity

  /** In the order of their coming, but nobody waits for the limit of another purpose. */
  function startDue(): void {
    cancelWake()
    cancelWake = () => {}
    const now = timers.elapsedMs()
    for (const waiter of waiting) {
      if (running >= limits.concurrency) return
      if (dueAtMs(waiter) > now) continue
      waiting.delete(waiter)
      running += 1
      nextAtMs.set(waiter.purpose, now + spacingMs(waiter.purpose))
      waiter.start()
    }
    const next = Math.min(...[...waiting].map(dueAtMs))
    if (next < Infinity) cancelWake = timers.after(Math.max(Math.ceil(next - now), 1), startDue)
  }

  function turn(purpose: Purpose): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (reason: string): void => {
        cancelLate()
        waiting.delete(waiter)
        reject(new NotSent(reason))
      }
      const cancelLate = timers.after(limits.waitMs, () => leave(`no turn within ${limits.waitMs / 1_000} s`))
      const waiter: Waiter = {
        purpose,
        start() {
          cancelLate()
          resolve()
        },
      }
      waiting.add(waiter)
      startDue()
      if (waiting.has(waiter) && countOf(waiting, purpose) > limits.waitingMax)
        leave('too many calls wait for their turn')
    })
  }

  return {
    async take(purpose, call) {
      await turn(purpose)
      try {
        return await call()
      } finally {
        running -= 1
        startDue()
      }
    },
  }
}

const countOf = (waiting: ReadonlySet<Waiter>, purpose: Purpose): number =>
  [...waiting].filter((waiter) => waiter.purpose === purpose).length
