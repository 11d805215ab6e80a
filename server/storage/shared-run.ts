import { setTimeout as sleep } from 'node:timers/promises'

export interface Spacing {
  /** From the start of one run to the start of the next, at least. */
  readonly spacingMs?: number
  readonly nowMs?: () => number
  readonly pause?: (ms: number) => Promise<unknown>
}

/**
 * Runs `run` for all who ask, one run at a time. Who asks while a run waits for its turn shares it; who asks while it
 * runs gets the next: every answer is at least as new as its question, and ten thousand questions at once cost one run.
 */
export function sharedRun<T>(
  run: () => Promise<T>,
  { spacingMs = 0, nowMs = () => performance.now(), pause = sleep }: Spacing = {},
): () => Promise<T> {
  let waiting: Promise<T> | undefined
  let current: Promise<unknown> = Promise.resolve()
  let earliestMs = -Infinity
  async function next(): Promise<T> {
    await current.catch(() => undefined) // who asked for that one is told of its failure
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
