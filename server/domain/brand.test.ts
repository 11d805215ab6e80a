import { expect, test } from 'vitest'
import { parseColour, parseSupportContact, supportText } from './brand.ts'

test('a colour is six hexadecimal digits and nothing else', () => {
  expect([' #0B57a4 ', '#ffffff'].map(parseColour)).toEqual(['#0b57a4', '#ffffff'])
  for (const text of ['', 'red', '#fff', '0b57a4', '#0b57a4;', '#0b57ag', '#0b57a4ff', 'rgb(0,0,0)', '#0b57a4}body{'])
    expect(() => parseColour(text), text).toThrow(/six hexadecimal digits/)
})

test.each([
  ['+256 772 000123', 'tel:+256772000123', '+256 772 000123'],
  ['+44 (20) 7946-0958', 'tel:+442079460958', '+44 20 7946 0958'],
  ['help@shop.example', 'mailto:help@shop.example', 'help@shop.example'],
  ['https://shop.example/help?a=1', 'https://shop.example/help?a=1', 'shop.example/help?a=1'],
  ['HTTPS://Shop.example', 'https://shop.example/', 'shop.example'],
])('%s is stored as %s and read as %s', (text, contact, read) => {
  expect(parseSupportContact(text)).toBe(contact)
  expect(supportText(contact)).toBe(read)
})

test.each([
  '',
  '0772000123',
  '+256',
  'help@shop',
  '"a b"@shop.example',
  'a@b.example?subject=x',
  'http://shop.example',
  'javascript:alert(1)',
  'https://user:password@shop.example',
  'https://',
  `https://shop.example/${'x'.repeat(120)}`,
])('%j is no contact', (text) =>
  expect(() => parseSupportContact(text)).toThrow(/phone number such as .* e-mail address or an https URL/),
)
