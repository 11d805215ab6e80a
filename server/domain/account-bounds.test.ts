import { describe, expect, test } from 'vitest'
import {
  addToTallies,
  boundReached,
  boundRefusal,
  openPage,
  otpSend,
  prompt,
  promptDecline,
  tallyUses,
  wrongOtp,
  wrongOtpRefusal,
  type AccountBounds,
  type AccountUseKind,
  type BoundedUse,
  type MerchantUse,
} from './account-bounds.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const now = new Date('2026-03-01T08:00:00Z')
const after = (ms: number): Date => new Date(now.getTime() + ms)

const BOUNDS: AccountBounds = {
  otpSendsMax: 5,
  otpWrongTriesMax: 3,
  openPagesMax: 4,
  promptsPerHourMax: 4,
  promptsPerDayMax: 6,
  promptDeclinesMax: 4,
  promptCoolDownMs: 15 * MINUTE,
  merchantShare: 50,
}
const WHOLE = { ...BOUNDS, merchantShare: 100 }
const [ONE, TWO, THREE] = [1n, 2n, 3n]

/** Uses that started this long ago, each of a merchant. */
const uses = (kind: AccountUseKind, agoMs: readonly number[], merchantId = ONE): MerchantUse[] =>
  agoMs.map((ms, index) => ({ kind, number: index + 1, merchantId, countsUntil: after(DAY - ms) }))
const times = (count: number, ms = 0): number[] => Array.from({ length: count }, () => ms)
const reached = ({ bounds }: BoundedUse, all: readonly MerchantUse[], merchantId = ONE, at = now) =>
  boundReached(bounds, merchantId, tallyUses(all, at), at)

describe('prompts', () => {
  const one = prompt(WHOLE, now)
  test('accepts while fewer count within an hour than the maximum', () => {
    expect(reached(one, uses('prompt', times(3)))).toBeUndefined()
    expect(reached(one, uses('prompt', times(4, 10 * MINUTE)))).toEqual({ bound: 'prompt', roomAt: after(50 * MINUTE) })
    expect(reached(one, uses('prompt', times(4, HOUR)))).toBeUndefined()
  })
  test("the later end of the hour's and the day's bound counts", () => {
    const all = [...uses('prompt', [23 * HOUR, 2 * HOUR]), ...uses('prompt', times(4, 30 * MINUTE))]
    expect(reached(one, all)).toEqual({ bound: 'prompt', roomAt: after(HOUR) })
    expect(reached(one, uses('prompt', [DAY, ...times(3, 2 * HOUR)]))).toBeUndefined()
  })
  test('other kinds do not count toward it', () =>
    expect(reached(one, [...uses('otp_send', times(9)), ...uses('otp_wrong', times(9))])).toBeUndefined())
})

describe('a share per merchant', () => {
  const one = prompt(BOUNDS, now)
  test('a merchant that has used its share leaves capacity for the others', () => {
    const all = uses('prompt', times(2))
    expect(reached(one, all, ONE)?.roomAt).toEqual(after(HOUR))
    expect(reached(one, all, TWO)).toBeUndefined()
  })
  test('the bound of all merchants applies to one that has used nothing', () => {
    const all = [...uses('prompt', times(2)), ...uses('prompt', times(2, MINUTE), TWO)]
    expect(reached(one, all, THREE)?.roomAt).toEqual(after(59 * MINUTE))
  })
  test('what an older version stored counts for all merchants and for none', () => {
    const old = uses('prompt', times(3)).map(({ merchantId: _none, ...use }) => use)
    expect(reached(one, old)).toBeUndefined()
    expect(reached(one, [...old, ...uses('prompt', times(1))], TWO)?.bound).toBe('prompt')
  })
  test.each([
    ['passwords', otpSend(1, BOUNDS, now), 'otp_send', 2],
    ['wrong passwords', wrongOtp(1, BOUNDS, now), 'otp_wrong', 1],
    ['open pages', openPage({ expiresAt: after(HOUR) }, BOUNDS), 'open_page', 2],
  ] as const)('%s have one too', (_what, use, kind, share) => {
    expect(reached(use, uses(kind, times(share - 1)))).toBeUndefined()
    expect(reached(use, uses(kind, times(share)))?.bound).toBe(use.kind)
    expect(reached(use, uses(kind, times(share)), TWO)).toBeUndefined()
  })
})

