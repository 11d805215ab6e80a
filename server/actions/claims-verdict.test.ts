import { expect, test } from 'vitest'
import { claimsVerdict } from './claims-verdict.ts'
import type { RailCallback } from './ports/rail-callbacks.ts'
import type { CallbackReading } from './ports/rail.ts'

const callback: RailCallback = {
  railAccount: 'mtn-uganda',
  orderId: '3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11',
  method: 'PUT',
  body: '{}',
}
const reading: CallbackReading = { mayQuery: true, externalIds: {} }
const claims = (read: () => CallbackReading | undefined) => claimsVerdict({ readCallback: read }, callback)

test.each(['COMPLETED', 'FAILED'] as const)('a message that says %s claims a verdict', (status) =>
  expect(claims(() => ({ ...reading, outcome: { status, reason: 'It failed' } }))).toBe(true),
)

test('a success with too little for an outcome claims a verdict', () =>
  expect(claims(() => ({ ...reading, claimsPaid: true }))).toBe(true))

test('a message without an outcome, unreadable, or unreadable for now claims none', () => {
  expect(claims(() => reading)).toBe(false)
  expect(claims(() => undefined)).toBe(false)
  expect(
    claims(() => {
      throw new Error('mtn-uganda cannot be connected now')
    }),
  ).toBe(false)
  expect(claimsVerdict({}, callback)).toBe(false)
})
