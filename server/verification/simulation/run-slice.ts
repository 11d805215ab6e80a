import { parentPort, workerData } from 'node:worker_threads'
import { present } from '../../domain/present.ts'
import type { Slice, SliceMessage } from './run-many.ts'
import { simulate } from './simulate.ts'

// A thread of run-many: runs its share of the schedules, one after the other.

// Errors here are thrown on purpose, thousands of times: nobody reads their stack traces.
Error.stackTraceLimit = 0

const REPORTED_EVERY = 100
const { form, first, step, count, stopAtFirst } = workerData as Slice
const parent = present(parentPort, 'the thread that began this one')
const report = (message: SliceMessage): void => parent.postMessage(message)

let untold = { schedules: 0, steps: 0 }
for (let n = 0; n < count; n += 1) {
  const seed = first + n * step
  const result = await simulate(seed, form)
  untold = { schedules: untold.schedules + 1, steps: untold.steps + result.steps }
  if (untold.schedules === REPORTED_EVERY || n === count - 1 || result.faults.length > 0) {
    report({ is: 'progress', ...untold })
    untold = { schedules: 0, steps: 0 }
  }
  if (result.faults.length === 0) continue
  report({ is: 'failure', failure: { seed, result } })
  if (stopAtFirst) break
}
