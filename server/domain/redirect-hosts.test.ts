import { expect, test } from 'vitest'
import { checkRedirectHost, parseRedirectHosts } from './redirect-hosts.ts'

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
