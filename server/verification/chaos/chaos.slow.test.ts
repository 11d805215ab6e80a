import { expect, test } from 'vitest'
import { isNightly } from '../testing/nightly.ts'
import { drill } from './drill.ts'
import { FAULT_KINDS } from './faults/all.ts'

const BUSY_MS = 300_000
/** By default `kill -9` alone, in the nightly run all kinds but pauses, each of which lasts half a minute. */
const kinds = FAULT_KINDS.filter(({ name }) => (isNightly ? name !== 'pauses' : name === 'kills'))

// The short form of `npm run chaos`: two API and two worker processes and PostgreSQL, a few faults, a fixed seed. The
// judge checks that every end is delivered to its merchant.
test('three faults of each kind lose and double nothing; all books are equal', { timeout: BUSY_MS }, async () => {
  const reported: string[] = []
  const { faults, acknowledged, planted, slowestSeconds } = await drill({
    seed: 20_261_190,
    kinds,
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
  expect(planted).toEqual(Object.fromEntries(kinds.map(({ name }) => [name, 3])))
  console.log(`slowest from acceptance to its end, faults included: ${slowestSeconds} s`)
})
