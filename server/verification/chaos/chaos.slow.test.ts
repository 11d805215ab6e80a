import { expect } from 'vitest'
import { testNightly } from '../testing/nightly.ts'
import { drill } from './drill.ts'
import { FAULT_KINDS } from './faults/all.ts'

const BUSY_MS = 300_000
/** Each pause lasts half a minute. */
const SHORT = FAULT_KINDS.filter(({ name }) => name !== 'pauses')

// The short form of `npm run chaos`: two API and two worker processes and PostgreSQL, a few faults, a fixed seed.
// Killed workers keep their leases for half a minute; crash.slow.test.ts covers one. The judge checks
// that every end is delivered to its merchant.
testNightly(
  'three faults of each short kind lose and double nothing; all books are equal',
  { timeout: BUSY_MS },
  async () => {
    const reported: string[] = []
    const { faults, acknowledged, planted, slowestSeconds } = await drill({
      seed: 20_261_190,
      kinds: SHORT,
      faults: 3,
      requests: 100,
      lengthMs: 10_000,
      apis: 2,
      workers: 2,
      log: () => undefined,
      onPlanted: (what) => reported.push(what),
    })
    expect(faults, reported.join('\n')).toEqual([])
    expect(acknowledged).toBeGreaterThanOrEqual(100)
    expect(planted).toEqual(Object.fromEntries(SHORT.map(({ name }) => [name, 3])))
    console.log(`slowest from acceptance to its end, faults included: ${slowestSeconds} s`)
  },
)
