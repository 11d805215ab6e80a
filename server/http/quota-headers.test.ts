import { expect, test } from 'vitest'
import { quotaHeaders } from './quota-headers.ts'

const headers = quotaHeaders({ name: 'public-key', points: 1000, windowSeconds: 10 })

test.each([
  [{ remainingPoints: 999, msBeforeNext: 10_000 }, '"public-key";r=999;t=10'],
  [{ remainingPoints: 1, msBeforeNext: 1_001 }, '"public-key";r=1;t=2'],
  // A miss of verify costs ten points at once, which may be more than were left.
  [{ remainingPoints: -8, msBeforeNext: 0 }, '"public-key";r=0;t=1'],
])('of %j the reply says %s', (left, said) => {
  expect(headers(left)).toEqual({ 'ratelimit-policy': '"public-key";q=1000;w=10', ratelimit: said })
})
