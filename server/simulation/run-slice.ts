import { parentPort, workerData } from 'node:worker_threads'
import { present } from '../domain/present.ts'
import type { Slice, SliceMessage } from './run-many.ts'
import { simulate } from './simulate.ts'

// A thread of run-many: its share of the schedules, one after the other.

// What is thrown here is thrown on purpose, thousands of times: nobody reads where.
Error.stackTraceLimit = 0

const TOLD_EVERY = 100
const { form, first, step, count, stopAtFirst } = workerData as Slice
const parent = present(parentPort, 'the thread that began this one')
const tell = (message: SliceMessage): void => parent.postMessage(message)

let untold = { schedules: 0, steps: 0 }
for (let n = 0; n < count; n += 1) {
  const seed = first + n * step
  const result = await simulate(seed, form)
  untold = { schedules: untold.schedules + 1, steps: untold.steps + result.steps }
  if (untold.schedules === TOLD_EVERY || n === count - 1 || result.faults.length > 0) {
    tell({ is: 'progress', ...untold })
    untold = { schedules: 0, steps: 0 }
  }
  if (result.faults.length === 0) continue
  tell({ is: 'failure', failure: { seed, result } })
  if (stopAtFirst) break
}
