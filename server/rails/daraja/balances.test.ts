import { expect, test } from 'vitest'
import { darajaAtTest } from './testing/daraja-at-test.ts'

const BOTH = 'Working Account|KES|700000.00|699000.50|0.00|0.00&Utility Account|KES|228037.00|228037.00|0.00|0.00'
const BANKS = { payouts_to: 'banks', bank_paybills: 'equity_bank_ke=247247' }

const read = async (text: unknown, settings: Readonly<Record<string, string>> = {}) => {
  const { adapter } = await darajaAtTest({ settings: { payout_short_code: '', ...settings } })
  const body = {
    Result: {
      ResultCode: 0,
      ConversationID: 'AG_1',
      ResultParameters: { ResultParameter: [{ Key: 'AccountBalance', Value: text }] },
    },
  }
  const said = adapter.readMessage?.({ method: 'POST', tail: 'balance', body: JSON.stringify(body) })
  if (said?.about !== 'balances') return said
  return said.balances.map(({ account, available, isFloat = false }) => [account, available.amountMinor, isFloat])
}

test.each([
  [
    BOTH,
    {},
    [
      ['Working Account', 69_900_050n, false],
      ['Utility Account', 22_803_700n, true],
    ],
  ],
  [
    BOTH,
    BANKS,
    [
      ['Working Account', 69_900_050n, true],
      ['Utility Account', 22_803_700n, false],
    ],
  ],
  // One account for all: what it holds pays.
  ['Working Account|KES|5.00|5.00|0|0&Charges Paid Account|KES|-9.00|-9.00|0|0', {}, [['Working Account', 500n, true]]],
  ['Working Account|USD|5.00|5.00|0|0', {}, undefined],
  ['Working Account|KES|5.00', {}, undefined],
  [{ deep: 1 }, {}, undefined],
])('reads what a short code holds and pays from: %j %j', async (text, settings, expected) => {
  expect(await read(text, settings)).toEqual(expected)
})

test('asks only where one short code collects and pays', async () => {
  const { adapter } = await darajaAtTest()
  expect(adapter.askBalances).toBeUndefined()
})
