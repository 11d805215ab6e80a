import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unexplained, type BookedMoney } from './rail-balance.ts'

const poll = (ledgerMinor: bigint, openInMinor = 0n, openOutMinor = 0n): BookedMoney => ({
  ledgerMinor,
  openInMinor,
  openOutMinor,
})

test.each([
  ['booked', [poll(100n)], 100n, 0n, 0n],
  ['more than is booked', [poll(100n)], 107n, 0n, 7n],
  ['less than is booked', [poll(100n)], 95n, 0n, -5n],
  ['a collection that is on its way', [poll(100n, 50n)], 150n, 0n, 0n],
  ['more than is on its way', [poll(100n, 50n)], 151n, 0n, 1n],
  ['a payout that is on its way', [poll(100n, 0n, 50n)], 50n, 0n, 0n],
  ['less than is on its way', [poll(100n, 0n, 50n)], 49n, 0n, -1n],
  ['booked between the two looks', [poll(100n), poll(130n)], 120n, 0n, 0n],
  ['booked between the two looks, downwards', [poll(130n), poll(100n)], 110n, 0n, 0n],
  ['more than either look has', [poll(130n), poll(100n)], 131n, 0n, 1n],
  ['less than either look has', [poll(130n), poll(100n)], 99n, 0n, -1n],
  ['within the tolerance, below', [poll(100n)], 90n, 10n, 0n],
  ['within the tolerance, above', [poll(100n)], 110n, 10n, 0n],
  ['below the tolerance: all of it', [poll(100n)], 89n, 10n, -11n],
  ['above the tolerance: all of it', [poll(100n)], 111n, 10n, 11n],
])('%s', (_what, polls, operator, tolerance, found) => {
  expect(unexplained(polls, operator, tolerance)).toBe(found)
})

test('explains the difference, whatever part of the open orders has moved', () => {
  const part = fc.bigInt(0n, 1_000n)
  fc.assert(
    fc.property(fc.bigInt(-5_000n, 5_000n), part, part, part, part, (ledger, openIn, openOut, movedIn, movedOut) => {
      const operator = ledger + (movedIn < openIn ? movedIn : openIn) - (movedOut < openOut ? movedOut : openOut)
      expect(unexplained([poll(ledger, openIn, openOut)], operator, 0n)).toBe(0n)
    }),
  )
})
