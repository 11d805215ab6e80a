import { expect, test } from 'vitest'
import { checkAmountLimits, DAILY_WINDOW_MS, dailyLimitRefusal } from './amount-limits.ts'
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

test('both limits of the provider are inside', () =>
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
