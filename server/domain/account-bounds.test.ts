import { describe, expect, test } from 'vitest'
import {
  boundRefusal,
  isFull,
  openPage,
  otpSend,
  wrongOtp,
  type AccountUseKind,
  type BoundedUse,
} from './account-bounds.ts'

const now = new Date('2026-03-01T08:00:00Z')
const tomorrow = new Date('2026-03-02T08:00:00Z')

/** What counts of an account number now. */
const counts =
  (used: Partial<Record<AccountUseKind, number>>) =>
  (kind: AccountUseKind): number =>
    used[kind] ?? 0

describe('there is room as long as fewer count than may', () => {
  const page: BoundedUse = { kind: 'open_page', number: 1, countsUntil: tomorrow, max: 3 }
  test.each([
    [0, false],
    [2, false],
    [3, true],
    [4, true],
  ])('of three, %d are used: full is %s', (used, full) => {
    expect(isFull(page, counts({ open_page: used }))).toBe(full)
  })
  test('what counts of another kind takes no room', () =>
    expect(isFull(page, counts({ otp_send: 9, otp_wrong: 9 }))).toBe(false))
})

describe('a password is not sent to whose passwords are no longer looked at', () => {
  const send = otpSend(2, { sendsMax: 5, wrongTriesMax: 3 }, now)
  test.each([
    [{ otp_send: 4, otp_wrong: 2 }, false],
    [{ otp_send: 4, otp_wrong: 3 }, true],
    [{ otp_send: 0, otp_wrong: 4 }, true],
    [{ otp_send: 5, otp_wrong: 0 }, true],
  ])('after %j full is %s', (used, full) => expect(isFull(send, counts(used))).toBe(full))
})

test('a password sent and a wrong one entered count for a day, an open page until it ends', () => {
  expect(otpSend(2, { sendsMax: 5, wrongTriesMax: 3 }, now)).toMatchObject({
    kind: 'otp_send',
    number: 2,
    countsUntil: tomorrow,
  })
  expect(wrongOtp(4, now)).toEqual({ kind: 'otp_wrong', number: 4, countsUntil: tomorrow })
  const expiresAt = new Date('2026-03-01T08:30:00Z')
  expect(openPage({ expiresAt })).toEqual({ kind: 'open_page', number: 1, countsUntil: expiresAt, max: 20 })
})

test.each([
  ['otp_send', 'too_many_otps', 'Too many one-time passwords for this account number within 24 hours'],
  ['otp_wrong', 'too_many_wrong_otps', 'Too many wrong one-time passwords for this account number within 24 hours'],
  ['open_page', 'too_many_open_pages', 'Too many open payment pages for this account number'],
] as const)('a merchant whose %s has no room reads %s, and not how much is used', (kind, code, message) => {
  expect(boundRefusal(kind)).toMatchObject({ code, message })
})
