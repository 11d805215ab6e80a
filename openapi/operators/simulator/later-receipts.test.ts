import { expect, test } from 'vitest'
import { withReceiptsOf } from './later-receipts.ts'
import { SIMULATORS } from './simulators.ts'

test.each(Object.entries(SIMULATORS))('%s gives no receipt of an earlier run after a restart', (_name, make) => {
  const receipts = (startedAt: string) => {
    const { receipt } = withReceiptsOf(new Date(startedAt), make())
    return [1, 2, 3, 20, 1200].map((sequence) => receipt(sequence))
  }
  const [before, after] = [receipts('2026-11-22T18:22:00Z'), receipts('2026-11-22T18:25:00Z')]
  expect(new Set([...before, ...after]).size).toBe(10)
  for (const receipt of after) expect(receipt).toMatch(/^[A-Z0-9]{10}$/)
})
