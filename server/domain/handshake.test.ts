import { describe, expect, test } from 'vitest'
import { HANDSHAKE_RETRY_MS, HANDSHAKE_TIMEOUT_MS, handshakeId, nextHandshakeStep } from './handshake.ts'

test.each([200, 201, 202, 204, 299])('any 2xx lets the payout go on: %d', (status) => {
  expect(nextHandshakeStep(status, 1)).toEqual({ step: 'confirmed' })
})

test.each([400, 404, 409, 410, 422, 499])('%d is the merchant saying no', (status) => {
  expect(nextHandshakeStep(status, 1)).toEqual({
    step: 'failed',
    failure: { reason: `Payout rejected by the merchant's verification URL (HTTP ${status})`, code: 'not_allowed' },
  })
})

describe.each([408, 425, 429, 101, 300, 302, 399, 500, 503])('%d is no reply', (status) => {
  test('retries after 5 s, 30 s and 2 min, then fails the payout with the last status', () => {
    expect([1, 2, 3].map((attempts) => nextHandshakeStep(status, attempts))).toEqual(
      [5_000, 30_000, 120_000].map((afterMs) => ({ step: 'retry', afterMs })),
    )
    expect(nextHandshakeStep(status, 4)).toEqual({
      step: 'failed',
      failure: {
        reason: `The merchant's verification URL did not answer (HTTP ${status})`,
        code: 'handshake_unanswered',
      },
    })
    expect(HANDSHAKE_RETRY_MS).toHaveLength(3)
  })
})

test('a last attempt without any reply has no status to report', () => {
  expect(nextHandshakeStep(undefined, 3)).toEqual({ step: 'retry', afterMs: 120_000 })
  expect(nextHandshakeStep(undefined, 4)).toEqual({
    step: 'failed',
    failure: { reason: "The merchant's verification URL did not answer", code: 'handshake_unanswered' },
  })
})

test('a request waits 5 s for its reply', () => expect(HANDSHAKE_TIMEOUT_MS).toBe(5_000))

test('all requests about one payout have one id, as long as every other', () => {
  expect(handshakeId('MLP0123456789ABCDEFGHJKMN')).toBe('cb_HAND0123456789ABCDEFGHJKMN')
  expect(handshakeId('MLP0123456789ABCDEFGHJKMN')).toMatch(/^cb_[0-9A-HJKMNP-TV-Z]{26}$/)
})
