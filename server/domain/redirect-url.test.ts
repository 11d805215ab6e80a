import { expect, test } from 'vitest'
import { checkRedirectUrl, withAsciiHost } from './redirect-url.ts'

const expectRefused = (url: string, allowLoopback: boolean, message: string) =>
  expect(() => checkRedirectUrl(url, allowLoopback)).toThrow(expect.objectContaining({ code: 'invalid_url', message }))

test.each(['https://shop.example/done?order=7', 'https://localhost/'])('%s is fine in both modes', (url) => {
  for (const allowLoopback of [true, false]) expect(() => checkRedirectUrl(url, allowLoopback)).not.toThrow()
})

const LOCAL = ['http://localhost:3000/done', 'http://127.0.0.1/', 'http://127.10.200.3:8080/', 'http://[::1]:8080/']
test.each(LOCAL)('%s is fine on the developer’s own machine only', (url) => {
  expect(() => checkRedirectUrl(url, true)).not.toThrow()
  expectRefused(url, false, 'redirect_url must be an https URL')
})

test.each([
  'http://shop.example/',
  'http://localhost.shop.example/',
  'http://notlocalhost/',
  'http://127.0.0.1.shop.example/',
  'http://x127.0.0.1/',
  'http://128.0.0.1/',
  'http://[::1:1]/',
  'ftp://localhost/',
  'javascript:alert(1)',
  'shop.example',
  '',
])('%j is refused in both modes', (url) => {
  expectRefused(url, true, 'redirect_url must be an https URL')
  expectRefused(url, false, 'redirect_url must be an https URL')
})

test.each(['https://anna@shop.example/', 'https://anna:secret@shop.example/', 'https://:secret@shop.example/'])(
  'no credentials in it: %s',
  (url) => expectRefused(url, false, 'redirect_url must not contain a user name or a password'),
)

test.each([
  'https://',
  'https://shop.example:99999/',
  'https://256.256.256.256/',
  'https://[::1',
  'https://[1::2::3]/',
])('names a host or a port that no URL can have: %s', (url) =>
  expectRefused(url, false, 'redirect_url has a host or a port that is not valid'),
)

test.each([
  'HTTPS://SHOP.EXAMPLE/',
  'https://a',
  'https://shop.example.',
  'https://shop_2.example/',
  'https://shop.example:/',
  'https://shop.example:8443/?#',
  'https://%73hop.example/',
  'https://[2001:db8::1]:8443/paid',
  'https://192.0.2.7/paid',
  "https://shop.example/a%2Fb;c=1/@:!$&'()*+,=~",
  'https://büro.example/paid',
  'https://xn--bro-hoa.example/paid',
  'https://例え.テスト/支払い'.slice(0, 15),
  'https://متجر.example/',
])('%s is a URL of RFC 3986, or one with a host in another alphabet', (url) =>
  expect(() => checkRedirectUrl(url, false)).not.toThrow(),
)

test.each([
  ['https://büro.example:8443/p%C3%A4?q=1#f', 'https://xn--bro-hoa.example:8443/p%C3%A4?q=1#f'],
  ['https://shop-büro.example/', 'https://xn--shop-bro-c6a.example/'],
  ['https://shop.example/to?u=https://büro.example/x', 'https://shop.example/to?u=https://büro.example/x'],
  ['https://shop.example/done?x=ä', 'https://shop.example/done?x=ä'],
  ['HTTPS://Shop.Example:443/', 'HTTPS://Shop.Example:443/'],
  ['http://localhost:3000/done', 'http://localhost:3000/done'],
])(
  'a host in another alphabet is written as every program reads it, and the rest stays as it was: %s',
  (written, read) => expect(withAsciiHost(written)).toBe(read),
)
