import { expect, test } from 'vitest'
import { tally } from './tally.ts'

// judge.slow.test.ts shows that what is lost or doubled is found.

test('an acknowledged end missing from the database counts as forgotten', () => {
  const stored = [
    { merchant_reference: 'A', status: 'COMPLETED' },
    { merchant_reference: 'B', status: 'PROCESSING' },
  ]
  const received = ['A', 'B', 'C'].map((reference) => [reference, new Map([['COMPLETED', new Set(['id'])]])] as const)
  expect(tally({ acknowledged: [], received, stored }).forgotten).toEqual(['B', 'C'])
})
