import { setTimeout as pause } from 'node:timers/promises'
import { OperationRefusal } from '../operations/operation.ts'

/** How long a request waits for its run. */
const WAIT_MS = 10_000
/** How many may go on at the same time: each holds connections. */
const RUNS_MAX = 4

/** Runs that may take longer than a request should: it is answered, and they go on. */
export function heldRuns<Result>(waitMs = WAIT_MS) {
  const runs = new Map<string, Promise<Result>>()

  async function begin(name: string, run: () => Promise<Result>): Promise<Result> {
    if (runs.size >= RUNS_MAX)
      throw new OperationRefusal('conflict', `${RUNS_MAX} runs are going on: try again when one has ended`)
    const ending = run().finally(() => runs.delete(name))
    runs.set(name, ending)
    // Whoever no longer waits for a run that fails learns of it by the same request, which begins anew.
    ending.catch(() => undefined)
    return ending
  }

  return {
    has: (name: string): boolean => runs.has(name),
    /** Joins the run of this name, or begins it. @returns `running` if it goes on by itself */
    async join(name: string, run: () => Promise<Result>): Promise<Result | 'running'> {
      const answered = new AbortController()
      const late = pause(waitMs, 'running' as const, { signal: answered.signal }).catch(() => 'running' as const)
      try {
        return await Promise.race([runs.get(name) ?? begin(name, run), late])
      } finally {
        answered.abort()
      }
    },
  }
}
