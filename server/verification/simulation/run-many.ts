import { Worker } from 'node:worker_threads'
import type { Form } from './form.ts'
import type { ScheduleResult } from './simulate.ts'

export interface Failure {
  readonly seed: number
  readonly result: ScheduleResult
}

interface ManyOptions {
  /** The seed of the first schedule; each following schedule has the next one. */
  readonly seed: number
  readonly schedules: number
  readonly jobs: number
  readonly form: Form
  /** Stops at the first failure. */
  readonly stopAtFirst: boolean
  readonly onProgress?: (done: number) => void
}

interface ManyResult {
  readonly schedules: number
  readonly steps: number
  readonly failures: readonly Failure[]
  readonly seconds: number
}

export interface Slice {
  readonly form: Form
  readonly first: number
  readonly step: number
  readonly count: number
  readonly stopAtFirst: boolean
}

export type SliceMessage =
  | { readonly is: 'progress'; readonly schedules: number; readonly steps: number }
  | { readonly is: 'failure'; readonly failure: Failure }

/** Failures beyond this many are only counted. */
const FAILURES_MAX = 20

/** Runs schedules with consecutive seeds on several threads. */
export async function simulateMany({
  seed,
  schedules,
  jobs,
  form,
  stopAtFirst,
  onProgress,
}: ManyOptions): Promise<ManyResult> {
  const startedAt = performance.now()
  const failures: Failure[] = []
  let done = 0
  let steps = 0
  const workers: Worker[] = []
  await Promise.all(
    Array.from(
      { length: jobs },
      (_, job) =>
        new Promise<void>((resolve, reject) => {
          const workerData: Slice = {
            form,
            first: seed + job,
            step: jobs,
            count: Math.ceil((schedules - job) / jobs),
            stopAtFirst,
          }
          const worker = new Worker(new URL('./run-slice.ts', import.meta.url), { workerData })
          workers.push(worker)
          worker.on('message', (message: SliceMessage) => {
            if (message.is === 'failure') {
              if (failures.length < FAILURES_MAX) failures.push(message.failure)
              if (stopAtFirst) for (const one of workers) void one.terminate()
              return
            }
            done += message.schedules
            steps += message.steps
            onProgress?.(done)
          })
          worker.on('error', reject)
          worker.on('exit', () => resolve())
        }),
    ),
  )
  failures.sort((a, b) => a.seed - b.seed)
  return { schedules: done, steps, failures, seconds: (performance.now() - startedAt) / 1000 }
}
