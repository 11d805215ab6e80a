import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newOrderId } from '../../domain/references.ts'
import { seededWords } from '../../testing/seeded.ts'
import { accountReferenceOf } from './account-reference.ts'

test('it is the same for ever: orders are found by it after a deployment too', () => {
  expect(accountReferenceOf('6f0e2a6c-51b7-4a3f-8f0b-0d8f9a2c4e10')).toBe('S63R5GBRYNFQ')
  expect(accountReferenceOf('6F0E2A6C-51B7-4A3F-8F0B-0D8F9A2C4E10')).toBe('S63R5GBRYNFQ')
})

test('it has 12 characters that a phone shows and nobody misreads', () => {
  fc.assert(
    fc.property(fc.uuid({ version: 4 }), (orderId) => {
      expect(accountReferenceOf(orderId)).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/)
    }),
  )
})

test('a hundred thousand orders have as many references', () => {
  const word = seededWords(1)
  const random = { bytes: (size: number) => Uint8Array.from({ length: size }, () => word() & 255) }
  const references = Array.from({ length: 100_000 }, () => accountReferenceOf(newOrderId(random)))
  expect(new Set(references).size).toBe(references.length)
})
