import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { fraction, newCallbackId, newInternalReference, newMerchantReference, type Random } from './references.ts'

const random: Random = { bytes: (size) => randomBytes(size) }

test('internal references are MLP and 22 characters of Crockford base32', () => {
  expect(newInternalReference(random)).toMatch(/^MLP[0-9A-HJKMNP-TV-Z]{22}$/)
})

test('generated merchant references are MREF and 16 such characters', () =>
  expect(newMerchantReference(random)).toMatch(/^MREF[0-9A-HJKMNP-TV-Z]{16}$/))

test('ids of callbacks are cb_ and 26 such characters', () =>
  expect(newCallbackId(random)).toMatch(/^cb_[0-9A-HJKMNP-TV-Z]{26}$/))

test('every symbol is as likely as every other', () => {
  const counts = new Map<string, number>()
  for (let n = 0; n < 2_000; n += 1)
    for (const symbol of newInternalReference(random).slice(3)) counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
  expect(counts.size).toBe(32)
  // 44,000 symbols, 1,375 each on average with a deviation of 37: ten deviations are out of reach of chance.
  for (const count of counts.values()) expect(Math.abs(count - 1_375)).toBeLessThan(370)
})

test('a fraction is at least 0 and below 1', () => {
  expect(fraction({ bytes: () => new Uint8Array([0, 0]) })).toBe(0)
  expect(fraction({ bytes: () => new Uint8Array([255, 255]) })).toBe(65_535 / 65_536)
  expect(fraction({ bytes: () => new Uint8Array([128, 1]) })).toBe(0.5 + 1 / 65_536)
  expect(fraction({ bytes: () => new Uint8Array([]) })).toBe(0)
})
