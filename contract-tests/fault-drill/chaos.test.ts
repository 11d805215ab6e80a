import { expect, test } from 'vitest'
import { drill } from './drill.ts'

// The short form of `npm run chaos`: two API and two worker processes and PostgreSQL, a handful of kills, a fixed seed.
test('eight kills of API, worker and PostgreSQL processes: nothing lost, nothing doubled, every callback told, books balanced', { timeout: 300_000 }, async () => {
  const { faults, acknowledged, kills, slowestSeconds } = await drill({ seed: 20_261_120, kills: 8, requests: 300, pauseMs: 1_500, log: () => undefined })
  expect(faults).toEqual([])
  expect(acknowledged).toBe(300)
  expect(kills.api + kills.worker + kills.postgres).toBe(8)
  console.log(`slowest from acceptance to its end, kills included: ${slowestSeconds} s`)
})
