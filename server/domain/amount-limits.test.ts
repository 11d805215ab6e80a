import { expect, test } from 'vitest'
import {
  checkAmountLimits,
  DAILY_WINDOW_MS,
  dailyLimitRefusal,
  merchantPart,
  merchantPartMinor,
  addDailyUse,
  dailyUseOf,
  dailyWindowStart,
  accountLocks,
  type DailyUses,
  type LimitSubject,
} from './amount-limits.ts'
import { money } from './money.ts'
import type { PaymentOption } from './provider.ts'
import { Refusal } from './refusal.ts'
import { MTN_UGANDA } from './testing/samples.ts'

const option: PaymentOption = {
  ...MTN_UGANDA,
  currency: 'KES',
  minAmountMinor: 1_050n,
  maxAmountMinor: 25_000_000n,
  maxDailyAmountMinor: 50_000_000n,
}
const refusalOf = (amountMinor: bigint): unknown => {
  try {
    checkAmountLimits(option, money(amountMinor, 'KES'))
    return undefined
  } catch (error) {
    return error
  }
}

test('both limits of the provider are included', () =>
  expect([1_050n, 25_000_000n, 2_000n].map(refusalOf)).toEqual([undefined, undefined, undefined]))

test.each([1_049n, 25_000_001n])(
  '%d minor units are outside, and the message names both limits and the currency',
  (amountMinor) => {
    expect(refusalOf(amountMinor)).toEqual(new Refusal('invalid_amount', 'amount must be between 10.5 and 250000 KES'))
    expect(refusalOf(amountMinor)).toMatchObject({ code: 'invalid_amount' })
  },
)

test('the daily limit counts 24 hours, and its refusal names it', () => {
  expect(DAILY_WINDOW_MS).toBe(86_400_000)
  expect(dailyLimitRefusal(money(7_000_000n, 'UGX'))).toMatchObject({
    code: 'daily_limit_exceeded',
    message: 'amount exceeds the daily limit of 7000000 UGX for this account number',
  })
})

test.each([
  [20, 50, 10],
  [3, 50, 1],
  [1, 50, 1],
  [20, 1, 1],
  [20, 99, 19],
  [20, 100, 20],
])('of a bound of %d a merchant with %d percent has %d', (max, share, part) =>
  expect(merchantPart(max, share)).toBe(part),
)

test('of a sum a merchant has whole minor units, rounded down', () => {
  expect(merchantPartMinor(9_007_199_254_740_993n, 100)).toBe(9_007_199_254_740_993n)
  expect(merchantPartMinor(999n, 50)).toBe(499n)
})

const subject: LimitSubject = { providerCode: 'MTN', type: 'PAYOUT', account: '256770000000', merchantId: 1n }
const otherMerchant = { ...subject, merchantId: 2n }

test('all merchants use one limit, and each its own share', () => {
  const uses: DailyUses = new Map()
  addDailyUse(uses, subject, 300n)
  addDailyUse(uses, otherMerchant, 20n)
  expect(dailyUseOf(uses, subject)).toEqual({ usedMinor: 320n, merchantUsedMinor: 300n })
  expect(dailyUseOf(uses, { ...subject, merchantId: 3n })).toEqual({ usedMinor: 320n, merchantUsedMinor: 0n })
  expect(dailyUseOf(uses, { ...subject, type: 'COLLECTION' })).toEqual({ usedMinor: 0n, merchantUsedMinor: 0n })
})

test('locks each account number once, in one order', () =>
  expect(accountLocks(['2', '1', '2', '1'])).toEqual(['1', '2']))

test('an amount counts for 24 hours', () =>
  expect(dailyWindowStart(new Date('2026-03-02T08:00:00Z'))).toEqual(new Date('2026-03-01T08:00:00Z')))
