import { setTimeout as sleep } from 'node:timers/promises'

interface SpacingOptions {
  /** Minimum time between the starts of two runs. */
  readonly spacingMs?: number
  readonly nowMs?: () => number
  readonly pause?: (ms: number) => Promise<unknown>
}

/**
 * Coalesces calls into runs of `run`, one at a time. A call joins the run that has not started yet; a call made during
 * a run gets the next one. So every result is at least as recent as its call, and ten thousand concurrent calls cost
 * one run.
 */
export function sharedRun<T>(
  run: () => Promise<T>,
  { spacingMs = 0, nowMs = () => performance.now(), pause = sleep }: SpacingOptions = {},
): () => Promise<T> {
  let waiting: Promise<T> | undefined
  let current: Promise<unknown> = Promise.resolve()
  let earliestMs = -Infinity
  async function next(): Promise<T> {
    await current.catch(() => undefined) // the callers of that run receive its failure
    const waitMs = earliestMs - nowMs()
    if (waitMs > 0) await pause(waitMs)
    waiting = undefined
    earliestMs = nowMs() + spacingMs
    const started = run()
    current = started
    return started
  }
  return () => (waiting ??= next())
}
