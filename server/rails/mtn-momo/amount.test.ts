import { expect, test } from 'vitest'
import { amountText } from './amount.ts'

// That they go out and come back exactly is a rule of the kit.
test.each([
  ['EUR', 500n, '5'],
  ['KWD', 1001n, '1.001'],
])('%s %i in minor units is %s', (currency, amountMinor, text) =>
  expect(amountText({ amountMinor, currency })).toBe(text),
)
