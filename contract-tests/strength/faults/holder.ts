// A process of the drill: holds one part against one fault after the other, as it is told, until nobody is there to
// tell it more.
import { present } from '../../harness/part.ts'
import { FAULTS } from './all.ts'
import { DRILL_PARTS } from './drill-parts.ts'
import type { Fault } from './fault.ts'
import type { Order } from './holders.ts'
import { hold, DrillStopped } from './run.ts'

const stop = new AbortController()
// Ctrl-C reaches every process of the terminal: the drill itself says when this one ends.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => undefined)
// What a part is doing when its gateway is taken away may fail where nobody waits for it.
process.on('unhandledRejection', (error) => {
  if (!stop.signal.aborted) throw error
})
let running: Promise<void> = Promise.resolve()
process.on('disconnect', () => {
  stop.abort()
  void running.then(() => process.exit(0))
})
process.on('message', (order) => {
  running = answer(order as Order)
})

async function answer({ part, fault, connection, seed, contract }: Order): Promise<void> {
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
