import { expect, test } from 'vitest'
import { faultOfRailAccountName, RAIL_ACCOUNT_NAME_MAX, WORDS_REFUSED_IN_ADDRESSES } from './rail-account.ts'

test.each(['mtn-uganda', 'a', 'kenya2', 'x-1', 'a'.repeat(RAIL_ACCOUNT_NAME_MAX)])('%s is a name', (name) =>
  expect(faultOfRailAccountName(name)).toBeUndefined(),
)

test.each(['', '2kenya', '-mtn', 'mtn-', 'mtn--uganda', 'Mtn', 'mtn_uganda', 'mtn uganda', 'mtn/ug', 'mtn\n', 'ü'])(
  '%j is none',
  (name) => expect(faultOfRailAccountName(name)).toMatch(/^must be 1 to 40 lower-case letters and digits/),
)

test('one that is too long is none', () =>
  expect(faultOfRailAccountName('a'.repeat(RAIL_ACCOUNT_NAME_MAX + 1))).toMatch(/^must be 1 to 40/))

test.each(WORDS_REFUSED_IN_ADDRESSES)('no name contains what operators refuse in an address: %s', (word) =>
  expect(faultOfRailAccountName(`kenya-${word}-2`)).toBe(
    `must not contain "${WORDS_REFUSED_IN_ADDRESSES.find((refused) => word.includes(refused))}": it is part of the address at which operators report, and some refuse addresses with that word`,
  ),
)
