import { expect, test } from 'vitest'
import { trustedProxy, withoutPort } from './client-address.ts'

test.each([
  ['203.0.113.2:4001', '203.0.113.2'],
  ['203.0.113.2', '203.0.113.2'],
  ['[2001:db8::1]:4001', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['::ffff:203.0.113.2', '::ffff:203.0.113.2'],
  ['unknown', 'unknown'],
  ['', ''],
])('%s is %s', (written, address) => expect(withoutPort(written)).toBe(address))

test('trusts a proxy by address or range in any notation, and nothing else', () => {
  const isTrusted = trustedProxy(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'])
  for (const address of [
    '10.1.2.3',
    '10.1.2.3:500',
    '::ffff:10.1.2.3',
    '192.0.2.7',
    '2001:db8::9',
    '[2001:db8::9]:443',
  ])
    expect(isTrusted(address), address).toBe(true)
  for (const address of ['11.0.0.1', '192.0.2.8', '192.0.2.8:80', '2001:db9::1', 'unknown', '_hidden', ''])
    expect(isTrusted(address), address).toBe(false)
})
