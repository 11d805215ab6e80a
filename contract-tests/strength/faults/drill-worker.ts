// A worker process of the drill: runs one part against one fault per order, until the parent disconnects.
import { present } from '../../harness/part.ts'
import { FAULTS } from './all.ts'
import { DRILL_PARTS } from './drill-parts.ts'
import type { Fault } from './fault.ts'
import type { WorkerOrder } from './drill-workers.ts'
import { hold, DrillStopped } from './run.ts'

const stop = new AbortController()
// Ctrl-C reaches every process of the terminal: the drill itself ends this one.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => undefined)
// When its gateway is closed, a part may fail in a promise that nobody awaits.
process.on('unhandledRejection', (error) => {
  if (!stop.signal.aborted) throw error
})
let running: Promise<void> = Promise.resolve()
process.on('disconnect', () => {
  stop.abort()
  void running.then(() => process.exit(0))
})
process.on('message', (order) => {
  running = answer(order as WorkerOrder)
})

async function answer({ part, fault, connection, seed, contract }: WorkerOrder): Promise<void> {
  const requested = present(
    DRILL_PARTS.find(({ name }) => name === part),
    `part ${part}`,
  )
  // The control has no row in the catalogue.
  const planted: Fault = FAULTS.find(({ name }) => name === fault.name) ?? {
    ...fault,
    what: 'is right',
    plant: () => ({}),
  }
  const databases = { create: async () => connection }
  try {
    const outcomes = await hold(requested, planted, { databases, seed, contract, signal: stop.signal })
    process.send?.(outcomes)
  } catch (error) {
    if (!(error instanceof DrillStopped)) throw error
  }
}
