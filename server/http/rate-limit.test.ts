import { expect, test } from 'vitest'
import { createSlots, networkOf } from './rate-limit.ts'

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

test('strangers from seventy thousand addresses need no more memory than the counters there are', () => {
  const slotOf = createSlots()
  const used = new Set(Array.from({ length: 70_000 }, (_, n) => slotOf(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)))
  expect(used.size).toBeLessThanOrEqual(16_384)
  expect(used.size).toBeGreaterThan(16_000)
})

test('an address has its counter for the life of the process, and nobody can work out which', () => {
  const [slotOf, slotElsewhere] = [createSlots(), createSlots()]
  const addresses = Array.from({ length: 20 }, (_, n) => `203.0.113.${n}`)
  expect(addresses.map(slotOf)).toEqual(addresses.map(slotOf))
  expect(addresses.map(slotOf)).not.toEqual(addresses.map(slotElsewhere))
})
