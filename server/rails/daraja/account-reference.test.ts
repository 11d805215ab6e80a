import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newOrderId } from '../../domain/references.ts'
import { seededWords } from '../../verification/testing/seeded.ts'
import { accountReferenceChoice, accountReferenceOf, hashedReference } from './account-reference.ts'

const ORDER_ID = '6f0e2a6c-51b7-4a3f-8f0b-0d8f9a2c4e10'
const order = (merchantReference: string, changes: { readonly orderId?: string } = {}) => ({
  type: 'COLLECTION' as const,
  providerCode: 'mpesa_ke',
  railAccount: 'kenya',
  internalReference: 'MLPRQZVFYDQTSNMNXZDV0WZHT',
  orderId: ORDER_ID,
  merchantReference,
  ...changes,
})
const candidatesOf = (merchantReference: string, orderId = ORDER_ID) =>
  accountReferenceChoice('174379', order(merchantReference, { orderId })).candidates

test("prefers the merchant's reference, then one with a suffix, then the hash", () => {
  expect(candidatesOf('INV-1001')).toEqual(['INV-1001', 'INV-1001-TA', 'INV-100-TAMF', 'S63R5GBRYNFQ'])
})

test('a long reference keeps its beginning, then also its end', () => {
  expect(candidatesOf('ORDER-2026-0001').slice(0, 2)).toEqual(['ORDER-2026-0', 'ORDER-2-0001'])
  expect(candidatesOf('MREF7K3Q9ZJ2M4X8A1B5')[0]).toBe('MREF7K3Q9ZJ2')
})

test.each([
  ['INV_2026.7~A', 'INV-2026-7-A'],
  ['__inv--2026__', 'inv-2026'],
  ['ORDERS-2026-01', 'ORDERS-2026'],
])('%s is sent with letters, digits and hyphens only: %s', (merchantReference, sent) => {
  expect(candidatesOf(merchantReference)[0]).toBe(sent)
})

test('a reference without letters and digits is replaced by the hash', () => {
  expect(candidatesOf('~~~~____')).toEqual([hashedReference(ORDER_ID)])
})

test('M-PESA accepts every candidate, and no two of an order are the same', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9._~-]{8,36}$/), fc.uuid({ version: 4 }), (merchantReference, orderId) => {
      const candidates = candidatesOf(merchantReference, orderId)
      for (const candidate of candidates) expect(candidate).toMatch(/^[A-Za-z0-9-]{1,12}$/)
      expect(new Set(candidates).size).toBe(candidates.length)
      expect(candidates.at(-1)).toBe(hashedReference(orderId))
    }),
  )
})

test('a second attempt of an order has the same candidates but for the last', () => {
  const another = candidatesOf('INV-1001', '0b9d8f6e-0000-4000-8000-000000000000')
  expect(another.slice(0, -1)).toEqual(candidatesOf('INV-1001').slice(0, -1))
  expect(another.at(-1)).not.toBe(candidatesOf('INV-1001').at(-1))
})

test('the scope is the short code, whose payments one list has', () => {
  expect(accountReferenceChoice('174379', order('INV-1001')).scope).toContain('174379')
})

test('an order has its stored reference; an older one has the hash of its id', () => {
  expect(accountReferenceOf({ orderId: ORDER_ID, externalIds: { AccountReference: 'INV-1001' } })).toBe('INV-1001')
  expect(accountReferenceOf({ orderId: ORDER_ID, externalIds: {} })).toBe('S63R5GBRYNFQ')
  expect(accountReferenceOf({ orderId: ORDER_ID.toUpperCase(), externalIds: {} })).toBe('S63R5GBRYNFQ')
})

test('a hash has 12 characters that a phone shows and nobody misreads', () => {
  fc.assert(
    fc.property(fc.uuid({ version: 4 }), (orderId) => {
      expect(hashedReference(orderId)).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/)
    }),
  )
})

test('a hundred thousand orders have as many hashes', () => {
  const word = seededWords(1)
  const random = { bytes: (size: number) => Uint8Array.from({ length: size }, () => word() & 255) }
  const references = Array.from({ length: 100_000 }, () => hashedReference(newOrderId(random)))
  expect(new Set(references).size).toBe(references.length)
})
