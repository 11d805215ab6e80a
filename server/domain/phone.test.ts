import { expect, test } from 'vitest'
import { internationalNumber, maskAccount, phoneNumberFor, storedForms } from './phone.ts'
import { MTN_UGANDA as mtn } from './testing/samples.ts'
import { seededFractions } from '../verification/testing/seeded.ts'

test.each(['256772000123', '256391234567'])('%s is accepted as it is', (number) =>
  expect(phoneNumberFor(mtn, number)).toBe(number),
)

const WRITTEN = [
  '+256772000123',
  '256 772 000 123',
  '+256 772 000 123',
  '256-772-000-123',
  '+256-772 000-123',
  ' +256772000123 ',
  '+ 256 772000123',
  '2 5 6 7 7 2 0 0 0 1 2 3',
  '256772000123-',
  '0772000123',
  '0772 000 123',
  '0772-000-123',
  ' 0772000123',
]
test.each(WRITTEN)('%s is stored as 256772000123', (written) =>
  expect(phoneNumberFor(mtn, written)).toBe('256772000123'),
)

test('a refusal names the number as it was written', () =>
  expect(() => phoneNumberFor(mtn, '+256 752-000-123')).toThrow(
    expect.objectContaining({ message: '+256 752-000-123 is not a valid MTN Uganda (mtn_ug) phone number' }),
  ))

test.each([
  ['of another operator', '256752000123'],
  ['of another operator in national form', '0752000123'],
  ['whose prefix comes later', '256177200012'],
])('a number %s is refused by its name: %s', (_what, number) => {
  expect(() => phoneNumberFor(mtn, number)).toThrow(
    expect.objectContaining({
      code: 'invalid_phone_number',
      message: `${number} is not a valid MTN Uganda (mtn_ug) phone number`,
    }),
  )
})

test.each([
  ['of another country', '254772000123'],
  ['of another country with a plus sign', '+254772000123'],
  ['too short to be possible', '25677200012'],
  ['too long to be possible', '2567720001234'],
  ['in national form, too short', '077200012'],
  ['in national form, too long', '07720001234'],
  ['with the trunk zero kept', '2560772000123'],
  ['with the trunk zero kept behind a plus sign', '+2560772000123'],
  ['in national form with a plus sign', '+0772000123'],
  ['with neither country code nor trunk zero', '772000123'],
  ['with two trunk zeros', '00772000123'],
  ['with 00 for the plus sign', '00256772000123'],
  ['with a second plus sign', '++256772000123'],
  ['with a plus sign inside', '256+772000123'],
  ['with a plus sign at the end', '256772000123+'],
  ['with full stops', '256.772.000.123'],
  ['with brackets', '(256)772000123'],
  ['with a bracketed trunk zero', '+256 (0) 772000123'],
  ['with a slash', '256/772000123'],
  ['with a tab', '256\t772000123'],
  ['with a no-break space', '256\u00a0772000123'],
  ['with a dash that is no hyphen', '256\u2013772000123'],
  ['in Arabic digits', '٢٥٦٧٧٢٠٠٠١٢٣'],
  ['with a letter at the end', '256772000123x'],
  ['with a letter in front', 'x256772000123'],
  ['with an extension', '256772000123;ext=1'],
  ['of the plus sign alone', '+'],
  ['of blanks and hyphens alone', ' - -'],
  ['of nothing', ''],
  ['with more than 15 digits', '2567720001230000'],
  ['of 6 digits', '256772'],
  ['of zeros', '0000000000'],
])('a number %s is refused with what to send: %j', (_what, number) => {
  expect(() => phoneNumberFor(mtn, number)).toThrow(
    expect.objectContaining({
      code: 'invalid_phone_number',
      message: `${number} is not a valid MTN Uganda (mtn_ug) phone number: send 256 and the whole national number, digits only`,
    }),
  )
})

test.each([
  ['Kenya, new ranges', '254', '0110000123', '254110000123'],
  ['Ghana', '233', '024 123 4567', '233241234567'],
  ['Tanzania', '255', '0741 234 567', '255741234567'],
  ['Zambia', '260', '096 1234567', '260961234567'],
  ['Côte d’Ivoire, whose numbers begin with 0', '225', '07 08 12 34 56', '2250708123456'],
  ['Congo, whose numbers begin with 0', '242', '06 123 4567', '242061234567'],
  ['Cameroon, without a trunk prefix', '237', '6 77 12 34 56', '237677123456'],
])('a national number of %s is completed', (_what, callingCode, written, number) => {
  expect(internationalNumber(callingCode, written)).toBe(number)
  expect(internationalNumber(callingCode, `+${number}`)).toBe(number)
})

