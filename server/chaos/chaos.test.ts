import { expect, test } from 'vitest'
import { byDay } from '../testing/by-night.ts'
import { drill } from './drill.ts'
import { FAULT_KINDS } from './faults/all.ts'

const BUSY_MS = 300_000
const OF_EACH = byDay('faults of each short kind', 1, 3)
/** Pauses take half a minute each. */
const SHORT = FAULT_KINDS.filter(({ name }) => name !== 'pauses')

// The short form of `npm run chaos`: two API and two worker processes and PostgreSQL, a few faults, a fixed seed.
test(
  `${OF_EACH} of each short kind of fault: nothing lost, nothing doubled, everything told, all books equal`,
  { timeout: BUSY_MS },
  async () => {
    const told: string[] = []
    const { faults, acknowledged, planted, slowestSeconds } = await drill({
      seed: 20_261_190,
      kinds: SHORT,
      faults: OF_EACH,
      requests: 100,
      lengthMs: byDay('ms of drill', 4_000, 10_000),
      apis: 2,
      workers: 2,
      log: () => undefined,
      onPlanted: (what) => told.push(what),
    })
    expect(faults, told.join('\n')).toEqual([])
    expect(acknowledged).toBeGreaterThanOrEqual(100)
    expect(planted).toEqual(Object.fromEntries(SHORT.map(({ name }) => [name, OF_EACH])))
    console.log(`slowest from acceptance to its end, faults included: ${slowestSeconds} s`)
  },
)
