import { expect, test } from 'vitest'
import { connectTo } from '../callbacks/testing/guarded-sending.ts'
import { checkOutboundUrl, LIVE_POLICY, OutboundRefused, type OutboundPolicy } from './outbound-guard.ts'

// An operator behind a VPN, as its owner has configured it: private networks, but no loopback or link-local address.
const BEHIND_VPN: OutboundPolicy = { ...LIVE_POLICY, allowPrivateNetworks: true }

test.each([
  'https://10.1.2.3/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1:8443/',
  'https://[fd12:3456::1]/',
  'https://[fc00::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://momo/',
  'https://momo.internal/',
  'https://momo.example/',
  'https://8.8.8.8/',
])('%s may be an operator behind a VPN', (url) => {
  expect(() => checkOutboundUrl(url, BEHIND_VPN)).not.toThrow()
})

test.each([
  ['this machine', ['127.0.0.1', '127.8.9.1', '[::1]', '0.0.0.0', '[::]', '2130706433', '[::ffff:127.0.0.1]']],
  ['this machine by name', ['localhost', 'api.localhost', 'localhost.']],
  ['neighbours on the link', ['169.254.1.1', '[fe80::1]']],
  [
    'metadata services of cloud machines',
    ['169.254.169.254', '[fd00:ec2::254]', '[fd20:ce::254]', '168.63.129.16', '100.100.100.200'],
  ],
  ['other ranges', ['100.64.0.1', '192.0.0.192', '198.18.0.1', '224.0.0.1', '255.255.255.255', '[64:ff9b::a00:1]']],
])('%s is never allowed, whatever the setting', (_what, hosts) => {
  for (const host of hosts)
    expect(() => checkOutboundUrl(`https://${host}/`, BEHIND_VPN), host).toThrow(OutboundRefused)
})

test('without encryption nothing goes there', () => {
  expect(() => checkOutboundUrl('http://10.1.2.3/', BEHIND_VPN)).toThrow('must begin with https://')
})

test('refuses a name that leads to this machine at the connection', async () => {
  const connected = (...answer: string[]) =>
    connectTo('https://momo.internal/', BEHIND_VPN, { 'momo.internal': [answer] })
  expect(await connected('10.1.2.3')).toMatchObject({ dialled: ['10.1.2.3'] })
  for (const answer of [['127.0.0.1'], ['10.1.2.3', '169.254.169.254'], ['fd00:ec2::254']])
    expect(await connected(...answer)).toEqual({
      outcome: expect.objectContaining({
        message: 'The host is neither a public address nor one of a private network',
      }) as unknown,
      dialled: [],
    })
})
