import { expect, test } from 'vitest'
import {
  newSession,
  nextOtpAt,
  nextSend,
  OTP_SENDS_MAX,
  PAGE_EXPIRED,
  OTP_EXHAUSTED,
  CANCELLED,
  INVALID_OTP,
  tryOtp,
  unsentOtp,
  withOtp,
  withOtpSent,
  withoutSteps,
  type PaymentSession,
} from './payment-session.ts'

const now = new Date('2026-03-01T08:00:00Z')
const after = (ms: number): Date => new Date(now.getTime() + ms)
const MINUTE_MS = 60_000
const digest = new Uint8Array([1, 2, 3])
const fresh: PaymentSession = { transactionId: 7n, ...newSession(now) }
const issued = withOtp(fresh, digest)
const sent = (session: PaymentSession, at = now): PaymentSession => withOtpSent(session, session.otp!, at)
const queried = sent(issued)

test('a page lives 30 minutes and requires a confirmation first', () => {
  expect(newSession(now)).toEqual({ awaits: 'confirmation', expiresAt: after(30 * MINUTE_MS), otpTriesLeft: 5 })
})

test('an OTP on its way makes the session wait for it', () => {
  expect(nextSend(fresh)).toBe(1)
  expect(issued).toEqual({ ...fresh, awaits: 'otp', otp: { digest, sends: 1 } })
  expect(queried.otp).toEqual({ digest, sentAt: now, sends: 1 })
  expect(nextSend(queried)).toBe(2)
  expect(withOtp(queried, digest).otp).toEqual({ digest, sends: 2 })
})

test('an OTP is to be sent until it was, and no longer than its page lives', () => {
  expect(unsentOtp(issued, now)).toEqual(issued.otp)
  expect(unsentOtp(issued, after(30 * MINUTE_MS - 1))).toEqual(issued.otp)
  expect(unsentOtp(issued, after(30 * MINUTE_MS))).toBeUndefined()
  expect(unsentOtp(queried, now)).toBeUndefined()
  expect(unsentOtp(fresh, now)).toBeUndefined()
  expect(unsentOtp(withoutSteps(issued), now)).toBeUndefined()
})

test('the five minutes begin with the sending', () => {
  expect(tryOtp(issued, true, after(20 * MINUTE_MS)).result).toBe('right')
  expect(tryOtp(sent(issued, after(10 * MINUTE_MS)), true, after(15 * MINUTE_MS - 1)).result).toBe('right')
  expect(tryOtp(sent(issued, after(10 * MINUTE_MS)), true, after(15 * MINUTE_MS)).result).toBe('wrong')
})

test('the right OTP within five minutes leaves nothing to do', () => {
  expect(tryOtp(queried, true, after(5 * MINUTE_MS - 1))).toEqual({
    result: 'right',
    session: { ...queried, awaits: 'nothing' },
  })
})

test.each([
  ['a wrong password', queried, false, now],
  ['the right one after five minutes', queried, true, after(5 * MINUTE_MS)],
  ['a password that was never sent', fresh, true, now],
])('%s costs a try', (_case, session, matches, at) => {
  expect(tryOtp(session, matches, at)).toEqual({ result: 'wrong', session: { ...session, otpTriesLeft: 4 } })
})

test('the fifth wrong try is the last, and a new OTP gives no new tries', () => {
  let session = queried
  for (let tries = 1; tries < 5; tries += 1) {
    const { result, session: next } = tryOtp(session, false, now)
    expect(result).toBe('wrong')
    session = sent(withOtp(next, digest))
  }
  expect(tryOtp(session, false, now)).toEqual({
    result: 'exhausted',
    session: { ...session, awaits: 'nothing', otpTriesLeft: 0 },
  })
})

test('another OTP is available after 30 s, five in all', () => {
  expect(nextOtpAt(fresh)).toBeUndefined()
  expect(nextOtpAt(issued)).toBeUndefined()
  let session = queried
  for (let sends = 1; sends < OTP_SENDS_MAX; sends += 1) {
    expect(nextOtpAt(session)).toEqual(after(30_000))
    session = sent(withOtp(session, digest))
  }
  expect(session.otp?.sends).toBe(5)
  expect(nextOtpAt(session)).toBeUndefined()
})

test('a session without steps keeps the rest', () =>
  expect(withoutSteps(queried)).toEqual({ ...queried, awaits: 'nothing' }))

test('repeats the same reply to a wrong OTP', () => expect(INVALID_OTP).toBe('Invalid OTP'))

test('merchants read why a collection ended on the page, and their programs a code', () => {
  expect([PAGE_EXPIRED, OTP_EXHAUSTED, CANCELLED]).toEqual([
    { reason: 'Payment page expired', code: 'expired' },
    { reason: 'Too many wrong one-time passwords', code: 'declined' },
    { reason: 'The customer cancelled the payment', code: 'cancelled' },
  ])
})
