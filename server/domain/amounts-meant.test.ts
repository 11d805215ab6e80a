import { expect, test } from 'vitest'
import { amountsMeant } from './amounts-meant.ts'

const meant = (text: string) =>
  amountsMeant(text, ['UGX', 'KES']).map(({ amountMinor, currency }) => `${amountMinor} ${currency}`)

test.each([
  ['5000', ['5000 UGX', '500000 KES']],
  ['5,000', ['5000 UGX', '500000 KES']],
  ['1 500 000', ['1500000 UGX', '150000000 KES']],
  ['1.500.000,00', ['1500000 UGX', '150000000 KES']],
  ["1'500.00", ['1500 UGX', '150000 KES']],
  ['10.50', ['1050 KES']],
  ['10,5', ['1050 KES']],
  ['UGX 5,000', ['5000 UGX']],
  ['5000usd', ['500000 USD']],
])('reads the amount %s', (text, wanted) => {
  expect(meant(text)).toEqual(wanted)
})

test.each(['', 'UGX', '-5', '1,50,000', '1e3', '0.123456', '5 UGX KES', '10.5 UGX', '12345678901234567'])(
  'reads nothing from what is no amount: %j',
  (text) => {
    expect(meant(text)).toEqual([])
  },
)
