import { expect, test } from 'vitest'
import { IDEMPOTENCY_WINDOW_MS } from './idempotency.ts'
import { Refusal } from './refusal.ts'

test('a refusal carries its code and differs from other errors by its name', () => {
  expect(new Refusal('invalid_otp', 'Invalid OTP')).toMatchObject({
    name: 'Refusal',
    code: 'invalid_otp',
    message: 'Invalid OTP',
  })
  expect(new Refusal('invalid_otp', 'Invalid OTP')).toBeInstanceOf(Error)
})

test('an Idempotency-Key replays its first reply for 24 hours', () => expect(IDEMPOTENCY_WINDOW_MS).toBe(86_400_000))
