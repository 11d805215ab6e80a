import { expect, test } from 'vitest'
import { maskAccount, phoneNumberFor } from './phone.ts'
import { MTN_UGANDA as mtn } from './testing/samples.ts'

test.each(['256772000123', '256391234567'])('%s is taken as it is', (number) =>
  expect(phoneNumberFor(mtn, number)).toBe(number),
)

test('a leading plus sign is dropped', () => expect(phoneNumberFor(mtn, '+256772000123')).toBe('256772000123'))

test.each([
  ['of another operator', '256752000123'],
  ['of another country', '254772000123'],
  ['whose prefix comes later', '256177200012'],
  ['too short to be possible', '25677200012'],
  ['too long to be possible', '2567720001234'],
  ['with the trunk zero kept', '2560772000123'],
  ['without a country code', '0772000123'],
  ['with a second plus sign', '++256772000123'],
  ['with spaces', '256 772 000 123'],
  ['with a letter at the end', '256772000123x'],
  ['with a letter in front', 'x256772000123'],
  ['of the plus sign alone', '+'],
  ['of nothing', ''],
  ['with more than 15 digits', '2567720001230000'],
  ['of 6 digits', '256772'],
])('a number %s is refused by its name: %s', (_what, number) => {
  expect(() => phoneNumberFor(mtn, number)).toThrow(
    expect.objectContaining({
      code: 'invalid_phone_number',
      message: `${number} is not a valid MTN Uganda (mtn_ug) phone number`,
    }),
  )
})

test('a prefix that is a hint refuses no possible number of the country', () => {
  const ported = { ...mtn, prefixRule: 'hint' } as const
  expect(phoneNumberFor(ported, '256752000123')).toBe('256752000123')
  expect(() => phoneNumberFor(ported, '254752000123')).toThrow('is not a valid MTN Uganda (mtn_ug) phone number')
})

test('whether a number is possible depends on its country, its first digits and its length', () => {
  const kenya = { ...mtn, callingCode: '254', prefixes: ['77', '110'] }
  expect(phoneNumberFor(kenya, '254772000123')).toBe('254772000123')
  expect(phoneNumberFor(kenya, '254110000123')).toBe('254110000123')
  expect(phoneNumberFor(mtn, '256772000123')).toBe('256772000123')
  expect(() => phoneNumberFor({ ...mtn, callingCode: '2', prefixes: ['5'] }, '256772000123')).toThrow('is not a valid')
  // A trunk zero that the provider's prefixes happen to allow, and a country that does not exist.
  expect(() => phoneNumberFor({ ...mtn, prefixes: ['07'] }, '2560772000123')).toThrow('is not a valid')
  expect(() => phoneNumberFor({ ...mtn, callingCode: '999', prefixes: ['7'] }, '999772000123')).toThrow(
    'is not a valid',
  )
  // A calling code with the trunk zero in it: what follows is no number of its own.
  expect(() => phoneNumberFor({ ...mtn, callingCode: '2560', prefixes: ['77'] }, '2560772000123')).toThrow(
    'is not a valid',
  )
  // Twice: the second answer comes from memory.
  for (let times = 0; times < 2; times += 1) expect(() => phoneNumberFor(kenya, '25477200')).toThrow('is not a valid')
})

test('a log shows the last three digits only', () => {
  expect(maskAccount('256772000123')).toBe('*********123')
  expect([maskAccount('123'), maskAccount('12'), maskAccount('')]).toEqual(['123', '12', ''])
})
