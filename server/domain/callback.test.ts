import { expect, test } from 'vitest'
import { hmacHex } from '../callbacks/sign.ts'
import {
  CALLBACK_RETRY_MS,
  CALLBACK_TIMEOUT_MS,
  callbackEventOf,
  legacySignedText,
  nextStep,
  statusReported,
} from './callback.ts'

test('the signed text and its HMAC are those of the check value', () => {
  const text = legacySignedText('transaction.completed', {
    merchantReference: 'MCTREFT2WMNWZ23SBN6Y',
    internalReference: 'DUSUPAYRMGRXNNYBWATKJ',
    type: 'COLLECTION',
    status: 'COMPLETED',
  })
  expect(text).toBe('transaction.completed:MCTREFT2WMNWZ23SBN6Y:DUSUPAYRMGRXNNYBWATKJ:COLLECTION:COMPLETED')
  expect(hmacHex('SGNKYUEMYFDEHRWGPEUG', text)).toBe('d7e5264c92bd58279541309cad80a19889a5e9a10a944f418e52383c6ea5fcfe')
})

test('COMPLETED is announced as completed, FAILED and CANCELLED as failed', () => {
  expect(
    (['COMPLETED', 'FAILED', 'CANCELLED'] as const).map((status) => callbackEventOf({ status, type: 'PAYOUT' })),
  ).toEqual(['transaction.completed', 'transaction.failed', 'transaction.failed'])
})

test('a callback keeps the state that it was made for, also after a late COMPLETED', () => {
  expect(statusReported('transaction.completed', { status: 'COMPLETED' })).toBe('COMPLETED')
  expect(statusReported('transaction.failed', { status: 'FAILED' })).toBe('FAILED')
  expect(statusReported('transaction.failed', { status: 'COMPLETED' })).toBe('FAILED')
  expect(statusReported('transaction.failed', { status: 'CANCELLED' })).toBe('CANCELLED')
})

test('any 2xx acknowledges, 410 stops, everything else is tried again', () => {
  for (const httpStatus of [200, 204, 299]) expect(nextStep({ httpStatus }, 1, 0)).toEqual({ step: 'delivered' })
  expect(nextStep({ httpStatus: 410 }, 1, 0)).toEqual({ step: 'stopped', why: 'The merchant answered 410 Gone' })
  for (const httpStatus of [199, 300, 301, 400, 404, 500])
    expect(nextStep({ httpStatus }, 1, 0)).toEqual({ step: 'retry', afterMs: 5000 })
  expect(nextStep({}, 1, 0)).toEqual({ step: 'retry', afterMs: 5000 })
})

test('gives up after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
  const [second, minute, hour] = [1_000, 60_000, 3_600_000]
  expect(CALLBACK_RETRY_MS).toEqual([
    5 * second,
    5 * minute,
    30 * minute,
    ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
  ])
  expect(nextStep({}, 9, 0)).toEqual({ step: 'retry', afterMs: 86_400_000 })
  expect(nextStep({}, 10, 0)).toEqual({ step: 'stopped', why: 'No acknowledgement in 10 attempts' })
})

test('an attempt waits 15 s for its reply', () => expect(CALLBACK_TIMEOUT_MS).toBe(15_000))

test('the jitter adds up to a tenth and never shortens', () =>
  expect(nextStep({}, 2, 1)).toEqual({ step: 'retry', afterMs: 330_000 }))

test('Retry-After lengthens a wait, never shortens it, and is capped at a day', () => {
  expect(nextStep({ httpStatus: 503, retryAfterMs: 60_000 }, 1, 0)).toEqual({ step: 'retry', afterMs: 60_000 })
  expect(nextStep({ httpStatus: 503, retryAfterMs: 1_000 }, 1, 0)).toEqual({ step: 'retry', afterMs: 5_000 })
  expect(nextStep({ httpStatus: 503, retryAfterMs: 1e15 }, 1, 0)).toEqual({ step: 'retry', afterMs: 86_400_000 })
})
