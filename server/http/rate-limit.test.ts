import { expect, test } from 'vitest'
import { createSlots, networkOf, quotaHeaders } from './rate-limit.ts'

test.each([
  ['203.0.113.7', '::ffff:203.0.113.7', true],
  ['203.0.113.7', '203.0.113.8', false],
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['unknown', 'unknown', true],
  [undefined, undefined, true],
  ['203.0.113.2:4001', '203.0.113.2:4002', true],
  ['[2001:db8::1]:4001', '[2001:db8::2]:80', true],
  ['203.0.113.2:4001', '203.0.113.3:4001', false],
])('%s and %s are one client: %s', (one, other, isSame) => expect(networkOf(one) === networkOf(other)).toBe(isSame))

test('twenty thousand unknown addresses need no more memory than the counters', () => {
  const slotOf = createSlots()
  const used = new Set(Array.from({ length: 20_000 }, (_, n) => slotOf(`10.0.${n >> 8}.${n & 255}`)))
  expect(used.size).toBeLessThanOrEqual(16_384)
  expect(used.size).toBeGreaterThan(10_000) // seven in ten, where each is as likely as the others
})

test("an address keeps one counter for the process's life, and nobody can predict it", () => {
  const [slotOf, slotElsewhere] = [createSlots(), createSlots()]
  const addresses = Array.from({ length: 20 }, (_, n) => `203.0.113.${n}`)
  expect(addresses.map(slotOf)).toEqual(addresses.map(slotOf))
  expect(addresses.map(slotOf)).not.toEqual(addresses.map(slotElsewhere))
})

const headers = quotaHeaders({ name: 'public-key', points: 1000, windowSeconds: 10 })

test.each([
  [{ remainingPoints: 999, msBeforeNext: 10_000 }, '"public-key";r=999;t=10'],
  [{ remainingPoints: 1, msBeforeNext: 1_001 }, '"public-key";r=1;t=2'],
  // A miss of verify costs ten points at once, which may be more than were left.
  [{ remainingPoints: -8, msBeforeNext: 0 }, '"public-key";r=0;t=1'],
])('of %j the reply says %s', (left, said) => {
  expect(headers(left)).toEqual({ 'ratelimit-policy': '"public-key";q=1000;w=10', ratelimit: said })
})
