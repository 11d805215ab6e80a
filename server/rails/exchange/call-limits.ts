import type { ExchangeAbout } from '../rail-kind.ts'
import { NotSent } from '../operator-errors.ts'
import type { Timers } from '../../actions/ports/timers.ts'

export type Purpose = ExchangeAbout['purpose']

/** An operator's limits for one rail account. */
export interface CallLimits {
  /** Maximum number of concurrent calls, whatever their purpose. */
  readonly concurrency: number
  /** Maximum number of calls that begin within a second, by purpose; a purpose that is absent has no such limit. */
  readonly perSecond: Partial<Readonly<Record<Purpose, number>>>
  /** Maximum queue length per purpose; a call beyond it is not sent. */
  readonly waitingMax: number
  /** Queue timeout; after it the call is not sent. */
  readonly waitMs: number
}

export const CALL_LIMITS: CallLimits = { concurrency: 16, perSecond: {}, waitingMax: 256, waitMs: 5_000 }

/** Limits the concurrency and the rate of calls. */
interface CallLimiter {
  /** @throws NotSent when the call gets no slot in time; otherwise whatever `call` throws */
  take<Value>(purpose: Purpose, call: () => Promise<Value>): Promise<Value>
}

interface Waiter {
  readonly purpose: Purpose
  readonly start: () => void
}

/**
 * Rate limiter: calls of one purpose begin evenly spaced, so that no second, wherever it begins, sees more than the
 * limit. Counting windows, as in rate-limiter-flexible, let twice as many calls through around their boundaries, and
 * its queue supports no cancellation.
 */
export function createCallLimiter(limits: CallLimits, timers: Timers): CallLimiter {
  const waiting = new Set<Waiter>()
  const nextAtMs = new Map<Purpose, number>()
  let running = 0
  let cancelWake = () => {}

  const spacingMs = (purpose: Purpose): number => 1_000 / (limits.perSecond[purpose] ?? Infinity)
  const dueAtMs = ({ purpose }: Waiter): number => nextAtMs.get(purpose) ?? -Infinity

  /** In FIFO order, but no call waits for the limit of another purpose. */
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