test('a stored number stays as it is, however it was written', () => {
  const fraction = seededFractions(20_261_126)
  const below = (count: number) => Math.floor(fraction() * count)
  const among = (texts: readonly string[]) => texts[below(texts.length)]!
  const countries = ['256', '254', '255', '250', '233', '260', '225', '237', '242', '1', '44', '']
  let stored = 0
  for (let times = 0; times < 5_000; times += 1) {
    const callingCode = among(countries)
    const digits = Array.from({ length: 6 + below(8) }, () => among([...'0123456789', ' ', '-']))
    const written = among(['', '+', ' ', '0']) + among(['', callingCode]) + digits.join('')
    const number = internationalNumber(callingCode, written)
    if (number === undefined) continue
    stored += 1
    expect(number).toMatch(new RegExp(`^${callingCode}[0-9]+$`))
    expect([written, internationalNumber(callingCode, number)]).toEqual([written, number])
    expect(internationalNumber(callingCode, `+${number}`)).toBe(number)
  }
  expect(stored).toBeGreaterThan(300)
})

test('a national number that lost a digit is not completed', () => {
  // Kenya has numbers of 7 to 10 digits: the length alone is not enough.
  for (const short of ['71234567', '071234567', '7123456', '07123456'])
    expect([short, internationalNumber('254', short)]).toEqual([short, undefined])
})

test('a prefix that is a hint refuses no possible number of the country', () => {
  const ported = { ...mtn, prefixRule: 'hint' } as const
  expect(phoneNumberFor(ported, '0752 000 123')).toBe('256752000123')
  expect(phoneNumberFor(ported, '256772000123')).toBe('256772000123')
  for (const other of [
    '254752000123',
    '25675200012',
    '2560752000123',
    '752000123',
    '256075200012',
    '075200012',
    '100000000',
    'x',
  ])
    expect(() => phoneNumberFor(ported, other)).toThrow(
      `${other} is not a valid MTN Uganda (mtn_ug) phone number: send 256 and the whole national number, digits only`,
    )
})

test('country, first digits and length decide whether a number is possible', () => {
  const kenya = { ...mtn, callingCode: '254', prefixes: ['77', '110'] }
  expect(phoneNumberFor(kenya, '254772000123')).toBe('254772000123')
  expect(phoneNumberFor(kenya, '254110000123')).toBe('254110000123')
  expect(phoneNumberFor(mtn, '256772000123')).toBe('256772000123')
  expect(() => phoneNumberFor({ ...mtn, callingCode: '2', prefixes: ['5'] }, '256772000123')).toThrow('is not a valid')
  // A trunk zero that the provider's prefixes happen to match, and a country that does not exist.
  expect(() => phoneNumberFor({ ...mtn, prefixes: ['07'] }, '2560772000123')).toThrow('is not a valid')
  expect(() => phoneNumberFor({ ...mtn, callingCode: '999', prefixes: ['7'] }, '999772000123')).toThrow(
    'is not a valid',
  )
  // A calling code followed by the trunk zero: the rest is not a national number.
  expect(() => phoneNumberFor({ ...mtn, callingCode: '2560', prefixes: ['77'] }, '2560772000123')).toThrow(
    'is not a valid',
  )
  // Twice: the second result comes from the cache.
  for (let times = 0; times < 2; times += 1) expect(() => phoneNumberFor(kenya, '25477200')).toThrow('is not a valid')
})

test('a log shows the last three digits only, and none of a text of three', () => {
  expect(maskAccount('256772000123')).toBe('*********123')
  expect([maskAccount('4123'), maskAccount('123'), maskAccount('')]).toEqual(['*123', '***', ''])
})

test.each([
  '256772000123',
  '+256 772 000 123',
  '00256-772-000-123',
  '+256 (0) 772 000123',
  '0772000123',
  '(0772) 000.123',
  '772 000 123',
])('finds what is stored by a number in any spelling: %s', (written) => {
  expect(storedForms(['254', '256'], written)).toContain('256772000123')
})

test('looks for a number of a named country only there, for a bank account as it is', () => {
  expect(storedForms(['254', '255'], '+256772000123')).toEqual(['+256772000123', '256772000123'])
  expect(storedForms(['256'], '0044-71 8')).toContain('0044718')
  expect(storedForms(['256'], ' - ')).toEqual([])
})
