import { expect, test } from 'vitest'
import { checkRedirectUrl, withAsciiHost, checkRedirectHost, parseRedirectHosts } from './redirect-url.ts'

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
  ['https://shop.example/paid?id=7', 'id'],
  ['https://shop.example/paid?order=7&hmac%5Fsignature=', 'hmac_signature'],
])('no parameter that the redirect adds: %s', (url, name) =>
  expectRefused(url, false, `redirect_url must not have the parameter (${name}): the redirect adds it`),
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
])('normalises a host in another alphabet and keeps the rest: %s', (written, read) =>
  expect(withAsciiHost(written)).toBe(read),
)

const isAllowed = (url: string, hosts: string): boolean => {
  try {
    checkRedirectHost(url, parseRedirectHosts(hosts))
    return true
  } catch (error) {
    expect(error).toMatchObject({
      code: 'invalid_url',
      message: expect.stringMatching(
        /^redirect_url leads to a host \([^)]*\) that your account does not allow$/,
      ) as string,
    })
    return false
  }
}

test.each([
  ['https://shop.example/done', 'shop.example'],
  ['https://shop.example:8443/', 'shop.example'],
  ['https://SHOP.Example./done', 'shop.example'],
  ['https://shop.example/', 'Shop.EXAMPLE.'],
  ['https://pay.shop.example/', '*.shop.example'],
  ['https://a.b.shop.example/', '*.shop.example'],
  ['https://pay.shop.example./', '*.Shop.example.'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  ['https://xn--bcher-kva.example/', 'BÜCHER.example'],
  ['https://pay.bücher.example/', '*.bücher.example'],
  ['http://127.0.0.1:3000/', '127.0.0.1'],
  ['http://[::1]:3000/', '[::1]'],
  ['http://localhost/', 'shop.example, localhost'],
  ['https://%73hop.example/', 'shop.example'],
])('%s is allowed by %s', (url, hosts) => expect(isAllowed(url, hosts)).toBe(true))

test.each([
  ['https://evil.example/', 'shop.example'],
  ['https://shop.example.evil.example/', 'shop.example'],
  ['https://evilshop.example/', 'shop.example'],
  ['https://pay.shop.example/', 'shop.example'],
  ['https://shop.example/', '*.shop.example'],
  ['https://evilshop.example/', '*.shop.example'],
  ['https://evil.example/?shop.example', 'shop.example'],
  ['https://evil.example/#.shop.example', '*.shop.example'],
  ['https://evil.example\\@shop.example/', 'shop.example'],
  ['https://shop.example@evil.example/', 'shop.example'],
  ['https://bucher.example/', 'bücher.example'],
])('%s is refused by %s', (url, hosts) => expect(isAllowed(url, hosts)).toBe(false))

test('the host is named', () =>
  expect(() => checkRedirectHost('https://Evil.Example:8443/x', ['shop.example'])).toThrow(
    'redirect_url leads to a host (evil.example) that your account does not allow',
  ))

test.each(['https://shop..example/', 'https://./', 'shop.example'])(
  '%s leads to no host, which none of a list is',
  (url) =>
    expect(() => checkRedirectHost(url, ['shop.example', '*.shop.example'])).toThrow(
      'redirect_url leads to a host () that your account does not allow',
    ),
)

test('without a list every host is allowed, and an empty list allows none', () => {
  expect(() => checkRedirectHost('https://anywhere.example/', undefined)).not.toThrow()
  expect(() => checkRedirectHost('https://anywhere.example/', [])).toThrow()
})

test('a list is kept in one form, each host once', () => {
  expect(parseRedirectHosts(' Shop.Example., shop.example,*.BÜCHER.example ,')).toEqual([
    'shop.example',
    '*.xn--bcher-kva.example',
  ])
  expect(parseRedirectHosts('')).toEqual([])
})

test.each([
  'https://shop.example',
  'shop.example:8443',
  'shop.example/done',
  'anna@shop.example',
  '*',
  '*.example',
  '*.127.0.0.1',
  '*.[::1]',
  'pay.*.example',
  '*.*.shop.example',
  'sh op.example',
  'shop..example',
  '.',
  '[x]',
  'shop.example\\x',
  '256.256.256.256',
])('%s is no host', (host) =>
  expect(() => parseRedirectHosts(`shop.example, ${host}`)).toThrow(
    new RegExp(`^It must be hosts such as .*; ${host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')} is none\\.$`),
  ),
)

test('there are at most 50', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => `shop-${n}.example`).join(',')
  expect(parseRedirectHosts(many(50))).toHaveLength(50)
  expect(() => parseRedirectHosts(many(51))).toThrow('There may be 50 hosts at most.')
})