describe('a cool-down after declines', () => {
  const one = prompt(BOUNDS, now)
  test('begins with the last decline of the share, and doubles with each further one', () => {
    const afterDeclines = (count: number) => reached(one, uses('prompt_decline', times(count, MINUTE)))?.roomAt
    expect([1, 2, 3, 4].map(afterDeclines)).toEqual([
      undefined,
      after(14 * MINUTE),
      after(29 * MINUTE),
      after(59 * MINUTE),
    ])
    expect(afterDeclines(30)).toEqual(after(DAY - MINUTE))
  })
  test('expires', () => {
    expect(reached(one, uses('prompt_decline', times(2, 15 * MINUTE)))).toBeUndefined()
    expect(reached(one, uses('prompt_decline', times(2, 15 * MINUTE - 1)))).toBeDefined()
  })
  test('one merchant alone causes none for the others, two do', () => {
    const all = uses('prompt_decline', times(9))
    expect(reached(one, all, TWO)).toBeUndefined()
    expect(reached(one, [...all, ...uses('prompt_decline', times(2), TWO)], THREE)?.roomAt).toEqual(after(15 * MINUTE))
  })
})

describe('sends no OTP where none is checked, or no prompt could follow', () => {
  const send = otpSend(2, WHOLE, now)
  test.each([
    [[...uses('otp_send', times(4)), ...uses('otp_wrong', times(2))], undefined],
    [uses('otp_wrong', times(3)), 'otp_send'],
    [uses('otp_send', times(5)), 'otp_send'],
    [uses('prompt', times(4)), 'prompt'],
    [uses('prompt_decline', times(4)), 'prompt'],
  ])('case %#', (all, bound) => expect(reached(send, all)?.bound).toBe(bound))
})

test('tallies count by kind and merchant, and the last hour apart', () => {
  const before = tallyUses([...uses('prompt', [DAY, 2 * HOUR, MINUTE]), ...uses('prompt', [0], TWO)], now)
  const tomorrow = { firstEnds: after(DAY), lastEnds: after(DAY), hourFirstEnds: after(DAY), count: 1, hourCount: 1 }
  expect(addToTallies(before, ONE, [prompt(BOUNDS, now), promptDecline(now)], now)).toEqual([
    {
      kind: 'prompt',
      merchantId: ONE,
      count: 3,
      firstEnds: after(DAY - 2 * HOUR),
      lastEnds: after(DAY),
      hourCount: 2,
      hourFirstEnds: after(DAY - MINUTE),
    },
    { ...tomorrow, kind: 'prompt', merchantId: TWO },
    { ...tomorrow, kind: 'prompt_decline', merchantId: ONE },
  ])
})

test('OTPs, wrong OTPs, prompts and declines count for a day, a page until it ends', () => {
  const tomorrow = after(DAY)
  for (const use of [otpSend(1, BOUNDS, now), wrongOtp(1, BOUNDS, now), prompt(BOUNDS, now), promptDecline(now)])
    expect(use).toMatchObject({ number: 1, countsUntil: tomorrow })
  expect(openPage({ expiresAt: after(HOUR) }, BOUNDS)).toMatchObject({ kind: 'open_page', countsUntil: after(HOUR) })
})

test.each([
  ['otp_send', 'too_many_otps', 'Too many one-time passwords for this account number within 24 hours'],
  ['otp_wrong', 'too_many_wrong_otps', 'Too many wrong one-time passwords for this account number within 24 hours'],
  ['open_page', 'too_many_open_pages', 'Too many open payment pages for this account number'],
] as const)('a merchant whose %s is at capacity reads %s, and not how much is used', (bound, code, message) => {
  expect(boundRefusal({ bound, roomAt: after(1) }, now)).toMatchObject({ code, message, retryAfterSeconds: undefined })
})

test.each([
  [61_001, 'try again in 62 seconds', 62],
  [1, 'try again in 1 second', 1],
  [-5, 'try again in 1 second', 1],
  [DAY + 5, 'try again in 86400 seconds', 86_400],
])('a merchant with capacity for prompts in %d ms reads %s', (ms, words, retryAfterSeconds) => {
  expect(boundRefusal({ bound: 'prompt', roomAt: after(ms) }, now)).toMatchObject({
    code: 'too_many_prompts',
    message: `Too many approval prompts for this account number: ${words}`,
    retryAfterSeconds,
  })
})

test('wrong OTPs have the same refusal under a code of their own', () =>
  expect(wrongOtpRefusal()).toEqual(boundRefusal({ bound: 'otp_wrong', roomAt: now }, now)))
