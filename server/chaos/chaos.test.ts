import { expect } from 'vitest'
import { testByNight } from '../testing/by-night.ts'
import { drill } from './drill.ts'
import { FAULT_KINDS } from './faults/all.ts'

const BUSY_MS = 300_000
/** Pauses take half a minute each. */
const SHORT = FAULT_KINDS.filter(({ name }) => name !== 'pauses')

// The short form of `npm run chaos`: two API and two worker processes and PostgreSQL, a few faults, a fixed seed.
// Workers that are killed keep their leases for half a minute; crash.test.ts has one by day.
testByNight(
  'three faults of each short kind: nothing lost, nothing doubled, everything told, all books equal',
  { timeout: BUSY_MS },
  async () => {
    const told: string[] = []
    const { faults, acknowledged, planted, slowestSeconds } = await drill({
      seed: 20_261_190,
      kinds: SHORT,
      faults: 3,
      requests: 100,
      lengthMs: 10_000,
      apis: 2,
      workers: 2,
      log: () => undefined,
      onPlanted: (what) => told.push(what),
    })
    expect(faults, told.join('\n')).toEqual([])
    expect(acknowledged).toBeGreaterThanOrEqual(100)
    expect(planted).toEqual(Object.fromEntries(SHORT.map(({ name }) => [name, 3])))
    console.log(`slowest from acceptance to its end, faults included: ${slowestSeconds} s`)
  },
)
